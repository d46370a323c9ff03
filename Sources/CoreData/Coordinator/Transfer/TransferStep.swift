// The steps of moving a store's rows to another store, and the mark of how far that is.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// One step: all rows of an entity itself, page by page.
struct TransferStep {
    enum Kind {
        /// Rows, without the relationships that lead to rows of later steps.
        case rows
        /// The relationships that `rows` left out.
        case links
        /// The pairs or the order of a relationship's members.
        case members(RelationRuntime)
    }

    let kind: Kind
    let entity: ManagedEntity
    /// The numbers of the to-one relationships, among the entity's slots, that lead to rows of later steps or of the same.
    let late: [Int]

    /// All steps in their order. Foreign keys are checked with each transaction: rows come after those that they lead to, where
    /// that can be.
    static func all(for entities: [ManagedEntity]) -> [TransferStep] {
        let concrete = ordered(entities.filter { !$0.isAbstract })
        var ranks: [Int: Int] = [:]
        for entity in concrete where ranks[entity.rootNumber] == nil {
            ranks[entity.rootNumber] = ranks.count
        }
        let rows = concrete.map { entity in
            TransferStep(kind: .rows, entity: entity, late: late(entity, ranks: ranks))
        }
        let links = rows.filter { !$0.late.isEmpty }.map {
            TransferStep(kind: .links, entity: $0.entity, late: $0.late)
        }
        return rows + links + members(of: concrete) { [.order, .pairs].contains($0) }
            + members(of: concrete) { $0 == .orderOfPairs }
    }

    private static func members(
        of entities: [ManagedEntity], where isChosen: (MemberCopying) -> Bool
    ) -> [TransferStep] {
        entities.flatMap { entity in
            entity.relations.filter { isChosen($0.copying) }.map {
                TransferStep(kind: .members($0), entity: entity, late: [])
            }
        }
    }

    /// The entities of one table follow each other, behind those of the tables that they lead to.
    private static func ordered(_ entities: [ManagedEntity]) -> [ManagedEntity] {
        let byRoot = Dictionary(grouping: entities, by: \.rootNumber)
        var order: [ManagedEntity] = []
        var seen: Set<Int> = []
        func visit(_ root: Int) {
            guard seen.insert(root).inserted, let members = byRoot[root] else { return }
            for member in members {
                for slot in member.layout.toOneSlots {
                    if let destination = destination(slot, entity: member) { visit(destination.rootNumber) }
                }
            }
            order += members
        }
        for root in byRoot.keys.sorted() { visit(root) }
        return order
    }

    private static func destination(_ slot: Slot, entity: ManagedEntity) -> EntityRuntime? {
        slot.destination.flatMap(entity.modelRuntime.runtime(named:))
    }

    private static func late(_ entity: ManagedEntity, ranks: [Int: Int]) -> [Int] {
        let own = ranks[entity.rootNumber] ?? 0
        return entity.layout.slots.indices.filter { number in
            let slot = entity.layout.slots[number]
            guard slot.isRelationship, let destination = destination(slot, entity: entity) else {
                return false
            }
            return (ranks[destination.rootNumber] ?? -1) >= own
        }
    }
}

/// The mark in the metadata of the store that rows are moved to, written with each page of them.
struct TransferMark {
    static let key = "CoreDataTransfer"

    /// The store that they come from.
    let source: String
    /// Indicates whether the rows are those of one moment, which is over when the process ends.
    let isCopy: Bool
    /// The number of the step.
    var step = 0
    /// The number of rows that the step is done with, and the key of the last of them.
    var done = 0
    var last: Int64 = 0
    /// The shift of each root entity's keys, by its name.
    var shifts: [String: Int64] = [:]

    init(source: String, isCopy: Bool) {
        self.source = source
        self.isCopy = isCopy
    }

    /// The mark in a store's metadata; `nil` if there is none.
    init?(_ metadata: [String: Any]) {
        guard let entry = metadata[Self.key] as? [String: Any], let source = entry["source"] as? String,
            let step = entry["step"] as? Int, let done = entry["done"] as? Int,
            let last = entry["last"] as? Int64 ?? (entry["last"] as? NSNumber)?.int64Value
        else { return nil }
        (self.source, self.step, self.done, self.last) = (source, step, done, last)
        isCopy = entry["isCopy"] as? Bool ?? false
        let stated = entry["shifts"] as? [String: Any] ?? [:]
        shifts = stated.compactMapValues { ($0 as? NSNumber)?.int64Value ?? $0 as? Int64 }
    }

    var propertyList: [String: Any] {
        [
            "source": source, "step": NSNumber(value: step), "done": NSNumber(value: done),
            "last": NSNumber(value: last), "isCopy": isCopy,
            "shifts": shifts.mapValues { NSNumber(value: $0) },
        ]
    }
}
