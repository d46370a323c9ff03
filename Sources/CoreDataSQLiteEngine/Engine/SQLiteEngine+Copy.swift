// Copying, replacing and emptying a store with the files of its external values.
//
// A row must never be without its file: files of rows that are to come are there before the transaction ends, files
// of rows that are gone are removed after it. A process that is killed between leaves files that no row names, never
// a row without its file; `removeUnusedExternalFiles` takes them away.

import CoreDataSQL
package import Foundation

extension SQLiteEngine {
    /// Writes a copy of the database as it is now, log included, to a new file. External values are not copied.
    package func copyDatabase(to path: String) throws { try connection.copyContents(toNewFile: path) }

    /// Makes this store hold what the other one holds, in one transaction, and takes over the other one's external
    /// files. For an engine that nobody shares the file with, without a log.
    package func takeContents(of other: SQLiteEngine) throws {
        let (former, names) = (try ownExternalFileNames(), other.externalFileNames())
        let fresh = names.subtracting(externalFileNames())
        do {
            try other.connection.copyContents(into: connection) { try files.take(fresh, from: other.files) }
        } catch {
            if (error as? EngineFailure)?.mayStandNoneTheLess != true { fresh.forEach(files.remove) }
            throw error
        }
        former.subtracting(names).forEach(files.remove)
    }

    /// Makes the store an empty database and removes its external files. For an engine that nobody shares the file
    /// with.
    package func removeContents() throws {
        let former = try ownExternalFileNames()
        try connection.removeContents()
        former.forEach(files.remove)
        try files.removeFolders()
    }

    /// Has the log and its index stay beside the file when it is closed: code that removes all files of a database finds
    /// them.
    package func keepLogFiles() throws {
        _ = try connection.tableNames()
        try connection.keepLogFiles()
    }

    // MARK: External files

    /// Returns the folder of a store's external files, open or not.
    package static func externalFolder(ofStoreAt path: String) -> URL {
        ExternalFiles(storePath: path).folder
    }

    /// Moves all external files of a store, open or not, to the place of another one, has the closure put the store there,
    /// and removes the files that were in that place before. If the closure throws, they are gone.
    package static func moveExternalFiles(
        ofStoreAt path: String, to other: String, _ body: () throws -> Void
    ) throws {
        let (source, target) = (ExternalFiles(storePath: path), ExternalFiles(storePath: other))
        let (names, former) = (source.names, target.isShared ? [] : target.names)
        do {
            try target.take(names, from: source)
            try body()
        } catch {
            names.forEach(target.remove)
            throw error
        }
        former.subtracting(names).forEach(target.remove)
    }

    /// The files that any row of the store names, by columns that this model may know nothing of.
    package func usedExternalFileNames() throws -> Set<String> {
        var names: Set<String> = []
        for (table, columns) in try catalog().tables {
            let blobs = columns.filter { $0.type.uppercased().contains("BLOB") }.map(\.name)
            try externalReferences(table: table, columns: blobs) { names.insert($0.file) }
        }
        return names
    }

    /// Removes the files that no row names, and returns their names. For an engine that nobody shares the file with:
    /// others may be about to save rows of new files, or read rows that are gone.
    package func removeUnusedExternalFiles() throws -> [String] {
        try excludingOthers {
            let names = try unusedExternalFileNames()
            names.forEach(files.remove)
            return names
        }
    }

    /// Removes the files of external values where a store was about to be put, and returns their names.
    package static func removeExternalFiles(ofAbsentStoreAt path: String) -> [String] {
        let files = ExternalFiles(storePath: path)
        if files.isShared { return [] }
        let names = files.names.sorted()
        names.forEach(files.remove)
        return names
    }

    /// Removes a journal without anything to roll back, which a process left that had the file to itself. SQLite doesn't
    /// look at it in write-ahead mode.
    package func removeEndedJournal() throws {
        try excludingOthers {
            guard !connection.isInMemory, !FileProbe.hasJournal(path) else { return }
            if unlink(path + "-journal") != 0, errno != ENOENT {
                throw DatabaseBytes.failure(errno, path: path + "-journal")
            }
        }
    }

    /// The files that no row names. None where another store has the same folder, whose files they may be.
    package func unusedExternalFileNames() throws -> [String] {
        let names = externalFileNames()
        if names.isEmpty || files.isShared { return [] }
        return try names.subtracting(usedExternalFileNames()).sorted()
    }

    /// The files in the store's folder, except those of another store with the same folder.
    private func ownExternalFileNames() throws -> Set<String> {
        let names = externalFileNames()
        if names.isEmpty || !files.isShared { return names }
        return try usedExternalFileNames()
    }
}
