// Saves of others, in this process or on any host: the server tells of them (`NOTIFY`), or is asked from time to time.

import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataStores
import CoreDataSupport
import Dispatch
import Foundation
import Synchronization

/// Tells a store's host of saves to the store, on a connection of its own. A queue waits for it, no thread.
///
/// Unchecked because its queue guards everything that changes.
final class PostgreSQLRemoteChanges: @unchecked Sendable {
    /// Seconds until a lost connection is made anew.
    private static let reconnection = 1.0
    /// Seconds until a transaction is looked for again that others before it hide; then twice as many, up to the last.
    private static let delays = (first: 0.05, last: 1.0)

    private let queue = DispatchQueue(label: "coredata.postgresql.changes")
    private weak var host: (any StoreHost)?
    private weak var store: PostgreSQLRowStore?
    private let connect: @Sendable () throws -> ServerConnection
    private let tracking: PostgreSQLTracking
    private let interval: Double?
    private let isStopped = Mutex(false)
    private var connection: ServerConnection?
    private var source: (any DispatchSourceRead)?
    /// The last transaction that was told of, and the last that the server told of.
    private var known: Int64 = 0
    private var awaited: Int64 = 0
    private var isWaiting = false

    /// Connects. `nil` if no option asks for it.
    init?(
        _ store: PostgreSQLRowStore, options: PostgreSQLOptions, tracking: PostgreSQLTracking,
        connect: @escaping @Sendable () throws -> ServerConnection
    ) throws {
        guard options.postsRemoteChanges else { return nil }
        if options.remoteChangeInterval != nil, !tracking.isKept {
            throw CoreDataError.make(
                ErrorCode.open, description: ErrorMapping.Occasion.opening.sentence, file: store.host.url,
                reason: "Looking for others' saves needs NSPersistentHistoryTrackingKey.")
        }
        host = store.host
        self.store = store
        self.connect = connect
        self.tracking = tracking
        interval = options.remoteChangeInterval.map { max(0.01, $0) }
        connection = try listening()
        known = try connection.map(lastTransaction) ?? 0
        queue.async { [weak self] in self?.watch() }
    }

    /// For any thread, also amid a notification.
    func stop() {
        isStopped.withLock { $0 = true }
        queue.async { self.disconnect() }
    }

    private var goesOn: Bool { !isStopped.withLock { $0 } }

    // MARK: The connection

    private func listening() throws -> ServerConnection {
        let connection = try connect()
        if interval == nil { try connection.run(tracking.history.listening) }
        return connection
    }

    private func disconnect() {
        if let source {
            // Its handler closes the connection.
            source.cancel()
        } else {
            connection?.close()
        }
        (source, connection) = (nil, nil)
    }

    /// Waits for what comes, or for the next time to ask.
    private func watch() {
        guard goesOn, let connection, let socket = connection.socket else { return }
        if let interval { return repeatLook(after: interval) }
        let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
        source.setEventHandler { [weak self] in self?.hear() }
        source.setCancelHandler { connection.close() }
        source.resume()
        self.source = source
    }

    private func repeatLook(after interval: Double) {
        queue.asyncAfter(deadline: .now() + interval) { [weak self] in
            guard let self, goesOn, connection != nil else { return }
            look()
            watch()
        }
    }

    private func reconnect(for failure: any Error) {
        disconnect()
        if !goesOn { return }
        Log.warning("others' saves aren't noticed until the connection is made anew: \(reason(failure))")
        reconnectLater()
    }

    private func reconnectLater() {
        queue.asyncAfter(deadline: .now() + Self.reconnection) { [weak self] in
            guard let self, goesOn else { return }
            do {
                connection = try listening()
            } catch {
                return reconnectLater()
            }
            // Saves meanwhile weren't told of.
            if tracking.isKept { look() } else { tell(nil) }
            watch()
        }
    }

    private func reason(_ failure: any Error) -> String {
        (failure as? ServerFailure)?.message ?? "\(failure)"
    }

    // MARK: Saves

    private func hear() {
        guard goesOn, let connection else { return }
        while true {
            let texts = connection.takeAnnouncements()
            if texts.isEmpty { break }
            if tracking.isKept {
                awaited = max(awaited, texts.compactMap { Int64($0) }.max() ?? 0)
                look()
            } else {
                tell(nil)
            }
        }
        if self.connection === connection, connection.wasClosedByServer {
            reconnect(for: ServerFailure(.connection, message: "The server closed the connection."))
        }
    }

    private func lastTransaction(_ connection: ServerConnection) throws -> Int64 {
        if !tracking.isKept { return 0 }
        return try connection.readHistory(tracking.history) {
            try connection.lastTransaction(tracking.history, position: $0)
        }
    }

    /// Looks how far the history has got.
    private func look(waiting pause: Double = delays.first) {
        guard goesOn, let connection else { return }
        do {
            let last = try lastTransaction(connection)
            if last > known {
                known = last
                tell(last)
            }
        } catch {
            if connection.isBroken { return reconnect(for: error) }
            Log.warning("the history can't be read to be announced: \(reason(error))")
        }
        // A transaction that began earlier goes on: nobody tells of its end.
        if awaited > known, !isWaiting { lookAgain(after: pause) }
    }

    private func lookAgain(after pause: Double) {
        isWaiting = true
        queue.asyncAfter(deadline: .now() + pause) { [weak self] in
            guard let self else { return }
            isWaiting = false
            if awaited > known { look(waiting: min(pause * 2, Self.delays.last)) }
        }
    }

    private func tell(_ transaction: Int64?) {
        guard goesOn, let host, let store else { return }
        guard let identifier = host.exclusively({ store.metadata.uuid }) else { return }
        host.announce(RemoteChange(identifier: identifier, transaction: transaction))
    }
}
