// The options of an SQLite store, out of the dictionary that clients give.

import CoreDataSQL
import CoreDataSQLiteEngine
import Foundation

/// What `addPersistentStore(…options:)` says about an SQLite store.
struct SQLiteStoreOptions {
    /// Seconds to wait for a lock when the options don't say: as long as a store description does.
    static let defaultTimeout = 240.0

    var isReadOnly: Bool
    /// Whether a store is opened whatever the version hashes say.
    var ignoresVersions: Bool
    /// Seconds to wait for a lock of another process.
    var timeout: Double
    /// In the order of their names.
    var pragmas: [(name: String, value: String)]
    /// Whether to rewrite the file once, without gaps.
    var vacuums: Bool
    /// Whether to have SQLite count what its indexes hold.
    var analyzes: Bool
    /// Bytes that the write-ahead log may grow by for the sake of query generations.
    var generationLogLimit: UInt64

    /// Whether saves are written into the store's history.
    var tracksHistory: Bool
    /// Whether saves of anybody to the file are announced.
    var postsRemoteChanges: Bool

    /// The relationships that are to name the join tables inside one entity, if the store is new: an option of ours for
    /// migrations, which make a store in place of another.
    var joinOwners: Set<PropertyAddress>
    static let joinOwnersOption = "OpenCoreData_JoinTableOwners"

    init(_ options: [AnyHashable: Any]?) {
        let options = options ?? [:]
        joinOwners = options[Self.joinOwnersOption] as? Set<PropertyAddress> ?? []
        isReadOnly = Self.flag(options[NSReadOnlyPersistentStoreOption])
        ignoresVersions = Self.flag(options[NSIgnorePersistentStoreVersioningOption])
        vacuums = Self.flag(options[NSSQLiteManualVacuumOption])
        analyzes = Self.flag(options[NSSQLiteAnalyzeOption])
        timeout = Self.number(options[NSPersistentStoreTimeoutOption]) ?? Self.defaultTimeout
        generationLogLimit =
            Self.number(options[NSQueryGenerationToken.logLimitOption]).flatMap {
                UInt64(exactly: $0.rounded())
            }
            ?? UInt64(NSQueryGenerationToken.defaultLogLimit)
        let tracking = options[NSPersistentHistoryTrackingKey]
        tracksHistory = tracking is NSDictionary || tracking is [AnyHashable: Any] || Self.flag(tracking)
        postsRemoteChanges = Self.flag(options[NSPersistentStoreRemoteChangeNotificationPostOptionKey])
        pragmas = Self.pragmas(options[NSSQLitePragmasOption])
    }

    /// How the engine opens the file.
    func opening(_ mode: Connection.Mode) -> OpeningOptions {
        var opening = OpeningOptions(mode)
        opening.pragmas = mode == .readOnly ? [] : pragmas
        opening.busyMilliseconds = Int32(
            clamping: Int64((timeout.isFinite ? max(0, min(timeout, 2e6)) : 2e6) * 1000))
        return opening
    }

    static func flag(_ value: Any?) -> Bool {
        switch value {
        case let flag as Bool: flag
        case let number as NSNumber: number.boolValue
        case let text as String: ["yes", "true", "1"].contains(text.lowercased())
        default: false
        }
    }

    private static func number(_ value: Any?) -> Double? {
        switch value {
        case let number as NSNumber: number.doubleValue
        case let number as Double: number
        case let number as Int: Double(number)
        case let text as String: Double(text)
        default: nil
        }
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
