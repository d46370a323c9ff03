// The store in a PostgreSQL database: its state, its life, and what it is able to do.

import CoreDataPostgreSQLEngine
package import CoreDataSQL
import CoreDataSchema
package import CoreDataStores
import CoreDataSupport
package import Foundation
import Synchronization

/// A store whose rows are in tables of a server.
///
/// Unchecked because the host's lock guards everything that changes.
package final class PostgreSQLRowStore: RowStore, @unchecked Sendable {
    package static let type = "PostgreSQL"

    unowned let host: any StoreHost
    /// `nil` before the store is opened and once it is closed.
    private(set) var tables: PostgreSQLTables?
    /// The tables of reads beside saves, each with a connection and what it has prepared.
    private(set) var readers: ServerPool<PostgreSQLTables>?
    /// The replica, if the options name one.
    private(set) var replica: PostgreSQLReplica?
    /// The facts that readers share with the store.
    private(set) var shape: PostgreSQLStoreShape?
    var catalogue = PostgreSQLCatalogue(schemaOfTables: "public")
    package var metadata = StoreMetadata(uuid: "")
    package var hasChangedMetadata = false
    /// The settings for the store's history; `nil` while it isn't open.
    private(set) var tracking: PostgreSQLTracking?
    /// Tells of saves, where an option asks for it.
    private var remoteChanges: PostgreSQLRemoteChanges?
    /// Rows whose derived attributes the last save changed.
    var derivedRows = DerivedRows()
    /// Tells whether the store is still of the version that it was opened with; `nil` while it isn't open.
    private(set) var versions: PostgreSQLVersions?
    /// Opens another connection; `nil` while the store isn't open.
    private(set) var connect: (@Sendable () throws -> ServerConnection)?
    /// The states that are kept, and the connection of a read from one that is going on.
    var snapshots = PostgreSQLSnapshots()
    let snapshotReading = Mutex<UncheckedReference<ServerConnection>?>(nil)
    /// Tells of saves whose answer was lost; `nil` for a store that is only read.
    var doubts: SaveDoubts?
    /// The rows that were written here lately.
    var recentWrites = RecentWrites()
    /// The connection under the lock, for `interrupt`.
    private let interruptible = Mutex<UncheckedReference<PostgreSQLTables>?>(nil)

    package init(host: any StoreHost) {
        self.host = host
    }

    // MARK: Life

    package func open(_ opening: StoreOpening) throws {
        try mapping(.opening) {
            let options = PostgreSQLOptions(host.options)
            let address = try options.address(at: host.url)
            host.isReadOnly = options.isReadOnly
            let isLaidOver = try Self.isLaidOver(opening)
            let connect = { @Sendable in try options.connection(to: address, isLaidOver: isLaidOver) }
            let connection = try connect()
            let shape: PostgreSQLStoreShape
            let tracking: PostgreSQLTracking
            do {
                let blueprint = try prepared(connection, for: opening, options: options)
                let existing =
                    isLaidOver ? try connection.existingTables(in: connection.schemaOfTables()) : [:]
                shape = try PostgreSQLStoreShape(opening.model, blueprint, existing: existing)
                tracking = try openedHistory(connection, options: options, shape: shape)
                if !host.isReadOnly { doubts = try preparedDoubts(connection) }
                remoteChanges = try PostgreSQLRemoteChanges(
                    self, options: options, tracking: tracking, connect: connect)
            } catch {
                connection.close()
                throw error
            }
            let versions = PostgreSQLVersions(opening, url: host.url, connect: connect)
            (self.versions, self.connect) = (versions, connect)
            let tables = PostgreSQLTables(shape, host: host, connection: connection) {
                try options.holdsOpen ? versions.connected() : connect()
            }
            if !options.keepsStatements { tables.versions = versions }
            tables.tracking = tracking
            tables.lockTimeout = options.lockTimeout.map { SQLStatement("SET LOCAL lock_timeout = \($0)") }
            (self.tables, self.shape, self.tracking) = (tables, shape, tracking)
            interruptible.withLock { $0 = UncheckedReference(tables) }
            let read = readingTables(shape)
            readers = ServerPool(limit: options.readerLimit) { read(try connect()) }
            replica = try options.replica(isLaidOver: isLaidOver, make: read)
            host.hasOpened(host.url.flatMap(Self.place))
        }
    }

    /// Returns whether the model states the tables.
    private static func isLaidOver(_ opening: StoreOpening) throws -> Bool {
        try LayoutBuilder.blueprint(for: opening.model.index, form: .postgreSQL).statesTables
    }

    /// The saves whose answer may get lost, with the table for their marks.
    private func preparedDoubts(_ connection: ServerConnection) throws -> SaveDoubts {
        let marks = SaveMarks(in: catalogue.schema)
        try connection.prepareMarks(marks, in: catalogue)
        return SaveDoubts(marks)
    }

    /// Makes tables that are only read, by a connection that isn't replaced when it is lost.
    func readingTables(
        _ shape: PostgreSQLStoreShape
    ) -> @Sendable (ServerConnection) -> PostgreSQLTables {
        { [unowned host = self.host] connection in
            PostgreSQLTables(shape, host: host, connection: connection) {
                throw ServerFailure(.connection, message: "The connection was lost.")
            }
        }
    }

    package func close() {
        interruptible.withLock { $0 = nil }
        remoteChanges?.stop()
        endSnapshots()
        readers?.close()
        replica?.close()
        tables?.close()
        (tables, readers, shape, tracking, remoteChanges, replica) = (nil, nil, nil, nil, nil, nil)
        (versions, connect) = (nil, nil)
        doubts = nil
    }

    /// The place of the store doesn't matter while it is open.
    package func hasMoved() {}

    // MARK: Abilities

    package static func place(of url: URL) -> StorePlace? { StorePlace(named: url.absoluteString) }

    package static func checkPlace(_ url: URL?) throws {
        _ = try mapping(url, occasion: .opening) { try PostgreSQLOptions.address(in: url) }
    }

    package static var migration: StoreMigration { .inPlace }
    package var inspection: (any StoreInspection)? { self }
    package var savesBefore: Int { 0 }
    package var writesChangesOnly: Bool { true }
    package var readsOnAnyThread: Bool { true }

    package func interrupt() {
        interruptible.withLock { $0?.value.interrupt() }
        snapshotReading.withLock { $0?.value.cancel() }
    }

    package func stopping<Result>(
        when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
    ) rethrows -> Result {
        guard let tables else { return try body() }
        return try tables.stopping(when: isCancelled, body)
    }

    // MARK: Errors

    /// Runs the closure on the tables, to which it writes.
    func writing<Result>(_ body: (PostgreSQLTables) throws -> Result) throws -> Result {
        guard let tables else { throw StoreErrors.removed(host.url) }
        if host.isReadOnly { throw ErrorMapping.readOnly(host.url, keepsHistory: tracking?.isKept ?? false) }
        return try mapping(.saving) { try body(tables) }
    }

    /// Gives the failures of a closure Apple's codes.
    func mapping<Result>(_ occasion: ErrorMapping.Occasion, body: () throws -> Result) throws -> Result {
        try Self.mapping(host.url, occasion: occasion) {
            do {
                return try body()
            } catch let failure as ServerFailure where failure.kind == .unique {
                throw shape.flatMap {
                    PostgreSQLErrors.constraint(failure, indexes: $0.indexes, url: host.url)
                }
                    ?? failure
            } catch let failure as ServerFailure where failure.kind == .schema {
                // The tables aren't what they were.
                try versions?.check()
                throw failure
            }
        }
    }

    static func mapping<Result>(
        _ url: URL?, occasion: ErrorMapping.Occasion, body: () throws -> Result
    ) throws -> Result {
        do {
            return try body()
        } catch let failure as ServerFailure {
            throw PostgreSQLErrors.error(failure, occasion: occasion, url: url)
        } catch let doubt as UncertainCommit {
            throw PostgreSQLErrors.error(doubt.failure, occasion: occasion, url: url)
        } catch {
            throw ErrorMapping.error(error, occasion: occasion, file: url)
        }
    }
}
