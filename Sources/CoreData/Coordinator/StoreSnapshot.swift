// A copy of a store as it is at one moment, whoever has it open.

import CoreDataSQLiteEngine
import CoreDataStores
import CoreDataSupport
import Foundation

/// The present contents of a store, to be written to a new file.
struct StoreSnapshot {
    private let source: StoreFiles
    private let type: String

    init(of source: MigrationPlace) {
        self.source = StoreFiles(source)
        type = source.type
    }

    /// Writes the copy, which is on the disk then.
    func write(to url: URL) throws {
        do {
            guard type != NSSQLiteStoreType else { return try writeDatabase(to: url) }
            let storeClass = try StoreRegistry.storeClass(type)
            if storeClass.fileKind == .whole {
                _ = try storeClass.metadataForPersistentStore(with: source.url)
            }
            // Such a file is replaced by another one when it is saved: who opened it reads one state.
            try FileManager.default.copyItem(at: source.url, to: url)
            try synchronizeFile(url)
        } catch let error as POSIXError {
            throw StoreFiles.failure(error, "The store can't be copied.", source.url)
        } catch {
            throw ErrorMapping.error(error, .opening, file: source.url)
        }
    }

    /// SQLite reads one state of the file. Its external files can't be locked: where one that the state names is gone,
    /// because somebody saved meanwhile, there is a newer state to copy. A file that two states name and that was there
    /// for neither is missing in the store too.
    private func writeDatabase(to url: URL) throws {
        var missing: Set<String> = []
        let end = Date(timeIntervalSinceNow: source.timeout)
        while true {
            try copyDatabase(to: url)
            let lost = try copyExternalFiles(for: url)
            if lost.isSubset(of: missing) { return }
            missing = lost
            if Date() > end {
                throw EngineFailure(
                    .busy, message: "The store is being written to all the time.", path: source.url.path)
            }
        }
    }

    private func copyDatabase(to url: URL) throws {
        try SQLiteEngine.reading(path: source.url.path, source.settings.opening(.readOnly)) { engine in
            _ = try engine.metadata(of: source.url)
            guard unlink(url.path) == 0 || errno == ENOENT else { throw StoreFiles.posixFailure }
            try engine.copyDatabase(to: url.path)
        }
    }

    /// Copies the files that the copied rows name, and returns the names of those that aren't there.
    private func copyExternalFiles(for url: URL) throws -> Set<String> {
        let from = SQLiteEngine.externalFolder(ofStoreAt: source.url.path)
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
