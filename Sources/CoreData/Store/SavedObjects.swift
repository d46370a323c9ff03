// The objects whose rows a save writes.

import CoreDataSchema
import CoreDataStores

/// The objects of a save to one store, found by their rows.
final class SavedObjects {
    private let objects: () -> [NSManagedObject]
    private lazy var byRow = Dictionary(
        objects().map { (RowKey($0.runtime, primaryKey: $0.primaryKey), $0) },
        uniquingKeysWith: { first, _ in first })

    init(_ objects: @escaping () -> [NSManagedObject]) {
        self.objects = objects
    }

    subscript(row: RowKey) -> NSManagedObject? { byRow[row] }

    /// The objects of rows, in their order.
    func of(_ rows: [StoreChanges.Row]) -> [NSManagedObject] { rows.compactMap { byRow[$0.key] } }
}
