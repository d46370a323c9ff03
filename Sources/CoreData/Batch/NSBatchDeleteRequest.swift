// A request that deletes many rows without making objects of them.

import CoreDataSupport
public import Foundation

/// Deletes the rows that a fetch request finds, or those with given IDs, and applies the delete rules to what is
/// related to them. Contexts don't notice until the IDs are merged into them (Docs/Batches.md).
///
/// ```swift
/// let old: NSFetchRequest<any NSFetchRequestResult> = NSFetchRequest(entityName: "Hero")
/// old.predicate = NSPredicate(format: "birthdate < %@", Date(timeIntervalSince1970: 0) as NSDate)
/// try context.execute(NSBatchDeleteRequest(fetchRequest: old))
/// ```
open class NSBatchDeleteRequest: NSPersistentStoreRequest {
    /// The contents of the result; whether it succeeded, by default.
    open var resultType: NSBatchDeleteRequestResultType = .resultTypeStatusOnly
    final let fields: FetchRequestFields
    /// The rows to delete, where they were given by ID.
    final let objectIDs: [NSManagedObjectID]?

    open override var requestType: NSPersistentStoreRequestType { .batchDeleteRequestType }

    /// The request that finds the rows; a copy.
    open var fetchRequest: NSFetchRequest<any NSFetchRequestResult> { NSFetchRequest(fields: fields) }

    /// A request to delete what a fetch finds: predicate, sort, limit, offset and subentities count.
    public init(fetchRequest fetch: NSFetchRequest<any NSFetchRequestResult>) {
        fields = fetch.fields
        objectIDs = nil
        super.init()
        affectedStores = fetch.affectedStores
    }

    /// A request to delete what a fetch of any type finds: off Apple's systems a request of one type is not a request
    /// of another.
    public convenience init<Found>(fetchRequest fetch: NSFetchRequest<Found>) {
        let general = NSFetchRequest<any NSFetchRequestResult>(fields: fetch.fields)
        general.affectedStores = fetch.affectedStores
        self.init(fetchRequest: general)
    }

    /// A request to delete the rows with these IDs, which must be of one entity.
    public convenience init(objectIDs objects: [NSManagedObjectID]) {
        var fields = FetchRequestFields()
        fields.entity = objects.first?.entity
        fields.predicate = NSPredicate(format: "SELF IN %@", objects as NSArray)
        self.init(fields, objectIDs: objects)
    }

    init(_ fields: FetchRequestFields, objectIDs: [NSManagedObjectID]?) {
        self.fields = fields
        self.objectIDs = objectIDs
        super.init()
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSBatchDeleteRequest(fields, objectIDs: objectIDs)
        copy.resultType = resultType
        copy.affectedStores = affectedStores
        return copy
    }
}

/// The contents of a batch deletion's result.
public enum NSBatchDeleteRequestResultType: UInt, Sendable {
    /// A `Bool`: whether it succeeded.
    case resultTypeStatusOnly = 0
    /// `[NSManagedObjectID]`: all deleted rows, those that the rule "cascade" reached among them.
    case resultTypeObjectIDs = 1
    /// An `Int`: how many these are.
    case resultTypeCount = 2
}

/// The answer to an `NSBatchDeleteRequest`.
open class NSBatchDeleteResult: NSPersistentStoreResult {
    private let value: Any?
    private let type: NSBatchDeleteRequestResultType

    init(_ value: Any?, type: NSBatchDeleteRequestResultType) {
        self.value = value
        self.type = type
        super.init()
    }

    /// The result, of the kind that `resultType` names.
    open var result: Any? { value }
    /// The kind of `result`.
    open var resultType: NSBatchDeleteRequestResultType { type }
}
