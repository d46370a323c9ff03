// The upkeep of a store, in a file or on a server.

import CoreData

extension StoreAddress {
    /// Gives room that the store no longer needs back: to the disk of a file; on a server to the store's tables, and to the disk if
    /// they are to be rewritten.
    ///
    /// - Parameters:
    ///   - modelPath: the model's file; nil for the model that the store keeps. For a file only: a server's tables are looked up on
    ///     the server.
    ///   - ignoringVersions: whether a file is opened though its version hashes are not the model's.
    ///   - rewriting: whether a server writes tables anew, which nobody can read meanwhile; a file always is.
    /// - Returns: the bytes before and after.
    /// - Throws: `ToolFailure` for a server that is given a model; the errors of opening a store, and the server's.
    public func vacuum(
        modelPath: String? = nil, ignoringVersions: Bool = false, rewriting: Bool = false
    ) throws -> (before: Int, after: Int) {
        if let description {
            guard let upkeep = kind?.upkeep else { throw ToolFailure("\(name) is kept by its server.") }
            guard modelPath == nil, !ignoringVersions else {
                throw ToolFailure("\(name) needs no model: its server knows its tables.")
            }
            return try upkeep.vacuum(description, rewriting)
        }
        let before = try sizeOfFile()
        let store = try OpenStore(
            path: url.path, modelPath: modelPath, access: .writing, ignoringVersions: ignoringVersions,
            additional: [NSSQLiteManualVacuumOption: true, NSSQLiteAnalyzeOption: true])
        try store.close()
        return (before, try sizeOfFile())
    }

    /// Has a server look at tables that got many rows: until it has, it plans queries for those that there were. Does nothing for a
    /// file.
    ///
    /// - Parameter work: what is done already, as a clause for the error.
    /// - Throws: `ToolFailure` with the server's error.
    public func gatherFigures(after work: String) throws {
        guard kind?.upkeep != nil else { return }
        do {
            _ = try vacuum()
        } catch let error as CocoaError where error.code == .fileWriteNoPermission {
            // Tables that were there before have another owner, whose work this is.
        } catch {
            throw ToolFailure(
                "\(work), but the server gathered no figures about its tables, as coredata vacuum has it do: "
                    + error.localizedDescription)
        }
    }

    /// Of the database and its log.
    private func sizeOfFile() throws -> Int {
        let store = url.resolvingSymlinksInPath().path
        return try [store, store + "-wal"].reduce(0) { sum, path in
            guard FileManager.default.fileExists(atPath: path) else { return sum }
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            return sum + ((attributes[.size] as? NSNumber)?.intValue ?? 0)
        }
    }

    /// Returns what killed programs left beside the store: paths of files, or names of a server's schemas.
    ///
    /// - Throws: the errors of opening a store.
    public func abandoned() throws -> [String] {
        if let description { return try kind?.upkeep?.abandoned(description, false) ?? [] }
        return try NSPersistentStoreCoordinator.abandonedFiles(ofPersistentStoreAt: url).map(\.path)
    }

    /// Removes what killed programs left beside the store.
    ///
    /// - Returns: the number of files or schemas.
    /// - Throws: the errors of opening a store, and those of removing.
    public func removeAbandoned() throws -> Int {
        if let description { return try kind?.upkeep?.abandoned(description, true).count ?? 0 }
        return try NSPersistentStoreCoordinator.removeAbandonedFiles(ofPersistentStoreAt: url).count
    }

    /// Makes a store at the place, or fills it with another store's objects, while no other program does.
    ///
    /// - Parameter body: what fills it.
    /// - Throws: `ToolFailure` if another program is at it; the errors of connecting, and those of the closure.
    public func fill(_ body: () throws -> Void) throws {
        guard let description, let upkeep = kind?.upkeep else { return try body() }
        if try upkeep.alone(description, body) { return }
        throw ToolFailure("Another program makes, copies or moves a store at \(name).")
    }
}
