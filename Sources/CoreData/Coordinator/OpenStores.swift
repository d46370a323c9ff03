// The stores that are open in this process, in whichever coordinator, and how they are taken out of it.

import CoreDataStores
import CoreDataSupport
import Foundation
import Synchronization

/// The open stores of engines that can tell where they are: links and other paths lead to the same place.
enum OpenStores {
    private struct Entry: Sendable {
        weak var coordinator: NSPersistentStoreCoordinator?
        let store: ObjectIdentifier
        let place: StorePlace
    }

    private static let entries = Mutex<[Entry]>([])

    /// Called when a store has opened what is at its place.
    static func add(_ store: NSPersistentStore, at place: StorePlace?) {
        guard let place else { return }
        let entry = Entry(
            coordinator: store.persistentStoreCoordinator, store: ObjectIdentifier(store), place: place)
        entries.withLock { entries in
            entries.removeAll { $0.coordinator == nil || $0.store == entry.store }
            entries.append(entry)
        }
    }

    /// Called when a store has closed it.
    static func remove(_ store: NSPersistentStore) {
        let store = ObjectIdentifier(store)
        entries.withLock { entries in entries.removeAll { $0.coordinator == nil || $0.store == store } }
    }

    /// The stores that have a place open, with their coordinators.
    static func at(
        _ place: StorePlace
    ) -> [(coordinator: NSPersistentStoreCoordinator, store: NSPersistentStore)] {
        let found = entries.withLock { $0.filter { $0.place == place } }
        return found.compactMap { entry in
            guard let coordinator = entry.coordinator,
                let store = coordinator.persistentStores.first(where: { ObjectIdentifier($0) == entry.store })
            else { return nil }
            return (coordinator, store)
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// Removes the store at a URL from this coordinator, and from all coordinators of the process if its engine knows who has it open.
    ///
    /// Takes the locks of coordinators one after the other and never waits for one without end: the caller may hold the
    /// lock of its own, and the thread that holds the other one may be waiting for that.
    final func removeStores(at url: URL, waiting seconds: Double) throws {
        let end = Date(timeIntervalSinceNow: min(seconds, 1e9))
        if let store = persistentStore(for: url) { try remove(store, before: end) }
        let places = Set(StoreRegistry.classes.values.compactMap { $0.place(of: url) })
        for (coordinator, store) in places.flatMap(OpenStores.at) {
            try coordinator.remove(store, before: end)
        }
    }

    /// Removes a store as `remove(_:)` does, unless it is gone already.
    private final func remove(_ store: NSPersistentStore, before end: Date) throws {
        guard mutex.lock(before: end) else {
            throw CoreDataError.make(
                NSPersistentStoreTimeoutError,
                description: "The persistent store is in use and can't be removed.",
                file: store.url, reason: "Another coordinator of this process is at work on the store.")
        }
        mutex.unlock()
        do {
            try remove(store)
        } catch {
            // Another thread may have removed it meanwhile.
            if persistentStores.contains(store) { throw error }
        }
    }
}
