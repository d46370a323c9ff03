// The options of an SQLite store, out of the dictionary that clients give.

package import CoreDataSQL
package import CoreDataSQLiteEngine
import Foundation

/// The options of `addPersistentStore(…options:)` for an SQLite store.
package struct SQLiteStoreOptions {
    /// Seconds to wait for a lock when the options don't say: as long as a store description does.
    package static let defaultTimeout = 240.0

    /// The limit of stores whose options don't say: 256 MiB.
    package static let defaultLogLimit: UInt64 = 256 << 20

    package var isReadOnly: Bool
    /// Seconds to wait for a lock of another process.
    package var timeout: Double
    /// In the order of their names.
    package var pragmas: [(name: String, value: String)]
    /// Asks to rewrite the file once, without gaps.
    package var vacuums: Bool
    /// Asks for SQLite's statistics about its indexes.
    package var analyzes: Bool
    /// Bytes that the write-ahead log may grow by for the sake of read snapshots.
    package var snapshotLogLimit: UInt64

    /// Indicates whether saves are written into the store's history.
    package var tracksHistory: Bool
    /// Indicates whether saves of anybody to the file are announced.
    package var postsRemoteChanges: Bool

    /// The relationships that are to name the join tables inside one entity, if the store is new.
    package var joinOwners: Set<PropertyAddress>
    /// Indicates whether nothing need last before the file is published.
    package var isDraft: Bool
    /// Indicates whether a new store has no fetch indexes until it is told to make them.
    package var leavesOutFetchIndexes: Bool

    package init(_ options: [AnyHashable: Any]?) {
        let options = options ?? [:]
        joinOwners = options[StoreOption.joinOwners] as? Set<PropertyAddress> ?? []
        isDraft = StoreOption.flag(options[StoreOption.isDraft])
        leavesOutFetchIndexes = StoreOption.flag(options[StoreOption.leavesOutFetchIndexes])
        isReadOnly = StoreOption.flag(options[StoreOption.readOnly])
        vacuums = StoreOption.flag(options[StoreOption.sqliteManualVacuum])
        analyzes = StoreOption.flag(options[StoreOption.sqliteAnalyze])
        timeout = StoreOption.number(options[StoreOption.timeout]) ?? Self.defaultTimeout
        snapshotLogLimit =
            StoreOption.number(options[StoreOption.snapshotLogLimit]).flatMap {
                UInt64(exactly: $0.rounded())
            } ?? Self.defaultLogLimit
        let tracking = options[StoreOption.historyTracking]
        tracksHistory =
            tracking is NSDictionary || tracking is [AnyHashable: Any] || StoreOption.flag(tracking)
        postsRemoteChanges = StoreOption.flag(options[StoreOption.remoteChangeNotification])
        pragmas = Self.pragmas(options[StoreOption.sqlitePragmas])
    }

    /// Returns the options by which the engine opens the file.
    package func opening(_ mode: Connection.Mode) -> OpeningOptions {
        var opening = OpeningOptions(mode)
        opening.pragmas = mode == .readOnly ? [] : pragmas
        if isDraft, mode != .readOnly { opening.pragmas.append((name: "synchronous", value: "OFF")) }
        opening.busyMilliseconds = Int32(
            clamping: Int64((timeout.isFinite ? max(0, min(timeout, 2e6)) : 2e6) * 1000))
        return opening
    }

    private static func pragmas(_ value: Any?) -> [(name: String, value: String)] {
        var pragmas: [(name: String, value: String)] = []
        if let values = value as? [String: Any] {
            pragmas = values.map { ($0.key, "\($0.value)") }
        } else if let values = value as? NSDictionary {
            pragmas = values.map { ("\($0.key)", "\($0.value)") }
        }
        return pragmas.sorted { $0.name < $1.name }
    }
}
