// Tells hosts that somebody, in this process or another, saved to a file that they have open.

import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSupport
import Foundation
import Synchronization

/// The open stores that were added with `StoreOption.remoteChangeNotification`.
///
/// Saves of this process are announced as they happen. Those of others show in the file: its stamp is looked at ten
/// times a second, which works on every system, and only where it changed is SQLite asked whether another connection
/// wrote.
enum RemoteChanges {
    /// A store with its host, which holds it: as long as the one lives, the other may be asked.
    private struct Watched: Sendable {
        let store: SQLiteRowStore
        let host: any StoreHost
    }

    private struct Listener: Sendable {
        weak var host: (any StoreHost)?
        weak var store: SQLiteRowStore?
        let path: String
        var stamps: [FileStamp?]

        var watched: Watched? {
            guard let host, let store else { return nil }
            return Watched(store: store, host: host)
        }
    }

    private static let listeners = Mutex<[Listener]>([])
    /// Indicates whether a look at the files is to come.
    private static let isLooking = Atomic(false)
    /// Hosts are told here, where no lock of theirs is held.
    private static let queue = DispatchQueue(label: "coredata.remote-changes")
    private static let interval = DispatchTimeInterval.milliseconds(100)

    /// Called with the host's lock held.
    static func add(_ store: SQLiteRowStore) {
        guard let path = path(of: store) else { return }
        store.noteVersion()
        listeners.withLock { listeners in
            listeners.removeAll { $0.store == nil || $0.store === store }
            listeners.append(
                Listener(host: store.host, store: store, path: path, stamps: stamps(of: path)))
        }
        if !isLooking.exchange(true, ordering: .acquiringAndReleasing) { lookSoon() }
    }

    static func remove(_ store: SQLiteRowStore) {
        listeners.withLock { $0.removeAll { $0.store == nil || $0.store === store } }
    }

    /// Called once a store has written, with its host's lock held.
    static func announce(_ writer: SQLiteRowStore) {
        let listeners = listeners.withLock { $0 }
        guard !listeners.isEmpty, let path = path(of: writer) else { return }
        let others = listeners.filter { $0.path == path }.compactMap(\.watched)
        if others.isEmpty { return }
        let change = change(in: writer)
        let writer = ObjectIdentifier(writer)
        queue.async {
            for watched in others where !isKnown(to: watched, change: change, writer: writer) {
                tell(watched, change: change)
            }
        }
    }

    /// `true` if a store has found a save in the file already. By their transactions `tell` tells saves apart.
    private static func isKnown(
        to watched: Watched, change: RemoteChange, writer: ObjectIdentifier
    ) -> Bool {
        guard change.transaction == nil, ObjectIdentifier(watched.store) != writer else { return false }
        return watched.host.exclusively { !watched.store.wasWrittenByOthers() } ?? false
    }

    // MARK: Other processes

    private static func lookSoon() { queue.asyncAfter(deadline: .now() + interval) { look() } }

    /// Looks at all files, and again as long as somebody listens.
    private static func look() {
        let changed = listeners.withLock { listeners in
            listeners.removeAll { $0.store == nil }
            return listeners.indices.compactMap { number -> Watched? in
                let stamps = stamps(of: listeners[number].path)
                if stamps == listeners[number].stamps { return nil }
                listeners[number].stamps = stamps
                return listeners[number].watched
            }
        }
        for watched in changed { look(at: watched) }
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

    private static func look(at watched: Watched) {
        let news = watched.host.exclusively {
            watched.store.wasWrittenByOthers() ? change(in: watched.store) : nil
        }
        if let change = news ?? nil { tell(watched, change: change) }
    }

    /// The state of the file, by the last transaction of its history.
    private static func change(in store: SQLiteRowStore) -> RemoteChange {
        let identifier = store.metadata.uuid
        guard store.tracksHistory else { return RemoteChange(identifier: identifier, transaction: nil) }
        do {
            return RemoteChange(identifier: identifier, transaction: try store.lastTransaction())
        } catch {
            Log.warning("the history of \(identifier) can't be read to be announced: \(error)")
            return RemoteChange(identifier: identifier, transaction: nil)
        }
    }

    /// Runs on the queue. A transaction that the store's host has heard of isn't told again.
    private static func tell(_ watched: Watched, change: RemoteChange) {
        if let transaction = change.transaction,
            !watched.store.remoteWatch.withLock({ $0.isNew(transaction) })
        {
            return
        }
        watched.host.announce(change)
    }

    /// Returns the path that stores of one file have in common.
    private static func path(of store: SQLiteRowStore) -> String? {
        if store.isInMemory { return "memory \(ObjectIdentifier(store))" }
        return store.host.url?.standardizedFileURL.resolvingSymlinksInPath().path
    }
}

/// The change that a store's host has been told of.
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

extension SQLiteRowStore {
    /// Returns whether another connection has written since this was last asked. Called with the host's lock
    /// held.
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
