// The context's notifications under the names that Swift code uses, and the keys of their user info.

public import Foundation

extension NSManagedObjectContext {
    /// Posted before a context saves.
    public static let willSaveObjectsNotification = Notification.Name.NSManagedObjectContextWillSave
    /// Posted after a context saved, with the objects.
    public static let didSaveObjectsNotification = Notification.Name.NSManagedObjectContextDidSave
    /// Posted when objects of a context changed.
    public static let didChangeObjectsNotification = Notification.Name.NSManagedObjectContextObjectsDidChange
    /// Posted after a context saved, with the objects' IDs.
    public static let didSaveObjectIDsNotification = Notification.Name.NSManagedObjectContextDidSaveObjectIDs
    /// Posted after a context merged changes of another, with the objects' IDs.
    public static let didMergeChangesObjectIDsNotification =
        Notification.Name.NSManagedObjectContextDidMergeChangesObjectIDs

    /// The keys of the notifications' user info.
    public enum NotificationKey: String, Sendable {
        public typealias RawValue = String

        /// The stores' generation that the context reads from then on.
        case queryGeneration
        /// The IDs of all objects, after a reset.
        case invalidatedAllObjects
        /// Objects that were inserted.
        case insertedObjects
        /// Objects that were changed.
        case updatedObjects
        /// Objects that were deleted.
        case deletedObjects
        /// Objects whose values were read anew.
        case refreshedObjects
        /// Objects that were invalidated.
        case invalidatedObjects
        /// The IDs of objects that were inserted.
        case insertedObjectIDs
        /// The IDs of objects that were changed.
        case updatedObjectIDs
        /// The IDs of objects that were deleted.
        case deletedObjectIDs
        /// The IDs of objects whose values were read anew.
        case refreshedObjectIDs
        /// The IDs of objects that were invalidated.
        case invalidatedObjectIDs

        /// The key as it stands in the user info.
        public var rawValue: String {
            switch self {
            case .queryGeneration: NSManagedObjectContextQueryGenerationKey
            case .invalidatedAllObjects: NSInvalidatedAllObjectsKey
            case .insertedObjects: NSInsertedObjectsKey
            case .updatedObjects: NSUpdatedObjectsKey
            case .deletedObjects: NSDeletedObjectsKey
            case .refreshedObjects: NSRefreshedObjectsKey
            case .invalidatedObjects: NSInvalidatedObjectsKey
            case .insertedObjectIDs: NSInsertedObjectIDsKey
            case .updatedObjectIDs: NSUpdatedObjectIDsKey
            case .deletedObjectIDs: NSDeletedObjectIDsKey
            case .refreshedObjectIDs: NSRefreshedObjectIDsKey
            case .invalidatedObjectIDs: NSInvalidatedObjectIDsKey
            }
        }

        private static let all: [NotificationKey] = [
            .queryGeneration, .invalidatedAllObjects, .insertedObjects, .updatedObjects, .deletedObjects,
            .refreshedObjects, .invalidatedObjects, .insertedObjectIDs, .updatedObjectIDs, .deletedObjectIDs,
            .refreshedObjectIDs, .invalidatedObjectIDs,
        ]

        /// The case of a key in the user info; `nil` for any other text.
        public init?(rawValue: String) {
            guard let key = Self.all.first(where: { $0.rawValue == rawValue }) else { return nil }
            self = key
        }
    }
}
