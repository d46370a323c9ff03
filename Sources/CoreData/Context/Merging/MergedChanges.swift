// The saves of others, as object IDs: the one form that every kind of merge starts from.

import CoreDataSupport
import Foundation

/// The IDs of the rows that a save inserted, updated and deleted.
struct MergedChanges: Sendable {
    var inserted: [NSManagedObjectID] = []
    var updated: [NSManagedObjectID] = []
    /// Rows whose values may have changed without a save that says so.
    var refreshed: [NSManagedObjectID] = []
    var deleted: [NSManagedObjectID] = []
    /// Indicates whether objects that were related to deleted ones are among the updated ones, as they are
    /// after a save. Batches tell of the rows that they deleted only.
    var namesReferrers = true

    init(
        inserted: [NSManagedObjectID] = [], updated: [NSManagedObjectID] = [],
        deleted: [NSManagedObjectID] = []
    ) {
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && refreshed.isEmpty && deleted.isEmpty }

    /// Reads a notification's user info, or a dictionary made like it: collections of objects, object IDs or
    /// URIs. URIs of stores that the coordinator doesn't have say nothing.
    init(_ userInfo: [AnyHashable: Any], coordinator: NSPersistentStoreCoordinator) {
        func ids(_ keys: String...) -> [NSManagedObjectID] {
            var ids: [NSManagedObjectID] = []
            for key in keys {
                guard let value = userInfo[key] else { continue }
                for element in Self.elements(of: value, key) {
                    if let id = Self.id(element, key: key, coordinator: coordinator) { ids.append(id) }
                }
            }
            return ids
        }
        inserted = ids(NSInsertedObjectsKey, NSInsertedObjectIDsKey)
        updated = ids(NSUpdatedObjectsKey, NSUpdatedObjectIDsKey)
        deleted = ids(NSDeletedObjectsKey, NSDeletedObjectIDsKey)
        refreshed = ids(
            NSRefreshedObjectsKey, NSRefreshedObjectIDsKey, NSInvalidatedObjectsKey,
            NSInvalidatedObjectIDsKey,
            NSInvalidatedAllObjectsKey)
    }

    private static func elements(of value: Any, _ key: String) -> [Any] {
        switch value {
        case let ids as Set<NSManagedObjectID>: return Array(ids)
        case let ids as [NSManagedObjectID]: return ids
        case let objects as Set<NSManagedObject>: return Array(objects)
        case let set as Set<AnyHashable>: return set.map(\.base)
        case let array as [Any]: return array
        case let set as NSSet: return set.allObjects
        case let set as NSOrderedSet: return set.array
        case let array as NSArray: return array.map { $0 }
        default:
            raise(.invalidArgument, "\"\(key)\" of changes to merge is no collection: \(type(of: value))")
        }
    }

    private static func id(
        _ element: Any, key: String, coordinator: NSPersistentStoreCoordinator
    ) -> NSManagedObjectID? {
        switch element {
        case let id as NSManagedObjectID: return id
        case let object as NSManagedObject: return object.objectID
        case let uri as URL: return coordinator.managedObjectID(forURIRepresentation: uri)
        case let uri as NSURL: return coordinator.managedObjectID(forURIRepresentation: uri as URL)
        default:
            raise(
                .invalidArgument,
                "\"\(key)\" of changes to merge holds a \(type(of: element)), not an object, an ID or a URI")
        }
    }
}
