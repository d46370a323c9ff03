// A copy of an SQLite store as it is at one moment, whoever has it open.

import CoreDataSQLiteEngine
import CoreDataSupport
package import Foundation

extension SQLiteFiles {
    /// SQLite reads one state of the file. Its external files can't be locked: where one that the state names is gone,
    /// because somebody saved meanwhile, there is a newer state to copy. A file that two states name and that was there
    /// for neither is missing in the store too.
    package func copy(to url: URL) throws {
        var missing: Set<String> = []
        let end = Date(timeIntervalSinceNow: location.timeout)
        while true {
            try copyDatabase(to: url)
            let lost = try copyExternalFiles(for: url)
            if lost.isSubset(of: missing) { return }
            missing = lost
            if Date() > end {
                throw EngineFailure(
                    .busy, message: "The store is being written to all the time.", path: path)
            }
        }
    }

    package func damage() throws -> [String] {
        try SQLiteEngine.reading(path: path, options: settings.opening(.readOnly)) { try $0.damages() }
    }

    private func copyDatabase(to url: URL) throws {
        try SQLiteEngine.reading(path: path, options: settings.opening(.readOnly)) { engine in
            _ = try engine.metadata(of: location.url)
            guard unlink(url.path) == 0 || errno == ENOENT else { throw POSIXError.last }
            try engine.copyDatabase(to: url.path)
        }
    }

    /// Copies the files that the copied rows name, and returns the names of those that aren't there.
    private func copyExternalFiles(for url: URL) throws -> Set<String> {
        let from = SQLiteEngine.externalFolder(ofStoreAt: path)
        let files = FileManager.default
        guard files.fileExists(atPath: from.path) else { return [] }
        let engine = try SQLiteEngine(path: url.path, OpeningOptions(.readOnly))
        defer { engine.close() }
        let to = engine.externalFolder
        try files.createDirectory(at: to, withIntermediateDirectories: true)
        var missing: Set<String> = []
        let (used, there) = (try engine.usedExternalFileNames(), engine.externalFileNames())
        for name in used.subtracting(there) {
            let (file, copy) = (from.appendingPathComponent(name), to.appendingPathComponent(name))
            do {
                try files.copyItem(at: file, to: copy)
                try synchronizeFile(copy)
            } catch {
                if files.fileExists(atPath: file.path) { throw error }
                missing.insert(name)
            }
        }
        for name in there.subtracting(used) { try files.removeItem(at: to.appendingPathComponent(name)) }
        try synchronizeFile(to)
        return missing
    }
}
