// The place of a store in the file system.

import CoreDataSQLiteEngine
package import Foundation

/// A store's file, and the options that a client gave for it.
package struct StoreLocation {
    /// The file that the client's URL leads to, through symbolic links.
    package let url: URL
    package let options: [AnyHashable: Any]?

    /// Seconds to wait for others where the options don't say. A process that has a store open will
    /// hardly let go of it soon.
    private static let timeout = 10.0

    package init(url: URL, options: [AnyHashable: Any]? = nil) {
        self.url = Self.target(of: url)
        self.options = options
    }

    /// The file that a URL leads to, through symbolic links.
    package static func target(of url: URL) -> URL {
        url.isFileURL ? URL(fileURLWithPath: SQLiteEngine.target(of: url.path)) : url
    }

    /// Seconds to wait for others who have the store open.
    package var timeout: Double {
        guard let timeout = options?[StoreOption.timeout] else { return Self.timeout }
        return StoreOption.number(timeout) ?? SQLiteStoreOptions.defaultTimeout
    }

    /// Indicates whether a file can be there: `/dev/null`, and what is below it, stands for stores in memory.
    package var canHaveFile: Bool {
        url.isFileURL && url.path != "/dev/null" && !url.path.hasPrefix("/dev/null/")
    }

    package var hasFile: Bool { canHaveFile && FileManager.default.fileExists(atPath: url.path) }

    /// The same options at another place.
    package func moved(to url: URL) -> StoreLocation { StoreLocation(url: url, options: options) }
}
