// Removing and replacing the files of stores.

import CoreDataSQLiteEngine
public import Foundation

extension NSPersistentStoreCoordinator {
    /// Removes a store with all its files. Waits for others that write to it; a store of this coordinator is
    /// taken out of it first. Where there is no store, nothing happens.
    ///
    /// A file that isn't a store stays, unless `NSPersistentStoreForceDestroyOption` is set.
    public func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        if let store = persistentStore(for: url) { try remove(store) }
        let force =
            (options?[NSPersistentStoreForceDestroyOption] as? NSNumber)?.boolValue
            ?? (options?[NSPersistentStoreForceDestroyOption] as? Bool) ?? false
        try StoreFiles(url: url, options: options).destroy(type: storeType.rawValue, force: force)
    }

    /// Removes a store with all its files. See `destroyPersistentStore(at:type:options:)`.
    public func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(
            at: url, type: NSPersistentStore.StoreType(rawValue: storeType), options: options)
    }

    /// Puts a copy of one store in the place of another, which is destroyed first if it is there.
    ///
    /// The source stays as it is and may be in use; the copy has its state of now.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        type sourceType: NSPersistentStore.StoreType
    ) throws {
        let destination = StoreFiles(url: destinationURL, options: destinationOptions)
        let copy = try StoreFiles(url: sourceURL, options: sourceOptions)
            .copy(type: sourceType.rawValue, beside: destinationURL)
        do {
            if let store = persistentStore(for: destinationURL) { try remove(store) }
            try destination.destroy(type: sourceType.rawValue, force: false)
            try copy.move(to: destinationURL)
        } catch {
            copy.remove()
            throw error
        }
    }

    /// Puts a copy of one store in the place of another. See `replacePersistentStore(at:…:type:)`.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        ofType storeType: String
    ) throws {
        try replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, type: NSPersistentStore.StoreType(rawValue: storeType))
    }
}

/// The files of a store that isn't open.
struct StoreFiles {
    let url: URL
    let options: [AnyHashable: Any]?

    func destroy(type: String, force: Bool) throws {
        guard url.isFileURL, type != NSInMemoryStoreType, url.path != "/dev/null",
            FileManager.default.fileExists(atPath: url.path)
        else { return }
        guard type == NSSQLiteStoreType else {
            if !force, type == NSXMLStoreType || type == NSBinaryStoreType {
                _ = try StoreRegistry.storeClass(type).metadataForPersistentStore(with: url)
            }
            return try removing { try FileManager.default.removeItem(at: url) }
        }
        do {
            let settings = SQLiteStoreOptions(options)
            let engine = try SQLiteEngine(path: url.path, settings.opening(.create))
            defer { engine.close() }
            try engine.exclusively { try removeFiles() }
        } catch {
            if !force { throw ErrorMapping.error(error, .saving, file: url) }
            try removeFiles()
        }
    }

    /// Main file last: without it the others are nobody's.
    private func removeFiles() throws {
        try removing {
            for path in SQLiteEngine.files(ofStoreAt: url.path) + [supportFolder.path]
            where FileManager.default.fileExists(atPath: path) {
                try FileManager.default.removeItem(atPath: path)
            }
        }
    }

    private var supportFolder: URL { SQLiteEngine.supportFolder(ofStoreAt: url.path) }

    private func removing(_ body: () throws -> Void) throws {
        do {
            try body()
        } catch {
            throw CoreDataError.make(
                NSFileWriteUnknownError, "The files of the persistent store can't be removed.", file: url,
                reason: "\(error)", underlying: error)
        }
    }

    /// A copy under a name of its own in the destination's folder, so that moving it there can't half
    /// succeed.
    func copy(type: String, beside destination: URL) throws -> StoreFiles {
        if type == NSInMemoryStoreType {
            throw CoreDataError.make(
                NSFileReadNoSuchFileError, "A store in memory has no file that could be copied.", file: url)
        }
        let folder = destination.deletingLastPathComponent()
        let copy = StoreFiles(
            url: folder.appendingPathComponent("copy-\(UUID().uuidString).sqlite"), options: nil)
        do {
            if type == NSSQLiteStoreType {
                let engine = try SQLiteEngine(path: url.path, SQLiteStoreOptions(options).opening(.readOnly))
                defer { engine.close() }
                try engine.copy(to: copy.url.path)
                if FileManager.default.fileExists(atPath: supportFolder.path) {
                    try FileManager.default.copyItem(at: supportFolder, to: copy.supportFolder)
                }
            } else {
                try FileManager.default.copyItem(at: url, to: copy.url)
            }
        } catch {
            copy.remove()
            throw ErrorMapping.error(error, .opening, file: url)
        }
        return copy
    }

    func move(to destination: URL) throws {
        let target = StoreFiles(url: destination, options: nil)
        if FileManager.default.fileExists(atPath: supportFolder.path) {
            try FileManager.default.moveItem(at: supportFolder, to: target.supportFolder)
        }
        try FileManager.default.moveItem(at: url, to: destination)
    }

    func remove() {
        for path in SQLiteEngine.files(ofStoreAt: url.path) + [supportFolder.path] {
            try? FileManager.default.removeItem(atPath: path)
        }
    }
}
