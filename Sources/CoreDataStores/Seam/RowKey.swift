package import CoreDataSchema

/// A row by the number of its entity (`EntityRuntime.number`).
package struct RowKey: Hashable, Sendable {
    package let entity: Int32
    package let primaryKey: Int64

    package init(_ entity: EntityRuntime, primaryKey: Int64) {
        self.entity = Int32(entity.number)
        self.primaryKey = primaryKey
    }
}
