// Query generations: a transaction that goes on keeps a state of the database, and each read of a pinned context takes that state
// over (`pg_export_snapshot`, `SET TRANSACTION SNAPSHOT`), on whichever connection is free.

import CoreDataPostgreSQLEngine
package import CoreDataStores
import CoreDataSupport
import Foundation
import Synchronization

/// A state of a store, for all that hold it. The last of them ends the transaction.
///
/// Unchecked because the host's lock guards it; the last reference may go on any thread.
final class PostgreSQLSnapshot: ReadSnapshot, PostgreSQLRowSource, @unchecked Sendable {
    /// The connection whose transaction keeps the state. Nothing is read by it, as a statement that fails ends a transaction.
    private let keeper: ServerConnection
    /// The server's name of the state.
    private let name: String
    /// The transactions that are in it, as the server words them.
    let mark: String
    /// The store whose state it is. Asked through the store only, which then lives.
    private unowned let store: PostgreSQLRowStore
    private var isOver = false

    init(_ keeper: ServerConnection, of store: PostgreSQLRowStore) throws {
        (name, mark) = try keeper.exportSnapshot()
        self.keeper = keeper
        self.store = store
    }

    deinit { keeper.close() }

    /// The server ends transactions that go on for longer than it allows.
    var hasEnded: Bool { isOver || keeper.wasClosedByServer }

    func end() {
        isOver = true
        keeper.close()
    }

    func reading<Result>(_ body: (PostgreSQLTables) throws -> Result) throws -> Result {
        if hasEnded {
            end()
            throw StoreErrors.expiredSnapshot(store.host.url)
        }
        do {
            return try store.reading(asOf: name, body)
        } catch is EndedState {
            // The state ends before the connection does.
            end()
            throw StoreErrors.expiredSnapshot(store.host.url)
        }
    }

    /// Asks the server whether the state is still kept.
    func isKept() -> Bool {
        if !hasEnded, keeper.keepsState() { return true }
        end()
        return false
    }
}

/// The states of a store that somebody holds.
struct PostgreSQLSnapshots {
    private struct WeakSnapshot {
        weak var snapshot: PostgreSQLSnapshot?
    }

    private var snapshots: [WeakSnapshot] = []

    var living: [PostgreSQLSnapshot] { snapshots.compactMap(\.snapshot).filter { !$0.hasEnded } }

    mutating func add(_ snapshot: PostgreSQLSnapshot) {
        snapshots.removeAll { $0.snapshot == nil }
        snapshots.append(WeakSnapshot(snapshot: snapshot))
    }
}

extension PostgreSQLRowStore {
    package var keepsSnapshots: Bool { true }

    /// Keeps what the database holds now. Those that are made while no transaction ends share one.
    package func makeSnapshot() throws -> (any ReadSnapshot)? {
        guard let tables, let connect else { throw StoreErrors.removed(host.url) }
        return try mapping(.fetching) {
            let mark = try tables.connection().snapshotMark()
            if let last = snapshots.living.last, last.mark == mark, last.isKept() { return last }
            let keeper = try connect()
            do {
                let snapshot = try PostgreSQLSnapshot(keeper, of: self)
                snapshots.add(snapshot)
                return snapshot
            } catch {
                keeper.close()
                throw error
            }
        }
    }

    /// Runs the closure on tables as they were, on a connection of the pool's or, where none is free, of its own. The read can be
    /// stopped and interrupted like others.
    func reading<Result>(
        asOf name: String, _ body: (PostgreSQLTables) throws -> Result
    ) throws -> Result {
        guard let tables, let shape, let readers, let connect else { throw StoreErrors.removed(host.url) }
        return try mapping(.fetching) {
            let taken = try readers.take()
            let former = try taken ?? readingTables(shape)(connect())
            let connection = former.heldConnection
            let outer = snapshotReading.withLock { reading in
                defer { reading = UncheckedReference(connection) }
                return reading
            }
            defer {
                snapshotReading.withLock { $0 = outer }
                if taken == nil { former.close() } else { readers.giveBack(former) }
            }
            return try connection.stopping(like: tables.connection()) {
                try connection.onSnapshot(name) { try body(former) }
            }
        }
    }

    /// Ends all states: who holds them can't read any more.
    func endSnapshots() {
        for snapshot in snapshots.living { snapshot.end() }
    }
}
