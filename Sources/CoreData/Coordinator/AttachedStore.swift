// The stores of a coordinator, and which of them are asked for an entity.

import CoreDataSchema
import Foundation
import Synchronization

/// A store that a coordinator no longer has.
struct DepartedStore {
    weak var store: NSPersistentStore?
}

/// A store of a coordinator, with the entities that its configuration gives it.
struct AttachedStore: Sendable {
    let store: NSPersistentStore
    /// Numbers of the entities (`ManagedEntity.number`) whose objects the store may hold.
    let entities: Set<Int>

    /// Returns whether a fetch for the entity may find something here: the entity itself or one below it.
    func mayHold(_ entity: ManagedEntity) -> Bool {
        entities.contains(entity.number) || entity.subtree.contains(where: entities.contains)
    }
}

extension NSPersistentStoreCoordinator {
    // MARK: Requests of contexts

    /// The stores that may hold objects of the entity or of those below it, restricted to a request's stores.
    final func stores(for entity: ManagedEntity, affected: [NSPersistentStore]? = nil) -> [NSPersistentStore]
    {
        known.withLock { known in
            known.compactMap { entry in
                guard entry.mayHold(entity) else { return nil }
                if let affected, !affected.contains(where: { $0 === entry.store }) { return nil }
                return entry.store
            }
        }
    }

    /// Returns the store for a new object of the entity: the first store that may hold it and can be written.
    /// `nil` if there is none; a read-only one if there are only such, so that the save says so.
    final func store(forNew entity: ManagedEntity) -> NSPersistentStore? {
        known.withLock { known in
            let candidates = known.filter { $0.entities.contains(entity.number) }
            return (candidates.first { !$0.store.isReadOnly } ?? candidates.first)?.store
        }
    }

    /// Returns whether the store may hold objects of the entity.
    final func store(_ store: NSPersistentStore, mayHold entity: ManagedEntity) -> Bool {
        known.withLock { $0.contains { $0.store === store && $0.entities.contains(entity.number) } }
    }

    /// The store whose object IDs carry this `NSStoreUUID`.
    final func store(identifier: String) -> NSPersistentStore? {
        withLock {
            attached.first { ($0.store.identifier ?? "").caseInsensitiveCompare(identifier) == .orderedSame }?
                .store
        }
    }
}
