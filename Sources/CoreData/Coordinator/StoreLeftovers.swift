// The files that killed processes leave beside a store, told from those that living ones work on.
//
//   .NAME.draft-UUID             a draft's folder; its maker holds a lock on it (ScratchFolder)
//   .NAME.UUID                   a file that was to replace an XML or binary store: written with the folder locked
//   NAME-journal                 a journal that was ended and not yet removed: SQLite keeps it while the file is its own
//   .NAME_SUPPORT/…/UUID         an external file that no row names: files are written in a transaction that keeps
//                                other writers out, and rows that are gone are read with the file open
//   copy-UUID.sqlite, .copy-…    copies of earlier versions of this library, which had no lock: a day old
//   .migration-PID-UUID          drafts of those, the same

import CoreDataSQLiteEngine
import CoreDataStores
import CoreDataSupport
import Foundation

/// The leftovers of one store.
enum StoreLeftovers {
    /// Seconds after which a file without a lock counts as abandoned: written and renamed at once; copied for long.
    private static let age = (short: 60.0, long: 86_400.0)

    // MARK: When a store is opened

    /// Called before an SQLite store is opened for writing. A log or a draft shows that somebody was killed; only then
    /// are the rows looked through for external files that none of them names, and only if nobody has the store open.
    static func removeAfterKill(at url: URL, options: [AnyHashable: Any]?) {
        let files = StoreFiles(url: url, options: options)
        guard files.hasFile(NSSQLiteStoreType) else { return }
        let drafts = drafts(of: files.url)
        let journals = ["-wal", "-journal"].contains { FileStamp(path: files.url.path + $0) != nil }
        guard !drafts.isEmpty || journals else { return }
        if hasCompanions(files) {
            do {
                _ = try removeCompanions(files, waiting: false)
            } catch let failure as EngineFailure where failure.kind == .busy {
                // A process that has the store open may go on.
            } catch {
                Log.warning("what a killed process left at \(files.url.path) can't be removed: \(error)")
            }
        }
        remove(drafts)
    }

    /// `true` if there are files of external values, or a journal.
    private static func hasCompanions(_ files: StoreFiles) -> Bool {
        [SQLiteEngine.externalFolder(ofStoreAt: files.url.path).path, files.url.path + "-journal"]
            .contains(where: FileManager.default.fileExists)
    }

    static func removeDrafts(of url: URL) { remove(drafts(of: url)) }

    private static func drafts(of url: URL) -> [URL] {
        ScratchFolder.abandoned(in: url.deletingLastPathComponent(), named: StoreDraft.prefix(url))
    }

    /// Called before an XML or binary store is opened for writing.
    static func removeTemporaryFiles(of url: URL) {
        removeDrafts(of: url)
        StoreFile.ifUnlocked(url) { remove(temporaryFiles(of: url)) }
    }

    private static func temporaryFiles(of url: URL) -> [URL] {
        siblings(of: url) { name in
            let prefix = ".\(url.lastPathComponent)."
            return name.hasPrefix(prefix) && UUID(uuidString: String(name.dropFirst(prefix.count))) != nil
        }.filter { FileStamp.age(of: $0) > age.short }
    }

    private static func remove(_ urls: [URL]) {
        for url in urls {
            do {
                try FileManager.default.removeItem(at: url)
            } catch {
                Log.warning("\(url.path), which a killed process left, can't be removed: \(error)")
            }
        }
    }

    // MARK: When somebody asks

    /// All leftovers. Throws `.busy` if the store has external files and somebody has it open.
    static func all(of files: StoreFiles, removing: Bool) throws -> [URL] {
        var found = drafts(of: files.url) + formerCopies(beside: files.url)
        StoreFile.ifUnlocked(files.url) {
            let temporary = temporaryFiles(of: files.url)
            if removing { remove(temporary) }
            found += temporary
        }
        let folder = SQLiteEngine.externalFolder(ofStoreAt: files.url.path)
        if FileManager.default.fileExists(atPath: folder.path) {
            let names = removing ? try removeCompanions(files, waiting: true) : try externalFiles(files)
            found += names.map { folder.appendingPathComponent($0) }
        }
        if removing { remove(found.filter { FileManager.default.fileExists(atPath: $0.path) }) }
        return found
    }

    private static func externalFiles(_ files: StoreFiles) throws -> [String] {
        let engine = try SQLiteEngine(path: files.url.path, files.settings.opening(.readOnly))
        defer { engine.close() }
        return try engine.reading { try engine.unusedExternalFileNames() }
    }

    /// Removes a journal that was ended, and files of external values that no row names, whose names it returns.
    private static func removeCompanions(_ files: StoreFiles, waiting: Bool) throws -> [String] {
        guard FileManager.default.fileExists(atPath: files.url.path) else {
            return SQLiteEngine.removeExternalFiles(ofAbsentStoreAt: files.url.path)
        }
        // A store whose destruction was killed is an empty database, whose files are nobody's.
        var opening = files.settings.opening(.create)
        opening.isExclusive = true
        opening.busyMilliseconds = waiting ? Int32(min(files.timeout, 1e6) * 1000) : 0
        let engine = try SQLiteEngine(path: files.url.path, opening)
        defer { engine.close() }
        try engine.removeEndedJournal()
        return try engine.removeUnusedExternalFiles()
    }

    /// Files that earlier versions of this library made when stores were replaced or migrated.
    private static func formerCopies(beside url: URL) -> [URL] {
        siblings(of: url) { name in
            isCopy(name) || isFormerDraft(name)
        }.filter { FileStamp.age(of: $0) > age.long }
    }

    private static func isCopy(_ name: String) -> Bool {
        guard let start = [".copy-", "copy-"].first(where: name.hasPrefix) else { return false }
        let rest = name.dropFirst(start.count)
        let ends =
            start == "copy-" ? ["", "-wal", "-shm", "-journal"].map { ".sqlite" + $0 } : ["_SUPPORT"]
        return UUID(uuidString: String(rest.prefix(36))) != nil && ends.contains(String(rest.dropFirst(36)))
    }

    private static func isFormerDraft(_ name: String) -> Bool {
        guard let start = ["..migration-", ".migration-"].first(where: name.hasPrefix) else { return false }
        let parts = name.dropFirst(start.count).split(separator: "-", maxSplits: 1)
        return parts.count == 2 && Int32(parts[0]) != nil
            && UUID(uuidString: String(parts[1].prefix(36))) != nil
    }

    private static func siblings(of url: URL, _ isWanted: (String) -> Bool) -> [URL] {
        let folder = url.deletingLastPathComponent()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        return names.filter(isWanted).sorted().map { folder.appendingPathComponent($0) }
    }
}

extension NSPersistentStoreCoordinator {
    /// Returns the files that killed processes left beside a store: drafts, temporary copies, and files of
    /// external values that no row names.
    ///
    /// Files that a living process may be at work on are not among them. An addition to Apple's class.
    ///
    /// - Throws: the errors of opening the store, if it has files of external values.
    public class func abandonedFiles(ofPersistentStoreAt url: URL) throws -> [URL] {
        try abandonedFiles(url, removing: false)
    }

    /// Removes the files that killed processes left beside a store. An addition to Apple's class.
    ///
    /// - Returns: where the files were.
    /// - Throws: 134090 if the store has files of external values and somebody has it open, after 10 seconds; the errors of
    ///   opening the store.
    @discardableResult
    public class func removeAbandonedFiles(ofPersistentStoreAt url: URL) throws -> [URL] {
        try abandonedFiles(url, removing: true)
    }

    private class func abandonedFiles(_ url: URL, removing: Bool) throws -> [URL] {
        do {
            return try StoreLeftovers.all(of: StoreFiles(url: url, options: nil), removing: removing)
        } catch {
            throw ErrorMapping.error(error, .opening, file: url)
        }
    }
}
