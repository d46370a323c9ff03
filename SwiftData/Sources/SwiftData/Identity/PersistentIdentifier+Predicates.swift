// Identifiers as constants of predicates.

@_spi(SwiftData) import CoreData
import Foundation

extension PersistentIdentifier {
    /// The coordinator of the stores for which a predicate is being translated.
    @TaskLocal static var coordinator: NSPersistentStoreCoordinator?

    /// The object ID in the stores of a coordinator.
    func objectID(in coordinator: NSPersistentStoreCoordinator) -> NSManagedObjectID? {
        if let id = objectID,
            id.isTemporaryID || id.persistentStore?.persistentStoreCoordinator === coordinator
        {
            return id
        }
        guard let store = storeIdentifier,
            let url = URL(string: "x-coredata://\(store)/\(entityName)/\(id.key)")
        else { return nil }
        return coordinator.managedObjectID(forURIRepresentation: url)
    }
}

@_spi(SwiftData)
extension PersistentIdentifier: ManagedIdentity {
    public var managedObjectID: AnyObject? {
        guard let coordinator = Self.coordinator else { return objectID }
        return objectID(in: coordinator)
    }
}
