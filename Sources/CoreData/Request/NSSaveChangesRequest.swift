// The objects that a context has a store save.

public import Foundation

/// The changes of a context, as a custom store gets them to save.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
    /// New objects.
    public final let insertedObjects: Set<NSManagedObject>?
    /// Changed objects.
    public final let updatedObjects: Set<NSManagedObject>?
    /// Objects to delete.
    public final let deletedObjects: Set<NSManagedObject>?
    /// Objects that didn't change, but whose rows must not have changed either (`detectConflicts(for:)`).
    public final let lockedObjects: Set<NSManagedObject>?

    open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

    /// A request to save these objects.
    ///
    /// - Parameters:
    ///   - insertedObjects: new objects.
    ///   - updatedObjects: changed objects.
    ///   - deletedObjects: deleted objects.
    ///   - lockedObjects: objects that didn't change, but whose rows must not have changed either.
    public init(
        inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
        deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
    ) {
        self.insertedObjects = insertedObjects
        self.updatedObjects = updatedObjects
        self.deletedObjects = deletedObjects
        self.lockedObjects = lockedObjects
        super.init()
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = NSSaveChangesRequest(
            inserted: insertedObjects, updated: updatedObjects, deleted: deletedObjects, locked: lockedObjects
        )
        copy.affectedStores = affectedStores
        return copy
    }
}
