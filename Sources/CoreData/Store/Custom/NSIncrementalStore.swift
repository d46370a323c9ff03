// Stores of clients' own that are asked object by object. The topics are in the `+` files.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
public import Foundation

/// The abstract superclass of stores that answer requests: in front of a web service, a database, another format.
///
/// A subclass overrides `loadMetadata()`, `execute(_:with:)`, `newValuesForObject(with:with:)`,
/// `newValue(forRelationship:forObjectWith:with:)` and `obtainPermanentIDs(for:)`. The coordinator's lock is held
/// meanwhile: it guards the state.
open class NSIncrementalStore: NSPersistentStore, @unchecked Sendable {
    final let references = ReferenceTable()
    final let registrations = RegistrationNotes()
    /// `nil` until the store is added to a coordinator.
    final var model: ModelRuntime?

    /// Returns an `NSStoreUUID` for a new store: a random one unless overridden.
    ///
    /// For `loadMetadata()`, which states the identity of a store that has none yet.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    /// Answers a fetch or saves.
    ///
    /// A fetch is an `NSFetchRequest<any NSFetchRequestResult>`; its answer is an array of managed objects or object
    /// IDs, of dictionaries, or of one number, as its `resultType` says. The answer to an `NSSaveChangesRequest` is
    /// an empty array.
    ///
    /// - Parameters:
    ///   - request: a fetch or a save.
    ///   - context: the context that asks, if one does.
    /// - Returns: an array, as above.
    /// - Throws: what keeps the store from answering; the fetch or save throws it.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws
        -> Any
    {
        throw RequestErrors.missing("execute(_:with:)", in: Swift.type(of: self))
    }

    /// Returns the attributes and to-one relationships of an object.
    ///
    /// - Parameters:
    ///   - objectID: the object's ID.
    ///   - context: the context that asks.
    /// - Throws: an error when there is no such object, or it can't be read.
    open func newValuesForObject(
        with objectID: NSManagedObjectID, with context: NSManagedObjectContext
    ) throws -> NSIncrementalStoreNode {
        throw RequestErrors.missing("newValuesForObject(with:with:)", in: Swift.type(of: self))
    }

    /// Returns the ID of a to-one relationship's object or `NSNull`; an array of the IDs of a to-many one's.
    ///
    /// - Parameters:
    ///   - relationship: the relationship.
    ///   - objectID: the ID of the object that has it.
    ///   - context: the context that asks, if one does.
    /// - Throws: what keeps the store from reading.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        throw RequestErrors.missing("newValue(forRelationship:forObjectWith:with:)", in: Swift.type(of: self))
    }

    /// Returns final IDs for new objects, in the order of the objects: made by
    /// `newObjectID(for:referenceObject:)`.
    ///
    /// - Throws: what keeps the store from making them; the save throws it.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        throw RequestErrors.missing("obtainPermanentIDs(for:)", in: Swift.type(of: self))
    }

    /// Called when a context has begun to use objects of these IDs: at its next request.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Called when a context no longer uses objects of these IDs: at the next request of any context, since
    /// objects are released on any thread.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    /// Returns the ID of the object that the store calls by a reference object.
    ///
    /// - Parameters:
    ///   - entity: the object's entity.
    ///   - data: the reference object: a string, a number or another hashable value.
    open func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
        objectID(entity, reference: data)
    }

    /// Returns the reference object that the store calls an object by.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any {
        guard let known = references.reference(objectID.primaryKey, entity: objectID.runtime) else {
            raise(.invalidArgument, "\(objectID) has no reference object in this store")
        }
        return known
    }

    // MARK: Requests of contexts

    override var deliversFaults: Bool { true }

    override func open(model: ModelRuntime) throws { try openStore(model) }

    override func source() throws -> any RowSource { IncrementalRows(self) }

    override func allocateKeys(
        root: EntityRuntime, count: Int, for objects: () -> [NSManagedObject]
    ) throws -> [Int64] {
        try permanentKeys(objects())
    }

    override func reference(_ primaryKey: Int64, entity: EntityRuntime) -> Any? {
        references.reference(primaryKey, entity: entity)
    }

    override func objectID(forReferenceText text: String, entity: EntityRuntime) -> NSManagedObjectID? {
        let known = references.key(forText: text, entity)
        return NSManagedObjectID(
            entity, primaryKey: known ?? references.key(for: text, entity), store: self)
    }

    override func save(_ changes: StoreChanges, of objects: SavedObjects, before rest: () throws -> Void)
        throws
    {
        try saveObjects(changes, objects: objects)
        try rest()
    }
}
