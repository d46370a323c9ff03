// Rows whose derived attributes a store computed.

import CoreDataSchema

/// Rows by entity.
struct DerivedRows {
    private(set) var groups: [(entity: EntityRuntime, primaryKeys: Set<Int64>)] = []

    var isEmpty: Bool { groups.isEmpty }

    mutating func add(_ entity: EntityRuntime, _ primaryKey: Int64) {
        if let place = groups.firstIndex(where: { $0.entity === entity }) {
            groups[place].primaryKeys.insert(primaryKey)
        } else {
            groups.append((entity, [primaryKey]))
        }
    }
}
