// The files that killed processes leave beside an SQLite store: journals, and external values that no row names.

import CoreDataSQLiteEngine
import CoreDataSupport
package import Foundation

extension SQLiteFiles {
    /// A log or a draft shows that somebody was killed; only then are the rows looked through for external files that none of
    /// them names, and only if nobody has the store open.
    package func removeAfterKill() {
        guard location.canHaveFile else { return }
        let drafts = StoreLeftovers.drafts(of: location.url)
        let journals = ["-wal", "-journal"].contains { FileStamp(path: path + $0) != nil }
        guard !drafts.isEmpty || journals else { return }
        if hasCompanions {
            do {
                _ = try removeCompanions(waiting: false)
            } catch let failure as EngineFailure where failure.kind == .busy {
                // A process that has the store open may go on.
            } catch {
                Log.warning("what a killed process left at \(path) can't be removed: \(error)")
            }
        }
        StoreLeftovers.remove(drafts)
    }

    /// `true` if there are files of external values, or a journal.
    private var hasCompanions: Bool {
        [SQLiteEngine.externalFolder(ofStoreAt: path).path, path + "-journal"]
            .contains(where: FileManager.default.fileExists)
    }

    package func unusedFiles(removing: Bool) throws -> [URL] {
        let folder = SQLiteEngine.externalFolder(ofStoreAt: path)
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        let names = removing ? try removeCompanions(waiting: true) : try externalFiles()
        return names.map { folder.appendingPathComponent($0) }
    }

    private func externalFiles() throws -> [String] {
        let engine = try SQLiteEngine(path: path, settings.opening(.readOnly))
        defer { engine.close() }
        return try engine.reading { try engine.unusedExternalFileNames() }
    }

    /// Removes a journal that was ended, and files of external values that no row names, whose names it returns.
    private func removeCompanions(waiting: Bool) throws -> [String] {
        guard location.hasFile else { return SQLiteEngine.removeExternalFiles(ofAbsentStoreAt: path) }
        // A store whose destruction was killed is an empty database, whose files are nobody's.
        var opening = settings.opening(.create)
        opening.isExclusive = true
        opening.busyMilliseconds = waiting ? Int32(min(location.timeout, 1e6) * 1000) : 0
        let engine = try SQLiteEngine(path: path, opening)
        defer { engine.close() }
        try engine.removeEndedJournal()
        return try engine.removeUnusedExternalFiles()
    }
}
