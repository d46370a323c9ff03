// The rows of a store that keeps everything in memory, and what they are related to.

package import CoreDataSchema
import CoreDataSupport
import Foundation

/// A store's contents. The coordinator's lock guards it.
package final class MemoryRows {
    /// The rows of an entity and its subentities.
    package struct Table {
        package var rows: [Int64: StoredRow] = [:]
        /// In ascending order.
        package var keys: ContiguousArray<Int64> = []
    }

    /// A relationship, whichever entity has inherited it.
    package struct LinkKey: Hashable {
        package let entity: String
        package let name: String

        package init(_ relation: RelationRuntime) {
            entity = relation.declaringEntity
            name = relation.name
        }
    }

    /// Everything that a save changes, so that it can be put back.
    package struct State {
        /// By the number of the root entity.
        package var tables: [Int: Table] = [:]
        /// Related rows by source row: of to-many relationships whose inverse isn't to-one, and the order of those
        /// whose inverse is.
        package var links: [LinkKey: [Int64: [Int64]]] = [:]
        package var lastKeys: [Int: Int64] = [:]
        /// For to-one relationships that were asked for backwards: the rows that point to a row.
        package var sources: [LinkKey: [Int64: [Int64]]] = [:]
    }

    package let model: ModelRuntime
    /// The owner of the rows. The host holds them.
    private unowned let owner: any StoreHost
    package var host: any StoreHost { owner }
    /// The first key, where no two rows may have the same key whatever their entities; `nil` where each root entity
    /// counts for itself.
    private let firstSharedKey: Int64?
    package var state = State()
    package let derivations: [MemoryDerivation]
    /// The rows whose derived attributes the last save changed.
    package var derivedRows = DerivedRows()

    /// Throws for a derived attribute that can't be computed.
    package init(model: ModelRuntime, host: any StoreHost, firstSharedKey: Int64? = nil) throws {
        self.model = model
        self.firstSharedKey = firstSharedKey
        owner = host
        do {
            derivations = try MemoryDerivation.all(in: model)
        } catch {
            throw ErrorMapping.error(error, occasion: .opening, file: host.url)
        }
    }

    package func takeDerivedRows() -> DerivedRows {
        defer { derivedRows = DerivedRows() }
        return derivedRows
    }

    package func row(_ entity: EntityRuntime, primaryKey: Int64) -> StoredRow? {
        state.tables[entity.rootNumber]?.rows[primaryKey]
    }

    /// Rows of an entity in the order of their keys.
    package func rows(of entity: EntityRuntime, includesSubentities: Bool) -> [StoredRow] {
        guard let table = state.tables[entity.rootNumber] else { return [] }
        let wanted = includesSubentities ? Set(entity.subtree) : [entity.number]
        return table.keys.compactMap { key in
            guard let row = table.rows[key], wanted.contains(row.entity.number) else { return nil }
            return row
        }
    }

    /// Keys that no row has had before.
    package func allocateKeys(root: EntityRuntime, count: Int) -> Range<Int64> {
        if let firstSharedKey {
            state.lastKeys[root.rootNumber] = max(state.lastKeys.values.max() ?? 0, firstSharedKey - 1)
        }
        let last = state.lastKeys[root.rootNumber] ?? 0
        state.lastKeys[root.rootNumber] = last + Int64(count)
        return last + 1..<last + 1 + Int64(count)
    }

    // MARK: Relationships

    /// The row that a to-one relationship points to.
    package func target(_ slot: Slot, relation: RelationRuntime, of row: StoredRow) -> StoredRow? {
        if row.pointer.isNull(slot.index) { return nil }
        let key = Int64(bitPattern: row.pointer.words[slot.word])
        return self.row(relation.destination(in: model), primaryKey: key)
    }

    /// The rows of a to-many relationship, ordered ones in their order.
    package func members(_ relation: RelationRuntime, of source: Int64) -> [StoredRow] {
        let destination = relation.destination(in: model)
        var keys = state.links[LinkKey(relation)]?[source] ?? []
        if let inverse = relation.inverse, !inverse.isToMany {
            let present = sources(of: inverse, in: destination)[source] ?? []
            let known = Set(present)
            keys = keys.filter(known.contains)
            keys += Set(present).subtracting(keys).sorted()
        }
        return keys.compactMap { row(destination, primaryKey: $0) }
    }

    /// For a to-one relationship the rows that point to each row.
    package func sources(of relation: RelationRuntime, in entity: EntityRuntime) -> [Int64: [Int64]] {
        let link = LinkKey(relation)
        if let known = state.sources[link] { return known }
        var found: [Int64: [Int64]] = [:]
        for row in rows(of: entity, includesSubentities: true) {
            if let key = row.target(of: relation.name) { found[key, default: []].append(row.primaryKey) }
        }
        state.sources[link] = found
        return found
    }

    /// Puts a row in the place of another, or takes it away, and keeps what is known about to-one relationships.
    package func replace(_ old: StoredRow?, by new: StoredRow?) {
        guard let row = new ?? old else { return }
        for link in state.sources.keys {
            let (before, after) = (old?.target(of: link), new?.target(of: link))
            if before == after { continue }
            if let before { state.sources[link]?[before]?.removeAll { $0 == row.primaryKey } }
            if let after { state.sources[link]?[after, default: []].append(row.primaryKey) }
        }
        state.tables[row.entity.rootNumber, default: Table()].rows[row.primaryKey] = new
    }
}

extension StoredRow {
    /// The key that a to-one relationship points to.
    package func target(of name: String) -> Int64? {
        guard let slot = entity.layout.slot(named: name), slot.destination != nil, !pointer.isNull(slot.index)
        else { return nil }
        return Int64(bitPattern: pointer.words[slot.word])
    }

    fileprivate func target(of link: MemoryRows.LinkKey) -> Int64? {
        guard let relation = entity.property(link.name)?.relation, relation.declaringEntity == link.entity
        else {
            return nil
        }
        return target(of: link.name)
    }
}
