// One row that a save changed, as a store's history has it.

import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
public import Foundation

/// The kind of change of an object.
public enum NSPersistentHistoryChangeType: Int, Sendable {
    /// It is new.
    case insert = 0
    /// Some of its properties changed.
    case update = 1
    /// It is gone.
    case delete = 2
}

/// One changed object in the persistent history of a store.
open class NSPersistentHistoryChange: NSObject, NSCopying {
    private final let row: HistoryChangeRow
    private final let record: HistoryRecord
    final let entity: ManagedEntity
    /// The transaction that the change was delivered with.
    final weak var owner: NSPersistentHistoryTransaction?
    /// The object that changed; it may be gone by now.
    public final let changedObjectID: NSManagedObjectID

    init(_ row: HistoryChangeRow, record: HistoryRecord, id: NSManagedObjectID) {
        self.row = row
        self.record = record
        entity = id.runtime
        changedObjectID = id
        super.init()
    }

    /// The values that predicates and sort descriptors can name.
    final var values: Value { row.values(changedObjectID) }

    /// The change's own number in its store.
    open var changeID: Int64 { row.number }

    /// The kind of change of the object.
    open var changeType: NSPersistentHistoryChangeType {
        NSPersistentHistoryChangeType(rawValue: Int(row.kind.rawValue)) ?? .update
    }

    /// The values of attributes with `preservesValueInHistoryOnDeletion` that a deleted object had, by name, of
    /// composite ones as dictionaries; `nil` for other changes and for entities without such attributes.
    open var tombstone: [AnyHashable: Any]? {
        guard row.kind == .delete else { return nil }
        let preserved = HistoryProperties.preserved(entity)
        if preserved.isEmpty { return nil }
        var values: [String: Any] = [:]
        for (place, stored) in zip(preserved, row.tombstones) {
            if let value = place.value(stored) { CompositeElements.set(value, at: place.path, in: &values) }
        }
        return values
    }

    /// The properties that an update changed; `nil` for other changes.
    open var updatedProperties: Set<NSPropertyDescription>? {
        guard row.kind == .update, let columns = row.columns else { return nil }
        let properties = HistoryProperties.numbered(entity)
        return Set(
            HistoryBitmap.positions(columns).filter(properties.indices.contains).map {
                entity.descriptions[properties[$0].number]
            })
    }

    /// The transaction that the change belongs to.
    open var transaction: NSPersistentHistoryTransaction? {
        owner ?? NSPersistentHistoryTransaction(record)
    }

    /// Returns the change itself, as it can't be changed.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    // MARK: Fetching changes

    /// The entity with the attributes that predicates on changes can name.
    open class var entityDescription: NSEntityDescription? { HistoryEntity.change.description }

    /// Returns the entity that predicates on changes are about, the same for every context.
    open class func entityDescription(with context: NSManagedObjectContext) -> NSEntityDescription? {
        entityDescription
    }

    /// A new fetch request for `NSPersistentHistoryChangeRequest.fetchHistory(withFetch:)`.
    open class var fetchRequest: NSFetchRequest<any NSFetchRequestResult>? {
        HistoryEntity.change.fetchRequest
    }
}
