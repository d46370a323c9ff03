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
}
