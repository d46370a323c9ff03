// The options that stores are added with: Apple's names, and how their values are read.

import Foundation

/// Keys of a store's options.
package enum StoreOption {
    package static let readOnly = "NSReadOnlyPersistentStoreOption"
    package static let ignoresVersions = "NSIgnorePersistentStoreVersioningOption"
    package static let forceDestroy = "NSPersistentStoreForceDestroyOption"
    package static let timeout = "NSPersistentStoreTimeoutOption"
    package static let historyTracking = "NSPersistentHistoryTrackingKey"
    package static let remoteChangeNotification = "NSPersistentStoreRemoteChangeNotificationOptionKey"
    package static let sqliteAnalyze = "NSSQLiteAnalyzeOption"
    package static let sqliteManualVacuum = "NSSQLiteManualVacuumOption"
    package static let sqlitePragmas = "NSSQLitePragmasOption"
    /// An option of ours: bytes by which a log may grow for the sake of read snapshots.
    package static let snapshotLogLimit = "CoreDataQueryGenerationLogLimit"
    /// An option of ours for migrations, which make a store in place of another: the relationships that are to name the join
    /// tables inside one entity.
    package static let joinOwners = "OpenCoreData_JoinTableOwners"
    /// An option of ours for stores that are written as drafts: what is written need not last before the draft is published,
    /// which writes it through.
    package static let isDraft = "OpenCoreData_Draft"
    /// An option of ours for new stores that get many rows: their fetch indexes are left out until `makeFetchIndexes()`.
    package static let leavesOutFetchIndexes = "OpenCoreData_FetchIndexesLater"

    /// Indicates whether an option is set.
    package static func flag(_ value: Any?) -> Bool {
        switch value {
        case let flag as Bool: flag
        case let number as NSNumber: number.boolValue
        case let text as String: ["yes", "true", "1"].contains(text.lowercased())
        default: false
        }
    }

    /// The number that an option is, if it is one.
    package static func number(_ value: Any?) -> Double? {
        switch value {
        case let number as NSNumber: number.doubleValue
        case let number as Double: number
        case let number as Int: Double(number)
        case let text as String: Double(text)
        default: nil
        }
    }
}
