// The state of one object before an event, and events as the undo manager knows them.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// The record that takes one object back to before an event. Keeps the object and those that
/// it was related to alive.
final class UndoRecord {
    enum Kind {
        /// The event inserted the object, or brought it back.
        case appeared
        case changed
        /// The event deleted the object.
        case vanished
    }

    let object: NSManagedObject
    let kind: Kind
    /// The values before the event; a copy of the record's own.
    private let row: UnsafeMutablePointer<UInt64>?
    private let slab: RowSlab?
    /// Numbers of the attributes' slots that the event changed.
    private(set) var slots: [Int] = []
    /// To-one relationships that the event changed, with what they led to.
    private(set) var toOnes: [(Slot, RelationRuntime, NSManagedObject?)] = []
    /// To-many relationships that the event changed.
    private(set) var toManys: [(RelationRuntime, ToManyChange)] = []
    /// Of a deleted object: everything it was related to, for the case that its row goes.
    private(set) var related: [(PropertyRuntime, [NSManagedObject])] = []
    /// Indicates that the object is being brought back after its row, or its place in the context, was gone.
    var isWhole = false
    /// The objects with records of their own that restored relationships led to, by the inverses that are to lead elsewhere now.
    var left: [(inverse: RelationRuntime, from: NSManagedObject)] = []
    /// The values that observers of a restored object last knew, until they are told.
    var replaced: ReplacedValues?
    /// The key of the row that an object had which is brought back under another.
    var formerKey: Int64?
    /// Of a deleted object: where its row was.
    private(set) var store: NSPersistentStore?

    /// The to-one relationships that the record restores.
    var restoredToOnes: [(Slot, RelationRuntime)] {
        guard isWhole else { return toOnes.map { ($0.0, $0.1) } }
        return related.compactMap { property, _ in
            guard case .toOne(let slot, let relation) = property.kind else { return nil }
            return (slot, relation)
        }
    }

    /// The to-many relationships that the record restores, with what the event changed in them.
    var restoredToManys: [(RelationRuntime, ToManyChange)] {
        guard isWhole else { return toManys }
        return related.compactMap { property, members in
            guard case .toMany(let relation) = property.kind else { return nil }
            return (relation, ToManyChange(removed: members))
        }
    }

    /// Indicates that an object on the other side of what the record restored has changes of that relationship: then the row of
    /// this one, which it may agree with, is an older one, and has to be checked by the save.
    var leadsToChanges: Bool {
        var ends = related.compactMap { property, others in property.relation.map { ($0, others) } }
        for (_, relation, target) in toOnes { ends.append((relation, [target].compactMap { $0 })) }
        for (relation, change) in toManys { ends.append((relation, change.added + change.removed)) }
        return ends.contains { relation, others in
            guard let inverse = relation.inverse else { return false }
            return others.contains { other in
                guard other.state.hasChanges, other.isReachable, !other.isFault,
                    let property = other.runtime.property(inverse.name)
                else { return false }
                return other.isChanged(property)
            }
        }
    }

    /// `nil` where the event left the object as it was.
    init?(_ object: NSManagedObject, kind: Kind) {
        self.object = object
        self.kind = kind
        guard kind != .appeared else {
            (row, slab) = (nil, nil)
            return
        }
        let before = object.rowBeforeEvent
        let changes = RowChanges(object, before: before)
        if kind == .changed, changes.isEmpty {
            (row, slab) = (nil, nil)
            return nil
        }
        row = OwnedRow.copy(before.words, layout: object.runtime.layout)
        slab = before.slab
        (slots, toOnes, toManys) = (changes.slots, changes.toOnes, changes.toManys)
        let slots = kind == .vanished ? object.runtime.layout.slots.map(\.index) : self.slots
        // The store removes the file of an external value with the row, or with the next value.
        for index in slots where object.runtime.layout.slots[index].kind == .externalData {
            _ = before.value(object.runtime.layout.slots[index])
        }
        if kind == .vanished {
            related = object.relatedBeforeEvent(toOnes)
            store = object.store ?? object.assignedStore
        }
    }

    deinit {
        if let row { OwnedRow.destroy(row, layout: object.runtime.layout) }
    }

    /// The values before the event.
    var before: RowPointer? { row.map { RowPointer($0, slab: slab) } }
}

/// The records by which an event is taken back, and those of what merges made its deletions reach since.
final class UndoEvent {
    /// The records of the event, and behind them those of later effects: each of them is to be taken back before those ahead of it.
    private(set) var batches: [[UndoRecord]]
    /// The number of times that the context had taken newer rows when the event happened.
    let rowGeneration: Int

    init(_ records: [UndoRecord], rowGeneration: Int) {
        batches = [records]
        self.rowGeneration = rowGeneration
    }

    func append(_ records: [UndoRecord]) { batches.append(records) }

    /// The objects that the event deleted, or its later effects did.
    var deletedObjects: [NSManagedObject] {
        batches.joined().filter { $0.kind == .vanished }.map(\.object)
    }
}

/// The events that can be taken back or done again: their undo manager holds them.
struct UndoEvents {
    private struct Reference {
        weak var event: UndoEvent?
    }

    private var references: [Reference] = []
    private var limit = 64

    mutating func append(_ event: UndoEvent) {
        if references.count >= limit {
            references.removeAll { $0.event == nil }
            limit = max(64, references.count * 2)
        }
        references.append(Reference(event: event))
    }

    /// Objects to be deleted, by the events that deleted them; at the end those that no event did.
    func sorted(_ objects: [NSManagedObject]) -> [(UndoEvent?, [NSManagedObject])] {
        var byEvent: [(UndoEvent?, [NSManagedObject])] = []
        var left = Set(objects.map(ObjectIdentifier.init))
        for event in references.reversed().compactMap(\.event) where !left.isEmpty {
            let deleted = event.deletedObjects.filter { left.remove(ObjectIdentifier($0)) != nil }
            if !deleted.isEmpty { byEvent.append((event, deleted)) }
        }
        return byEvent + [(nil, objects.filter { left.contains(ObjectIdentifier($0)) })]
    }
}

/// The properties of an object that an event changed.
private struct RowChanges {
    var slots: [Int] = []
    var toOnes: [(Slot, RelationRuntime, NSManagedObject?)] = []
    var toManys: [(RelationRuntime, ToManyChange)] = []

    var isEmpty: Bool { slots.isEmpty && toOnes.isEmpty && toManys.isEmpty }

    init(_ object: NSManagedObject, before: RowPointer) {
        let now = RowPointer(object.row, slab: object.slab)
        for property in object.runtime.properties {
            switch property.kind {
            case .attribute(let slot): note(slot, now: now, before: before)
            case .composite(let slots): for slot in slots { note(slot, now: now, before: before) }
            case .toOne(let slot, let relation):
                if SlotValue.areEqual(slot, left: now, right: before) { continue }
                toOnes.append((slot, relation, object.target(slot, relation: relation, in: before.words)))
            case .toMany(let relation):
                guard let members = object.extras?.relations[relation.number] as? ToMany else { continue }
                let change = members.changeInEvent
                if !change.isEmpty { toManys.append((relation, change)) }
            case .fetched: break
            }
        }
    }

    private mutating func note(_ slot: Slot, now: RowPointer, before: RowPointer) {
        if !SlotValue.areEqual(slot, left: now, right: before) { slots.append(slot.index) }
    }
}

extension NSManagedObject {
    /// Returns the objects that every relationship led to before the current event.
    fileprivate final func relatedBeforeEvent(
        _ changed: [(Slot, RelationRuntime, NSManagedObject?)]
    ) -> [(PropertyRuntime, [NSManagedObject])] {
        var related: [(PropertyRuntime, [NSManagedObject])] = []
        for property in runtime.properties {
            switch property.kind {
            case .toOne(let slot, let relation):
                let known = changed.first { $0.1 === relation }
                let object = known.map { $0.2 } ?? toOne(slot, relation: relation)
                related.append((property, object.map { [$0] } ?? []))
            case .toMany(let relation): related.append((property, toMany(relation).allBeforeEvent))
            default: break
            }
        }
        return related
    }
}
