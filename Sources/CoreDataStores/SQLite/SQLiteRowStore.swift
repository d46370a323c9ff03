// The store in an SQLite file: its state, its life, and what it is able to do. The topics are in the `+` files.

package import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import CoreDataSupport
package import Foundation
import Synchronization

/// A store in an SQLite file in Apple's layout.
///
/// Unchecked because the host's lock guards everything that changes.
package final class SQLiteRowStore: RowStore, @unchecked Sendable {
    package static let type = StoreTypeName.sqlite

    unowned let host: any StoreHost
    /// `nil` before the store is opened and once it is closed.
    package private(set) var file: SQLiteFile?
    /// The options that the store was opened with.
    private var opening: StoreOpening?
    /// The entities that the file has a place for; `nil` for all of the model's.
    var placedEntities: Set<String>?
    /// The contents of Z_METADATA, with a client's changes since.
    package var metadata = StoreMetadata(uuid: "")
    package var hasChangedMetadata = false
    /// The rows that were written here lately, and whether anybody else has written at all
    /// (`SQLiteEngine.dataVersion`).
    var recentWrites = RecentWrites()
    private(set) var dataVersion: Int64?
    /// The readers for the time in which a save has the file.
    let readers = SQLiteReaders()
    /// The states of the file that are kept, and the connection of a read from one that is going on.
    var snapshots = SQLiteSnapshots()
    let snapshotReading = Mutex<UncheckedReference<Connection>?>(nil)
    /// Indicates whether the file has the tables of a persistent history.
    var keepsHistory = false
    /// Indicates whether saves write into them.
    var tracksHistory = false
    /// The number of the history's transaction that a save of this store wrote last.
    var latestTransaction: Int64?
    /// Indicates whether others' saves and its own are announced (`RemoteChanges`).
    var postsRemoteChanges = false
    let remoteWatch = Mutex(RemoteWatch())
    private let lookUpWatch = LookUpWatch()
    /// Reads without locks from the file that are going on, one inside the other.
    var readDepth = 0

    package init(host: any StoreHost) {
        self.host = host
    }

    var options: SQLiteStoreOptions { SQLiteStoreOptions(host.options) }

    // MARK: Life

    package func open(_ opening: StoreOpening) throws {
        self.opening = opening
        try mapping(.opening) {
            file = try openedFile(opening)
            try wasOpened()
        }
    }

    /// Opens the file anew, and leaves the former one to the caller.
    func openAgain() throws {
        guard let opening else { return }
        file = try openedFile(opening)
    }

    private func wasOpened() throws {
        dataVersion = try file?.engine.dataVersion()
        try permitLookUpRuns()
        try openReaders()
        if postsRemoteChanges { RemoteChanges.add(self) }
    }

    private func permitLookUpRuns() throws {
        guard let connection = file?.engine.connection else { return }
        try connection.permitLookUpRuns()
        connection.whenLookUpsBegin = { [unowned self] in lookUpWatch.note(self) }
    }

    package func endReads() { file?.engine.connection.endLookUps() }

    package func close() {
        readers.open(nil)
        endSnapshots()
        file?.engine.close()
        file = nil
        RemoteChanges.remove(self)
    }

    /// The place of the store doesn't matter while its file is open.
    package func hasMoved() {}

    package func reopen() throws {
        guard file != nil, let url = host.url, Self.holdsBytes(url) else {
            throw StoreErrors.removed(host.url)
        }
        let before = (file, metadata)
        do {
            try openAgain()
            endSnapshots()
            try permitLookUpRuns()
            try openReaders()
            before.0?.engine.close()
        } catch {
            (file, metadata) = before
            throw error
        }
    }

    package func move(_ publish: () throws -> Void) throws {
        guard let opening else { return }
        close()
        try publish()
        try open(opening)
    }

    // MARK: Abilities

    package static var files: (any StoreFiles.Type)? { SQLiteFiles.self }

    package static func recognizes(_ start: Data) -> Bool {
        start.starts(with: Data("SQLite format 3\0".utf8))
    }

    package static var migration: StoreMigration { .inPlace }
    package var savesBefore: Int { 0 }
    package var writesChangesOnly: Bool { true }
    package var readsOnAnyThread: Bool { true }
    package var keepsSnapshots: Bool { true }
    package var history: (any StoreHistory)? { self }
    package var inspection: (any StoreInspection)? { self }

    package func interrupt() {
        file?.engine.connection.interrupt()
        snapshotReading.withLock { $0?.value.interrupt() }
    }

    package func stopping<Result>(
        when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
    ) rethrows -> Result {
        guard let file else { return try body() }
        return try file.engine.connection.stopping(when: isCancelled, body)
    }

    // MARK: Errors

    /// The store may be read only: it was asked for, or follows from a history that nobody would write on.
    var readOnlyError: NSError {
        ErrorMapping.readOnly(host.url, keepsHistory: keepsHistory && !options.isReadOnly)
    }

    /// Runs the closure on the open file, to which it writes.
    func writing<Result>(_ body: (SQLiteFile) throws -> Result) throws -> Result {
        guard let file else { throw StoreErrors.removed(host.url) }
        if host.isReadOnly { throw readOnlyError }
        do {
            return try body(file)
        } catch {
            throw mapped(error, occasion: .saving)
        }
    }

    /// Gives the failures of a closure Apple's codes.
    func mapping<Result>(_ occasion: ErrorMapping.Occasion, body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch {
            throw mapped(error, occasion: occasion)
        }
    }

    /// The failure with Apple's codes.
    func mapped(_ error: any Error, occasion: ErrorMapping.Occasion) -> any Error {
        ErrorMapping.error(error, occasion: occasion, file: host.url, layout: file?.layout)
    }
}
