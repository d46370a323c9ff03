// Copies of stores, in files and on servers.

import CoreData
import CoreDataSupport

/// Copies a store as it is at one moment, also one that programs write to.
public enum StoreDuplication {
    /// Copies a store to a place where nothing is.
    ///
    /// From file to file everything is copied as it is, damage too, for which the copy is searched in the end. From and to a server
    /// the objects are copied, under keys that follow from theirs, and compared with those of the source in the end; the copy has a UUID of its own and no history. A server's copy
    /// that was stopped is taken away when the same copy is begun anew, and is no store until then; one that another program is at
    /// is left alone.
    ///
    /// - Parameters:
    ///   - source: the store's file or address.
    ///   - destination: the file or address of the copy.
    ///   - modelPath: the model's file; nil for the model that the store keeps, and between two files.
    ///   - progress: called with what is being done, in a few words, where objects are copied.
    /// - Throws: `ToolFailure` if there is something at the destination, another program is filling it, or the file that was
    ///   copied is damaged, whose copy stays; the errors of opening and making a store;
    ///   `NSPersistentStoreOperationError` (134070) if the stores differ in the end. Then nothing is left at the destination.
    public static func copy(
        from source: String, to destination: String, modelPath: String? = nil,
        progress: @escaping (String) -> Void = { _ in }
    ) throws {
        let (original, copy) = (try StoreAddress(source), try StoreAddress(destination))
        if original.isFile { _ = try original.metadata() }
        try copy.fill {
            if !copy.isFile { try removeBegun(copy) }
            try copy.requireNothing()
            try copyContents(of: original, at: source, to: copy, at: destination, modelPath, progress)
        }
    }

    private static func copyContents(
        of original: StoreAddress, at source: String, to copy: StoreAddress, at destination: String,
        _ modelPath: String?, _ progress: @escaping (String) -> Void
    ) throws {
        switch (original.isFile, copy.isFile) {
        case (true, true):
            if modelPath != nil {
                throw ToolFailure("From file to file everything is copied as it is, without a model.")
            }
            try NSPersistentStoreCoordinator.copyPersistentStore(at: original.url, to: copy.url)
            try requireSound(copy)
        case (true, false):
            // The copy of this moment has another name, which an error would show.
            if modelPath == nil { _ = try ModelSource(path: source).read() }
            let moment = try PrivateCopy(of: original.url)
            defer { try? moment.remove() }
            try copyObjects(moment.store.path, to: copy, at: destination, modelPath, progress)
        case (false, false): try copyObjects(source, to: copy, at: destination, modelPath, progress)
        case (false, true):
            let folder = try PrivateFolder.make()
            defer { try? folder.remove() }
            let whole = folder.url.appendingPathComponent(copy.url.lastPathComponent)
            try copyObjects(source, to: try StoreAddress(whole.path), at: whole.path, modelPath, progress)
            // The file appears under its name when all is there.
            try NSPersistentStoreCoordinator.copyPersistentStore(at: whole, to: copy.url)
        }
    }

    /// A damaged file is copied page by page like any other.
    private static func requireSound(_ copy: StoreAddress) throws {
        let damage = try NSPersistentStoreCoordinator.damage(ofStoreAt: copy.url)
        guard let first = damage.first else { return }
        throw ToolFailure(
            "The store is damaged (\(first)), and \(copy.name) is a copy of it as it is. Look at it with coredata "
                + "doctor.")
    }

    private static func copyObjects(
        _ source: String, to copy: StoreAddress, at destination: String, _ modelPath: String?,
        _ progress: @escaping (String) -> Void
    ) throws {
        do {
            let move = try StoreMove(from: source, to: destination, modelPath: modelPath, isCopy: true)
            defer { try? move.close() }
            _ = try move.transfer(progress)
        } catch {
            do { try removeBegun(copy) } catch {
                // A server that can't be reached keeps the part that was copied, until the copy is begun anew.
                Log.warning("a part of a copy stays at \(copy.name): \(error)")
            }
            throw error
        }
    }

    private static func removeBegun(_ copy: StoreAddress) throws {
        if try copy.isThere(), NSPersistentStoreCoordinator.isCopyBegun(try copy.metadata()) {
            try copy.destroy()
        }
    }
}
