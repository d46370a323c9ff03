// Rows whose derived attributes a store computed.

package import CoreDataSchema

/// Rows by entity.
package struct DerivedRows {
    package private(set) var groups: [(entity: EntityRuntime, primaryKeys: Set<Int64>)] = []

    package init() {}

    package var isEmpty: Bool { groups.isEmpty }

    package mutating func add(_ entity: EntityRuntime, primaryKey: Int64) {
        if let place = groups.firstIndex(where: { $0.entity === entity }) {
            groups[place].primaryKeys.insert(primaryKey)
        } else {
            groups.append((entity, [primaryKey]))
        }
    }

    /// Adds the rows of a save in which a client wrote derived attributes. The store has other values, whether it computed
    /// them just now or not.
    package mutating func addStated(in changes: StoreChanges) {
        for row in changes.updated {
            let slots = row.entity.layout.slots
            if row.changedSlots.contains(where: { slots[$0].attribute?.derivation != nil }) {
                add(row.entity, primaryKey: row.primaryKey)
            }
        }
    }
}
