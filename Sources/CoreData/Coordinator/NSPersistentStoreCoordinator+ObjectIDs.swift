// Object IDs from the URIs that they were written as.

public import Foundation

extension NSPersistentStoreCoordinator {
    /// Returns the ID that a URI stands for, if it names a store of this coordinator and an entity of its
    /// model.
    ///
    /// The object needn't exist.
    ///
    /// ```swift
    /// let archived = hero.objectID.uriRepresentation()
    /// if let id = coordinator.managedObjectID(forURIRepresentation: archived) {
    ///     print(try context.existingObject(with: id))
    /// }
    /// ```
    public func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        guard url.scheme?.lowercased() == "x-coredata", let identifier = url.host, !identifier.isEmpty,
            let store = store(identifier: identifier)
        else { return nil }
        let parts = url.pathComponents.filter { $0 != "/" }
        guard parts.count == 2, let entity = runtime.entity(named: parts[0]), parts[1].first == "p" else {
            return nil
        }
        return store.objectID(forReferenceText: String(parts[1].dropFirst()), entity: entity)
    }

    /// Returns the ID whose URI is this text.
    public func managedObjectID(for string: String) -> NSManagedObjectID? {
        URL(string: string).flatMap(managedObjectID(forURIRepresentation:))
    }
}
