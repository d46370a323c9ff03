// Tells coordinators that somebody, in this process or another, saved to a file that they have open.

import CoreDataSQLiteEngine
import CoreDataStores
import CoreDataSupport
import Foundation
import Synchronization

/// The open stores that were added with `NSPersistentStoreRemoteChangeNotificationPostOptionKey`.
///
/// Saves of this process are announced as they happen. Those of others show in the file: its stamp is looked at ten
/// times a second, which works on every system, and only where it changed is SQLite asked whether another connection
/// wrote.
enum RemoteChanges {
    private struct Listener: Sendable {
        weak var store: SQLiteStore?
        let path: String
        var stamps: [FileStamp?]
    }

    private static let listeners = Mutex<[Listener]>([])
    /// Whether a look at the files is to come.
    private static let isLooking = Atomic(false)
    /// Observers run here, where no lock of a coordinator is held.
    private static let queue = DispatchQueue(label: "coredata.remote-changes")
    private static let interval = DispatchTimeInterval.milliseconds(100)

    /// Called with the coordinator's lock held.
    static func add(_ store: SQLiteStore) {
        guard let path = path(of: store) else { return }
        store.noteVersion()
        listeners.withLock { listeners in
            listeners.removeAll { $0.store == nil || $0.store === store }
            listeners.append(Listener(store: store, path: path, stamps: stamps(of: path)))
        }
        if !isLooking.exchange(true, ordering: .acquiringAndReleasing) { lookSoon() }
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
        let (transaction, writer) = (transaction(of: writer), ObjectIdentifier(writer))
        queue.async {
            for store in stores where !isKnown(to: store, transaction, writer) {
                post(store, identifier, transaction)
            }
        }
    }

    /// `true` if a store has found a save in the file already. By their transactions `post` tells saves apart.
    private static func isKnown(to store: SQLiteStore, _ transaction: Int64?, _ writer: ObjectIdentifier)
        -> Bool
    {
        guard transaction == nil, ObjectIdentifier(store) != writer,
            let coordinator = store.persistentStoreCoordinator
        else { return false }
        return !coordinator.withLock { store.wasWrittenByOthers() }
    }

    // MARK: Other processes

    private static func lookSoon() { queue.asyncAfter(deadline: .now() + interval) { look() } }

    /// Looks at all files, and again as long as somebody listens.
    private static func look() {
        let changed = listeners.withLock { listeners in
            listeners.removeAll { $0.store == nil }
            return listeners.indices.compactMap { number -> SQLiteStore? in
                let stamps = stamps(of: listeners[number].path)
                if stamps == listeners[number].stamps { return nil }
                listeners[number].stamps = stamps
                return listeners[number].store
            }
        }
        for store in changed { tell(store) }
        let goesOn = listeners.withLock { listeners in
            if listeners.isEmpty { isLooking.store(false, ordering: .releasing) }
            return !listeners.isEmpty
        }
        if goesOn { lookSoon() }
    }

    /// The database's and its log's.
    private static func stamps(of path: String) -> [FileStamp?] {
        [path, path + "-wal"].map { FileStamp(path: $0) }
    }

    private static func tell(_ store: SQLiteStore) {
        guard let coordinator = store.persistentStoreCoordinator else { return }
        let news = coordinator.withLock { () -> (identifier: String, transaction: Int64?)? in
            guard store.wasWrittenByOthers(), let identifier = store.identifier else { return nil }
            return (identifier, transaction(of: store))
        }
        if let news { post(store, news.identifier, news.transaction) }
    }

    /// The last transaction of the file's history.
    private static func transaction(of store: SQLiteStore) -> Int64? {
        guard store.tracksHistory else { return nil }
        do {
            return try store.lastTransaction()
        } catch {
            Log.warning("the history of \(store.identifier ?? "") can't be read to be announced: \(error)")
            return nil
        }
    }

    /// Runs on the queue. A transaction that the store's coordinator has heard of isn't told again.
    private static func post(_ store: SQLiteStore, _ identifier: String, _ transaction: Int64?) {
        guard let coordinator = store.persistentStoreCoordinator else { return }
        if let transaction, !store.remoteWatch.withLock({ $0.isNew(transaction) }) { return }
        var info: [AnyHashable: Any] = [NSStoreUUIDKey: identifier]
        info[NSPersistentStoreURLKey] = store.url
        info[NSPersistentHistoryTokenKey] = transaction.map { NSPersistentHistoryToken([identifier: $0]) }
        NotificationCenter.default.post(
            name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: info)
    }

    /// What stores of one file have in common.
    private static func path(of store: SQLiteStore) -> String? {
        if store.isInMemory { return "memory \(ObjectIdentifier(store))" }
        return store.url?.standardizedFileURL.resolvingSymlinksInPath().path
    }
}

/// What a store's coordinator has been told of.
struct RemoteWatch: Sendable {
    /// `SQLiteEngine.dataVersion` when it was last compared.
    var version: Int64?
    private var transaction: Int64 = 0

    mutating func isNew(_ transaction: Int64) -> Bool {
        if transaction <= self.transaction { return false }
        self.transaction = transaction
        return true
    }
}

extension SQLiteStore {
    /// Whether another connection has written since this was last asked. Called with the coordinator's lock held.
    fileprivate func wasWrittenByOthers() -> Bool {
        guard let file else { return false }
        do {
            let isFresh = try refreshReading()
            let version = try (self.file ?? file).engine.dataVersion()
            return remoteWatch.withLock { watch in
                defer { watch.version = version }
                return isFresh || watch.version != version
            }
        } catch {
            Log.warning("\(file.engine.path) can't be asked for changes of others: \(error)")
            return false
        }
    }

    /// From here on, what others write is news.
    fileprivate func noteVersion() { _ = wasWrittenByOthers() }
}
