// A store that is open finds out that somebody else migrated its file, or put another in its place.

import CoreDataSQL
package import CoreDataSQLiteEngine
package import Foundation

/// Looks at a file again whenever another connection has written to it.
package final class FileWatch {
    /// The engine's closure holds the watch.
    private unowned let engine: SQLiteEngine
    private let versions: VersionCheck
    private let url: URL?
    /// The store's identity, unless a client is about to change it.
    private let identifier: () -> String?
    /// The engine's data version when the file was last found to be of the model.
    private var checked: Int64
    /// Indicates that nobody can migrate the file while it is open: the locks of a
    /// write-ahead log show who has.
    package let keepsOthersOut: Bool

    package init(
        _ engine: SQLiteEngine, versions: VersionCheck, url: URL?, identifier: @escaping () -> String?
    ) throws {
        self.identifier = identifier
        self.engine = engine
        self.versions = versions
        self.url = url
        checked = try engine.dataVersion()
        keepsOthersOut = try engine.usesLog()
    }

    /// Throws if the file was removed, if another one is in its place, or if it is of another version of the model.
    package func check() throws {
        if try engine.hasMoved() { throw Self.replaced(url) }
        let current = try engine.dataVersion()
        if current == checked { return }
        let metadata = try engine.metadata(of: url)
        try versions.check(metadata, file: url)
        if let identifier = identifier(), identifier != metadata.uuid { throw Self.replaced(url) }
        checked = current
    }

    private static func replaced(_ url: URL?) -> NSError {
        CoreDataError.make(
            NSFileReadNoSuchFileError,
            description: "The persistent store's file is not the one that was opened.",
            file: url,
            reason: "It was removed, or another store was put in its place, while the store was in use.")
    }
}
