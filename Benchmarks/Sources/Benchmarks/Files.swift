// Files of single rounds.

import Foundation

enum Files {
    /// A file that isn't there yet.
    static func fresh(_ folder: URL) -> URL {
        folder.appendingPathComponent("\(UUID().uuidString).sqlite")
    }

    /// Removes a database with what SQLite keeps beside it.
    static func remove(_ url: URL) {
        for end in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + end) }
    }
}
