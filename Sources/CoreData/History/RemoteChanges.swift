// Tells coordinators of this process that somebody saved to a file that they have open.

import CoreDataSupport
import Foundation
import Synchronization

/// The open stores that were added with `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
enum RemoteChanges {
    private struct Listener: Sendable {
        weak var store: SQLiteStore?
        let path: String
    }

    private static let listeners = Mutex<[Listener]>([])
    /// Observers run here, where no lock of a coordinator is held.
    private static let queue = DispatchQueue(label: "coredata.remote-changes")

    static func add(_ store: SQLiteStore) {
        guard let path = path(of: store) else { return }
        listeners.withLock { listeners in
            listeners.removeAll { $0.store == nil || $0.store === store }
            listeners.append(Listener(store: store, path: path))
        }
    }

    static func remove(_ store: SQLiteStore) {
        listeners.withLock { $0.removeAll { $0.store == nil || $0.store === store } }
    }

    /// Called once a store has written, with its coordinator's lock held.
    static func announce(_ writer: SQLiteStore) {
        let listeners = listeners.withLock { $0 }
        guard !listeners.isEmpty, let path = path(of: writer), let identifier = writer.identifier else {
            return
        }
        let stores = listeners.filter { $0.path == path }.compactMap(\.store)
        if stores.isEmpty { return }
        let token = token(after: writer, identifier)
        queue.async {
            for store in stores { post(store, identifier, token) }
        }
    }

    private static func token(after writer: SQLiteStore, _ identifier: String) -> NSPersistentHistoryToken? {
        guard writer.tracksHistory else { return nil }
        do {
            return try writer.lastTransaction().map { NSPersistentHistoryToken([identifier: $0]) }
        } catch {
            Log.warning("the history of \(identifier) can't be read to be announced: \(error)")
            return nil
        }
    }

    private static func post(
        _ store: SQLiteStore, _ identifier: String, _ token: NSPersistentHistoryToken?
    ) {
        guard let coordinator = store.persistentStoreCoordinator else { return }
        var info: [AnyHashable: Any] = [NSStoreUUIDKey: identifier]
        info[NSPersistentStoreURLKey] = store.url
        info[NSPersistentHistoryTokenKey] = token
        NotificationCenter.default.post(
            name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: info)
    }

    private static func path(of store: SQLiteStore) -> String? {
        store.url?.standardizedFileURL.resolvingSymlinksInPath().path
    }
}
