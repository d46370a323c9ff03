// Destroying, replacing and copying the files of stores.

import CoreDataStores
import CoreDataSupport
public import Foundation

extension NSPersistentStoreCoordinator {
    /// Destroys what a store holds.
    ///
    /// An SQLite store becomes an empty database of the same name, with its `-wal` and `-shm`, and the files of its
    /// external values are removed; a store can be added there again. The file of a store of another type is removed.
    /// If there is no file, nothing happens.
    ///
    /// Every coordinator of the process that has the SQLite store open loses it, as by `remove(_:)`, and posts the
    /// same notifications; of stores of other types, this coordinator only. An SQLite store that another process has
    /// open is waited for, up to `NSPersistentStoreTimeoutOption`, or 10 seconds if that isn't set.
    ///
    /// A file that isn't a store stays, and so does one that others don't let go of, unless
    /// `NSPersistentStoreForceDestroyOption` is set: then the store's files are removed.
    ///
    /// - Parameters:
    ///   - url: the store's file.
    ///   - storeType: the store's type.
    ///   - options: `NSPersistentStoreTimeoutOption`, `NSPersistentStoreForceDestroyOption`.
    /// - Throws: 134090 while the store is in use elsewhere; 259 or 134010 for a file that is no store; 134080, 513 or
    ///   512 if the file can't be opened, written or removed. The store is whole then.
    public func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
    }

    final func destroyStore(at url: URL, type: String, options: [AnyHashable: Any]?) throws {
        let force = StoreOption.flag(options?[NSPersistentStoreForceDestroyOption])
        try removeStores(at: url, waiting: StoreLocation(url: url, options: options).timeout)
        let storeClass = StoreRegistry.classes[type] ?? NSPersistentStore.self
        try storeClass.destroy(at: url, type: type, options: options, force: force)
    }

    /// Puts a copy of one store in the place of another, or where there is none.
    ///
    /// The source stays as it is and may be in use, here or in other processes; the copy has its state of now. The copy
    /// is made beside its place: until it is whole, the store at the destination stays what it is, and a process that is
    /// killed leaves the old store or the new one. Coordinators of this process that have the destination open lose it,
    /// as by `destroyPersistentStore(at:type:options:)`.
    ///
    /// - Parameters:
    ///   - destinationURL: the file to replace, or to make.
    ///   - destinationOptions: of the store that is there.
    ///   - sourceURL: the file to copy.
    ///   - sourceOptions: of the store that is copied.
    ///   - sourceType: the type of both.
    /// - Throws: 134090 while another process has the destination open; 260 if there is no source; the errors of opening a
    ///   store; 640 if there is no space; 3328 for a store on a server. The destination is as it was then.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        type sourceType: NSPersistentStore.StoreType
    ) throws {
        try replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: sourceType.rawValue)
    }

    final func replaceStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]?, from sourceURL: URL,
        sourceOptions: [AnyHashable: Any]?, type: String
    ) throws {
        let source = try MigrationPlace(url: sourceURL, type: type, options: sourceOptions).files()
        let destination = try MigrationPlace(
            url: destinationURL, type: type, options: destinationOptions
        ).files()
        if destination.location.hasFile { try destination.check() }
        let draft = try StoreDraft(of: destination, copying: source)
        do {
            try removeStores(at: destinationURL, waiting: destination.location.timeout)
            try draft.publish(replacing: .sameType)
        } catch {
            draft.discard()
            throw error
        }
    }

    /// Copies a store to a place where nothing is: a backup, also of a store that is open, here or in other processes.
    ///
    /// The copy is the store's state of one moment, with what its log holds and with its external values. It appears
    /// under its name when it is whole and on the disk. Reading an open store's file by other means (`Data`,
    /// `FileManager`) loses this process's locks on it; see Docs/StoreTypes.md. An addition to Apple's class.
    ///
    /// ```swift
    /// let backup = url.appendingPathExtension("backup")
    /// try NSPersistentStoreCoordinator.copyPersistentStore(at: url, to: backup)
    /// ```
    ///
    /// - Parameters:
    ///   - sourceURL: where the store is.
    ///   - destinationURL: where the copy is to be; nothing may be there yet.
    ///   - storeType: the type of both.
    ///   - options: of the source: `NSPersistentStoreTimeoutOption`.
    /// - Throws: 516 if there is something at the destination; 260 if there is no source or no folder for the copy; 513 if the
    ///   folder can't be written; 134090 if the store can't be read because of others' locks; the errors of opening a store.
    public class func copyPersistentStore(
        at sourceURL: URL, to destinationURL: URL, type storeType: NSPersistentStore.StoreType = .sqlite,
        options: [AnyHashable: Any]? = nil
    ) throws {
        let type = storeType.rawValue
        let source = try MigrationPlace(url: sourceURL, type: type, options: options).files()
        let destination = try MigrationPlace(url: destinationURL, type: type, options: nil).files()
        if FileManager.default.fileExists(atPath: destinationURL.path) {
            throw StoreFileError.exists(destinationURL)
        }
        let draft = try StoreDraft(of: destination, copying: source)
        do {
            try draft.publish(replacing: .nothing)
        } catch {
            draft.discard()
            throw error
        }
    }

    /// Returns the damage that SQLite finds in the pages and indexes of a store's file, in lines; empty if it is sound. All of
    /// the file is read.
    package class func damage(ofStoreAt url: URL) throws -> [String] {
        try MigrationPlace(url: url, type: NSPersistentStore.StoreType.sqlite.rawValue, options: nil).files()
            .damage()
    }
}
