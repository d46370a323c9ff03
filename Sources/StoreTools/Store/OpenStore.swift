// A store with its model and a context: what nearly every command starts with.

public import CoreData

/// An open store: an SQLite file, or a store on a server.
public final class OpenStore {
    /// The access to a store: for reading only, or for writing too.
    public enum Access {
        /// Leaves the file, its `-wal` and its `-shm` as they are.
        case reading
        /// Objects may be changed and saved.
        case writing
    }

    /// The place of the store.
    public let address: StoreAddress
    /// The location of the store, without a password.
    public var url: URL { address.url }
    /// The model that the store is open with.
    public let model: NSManagedObjectModel
    /// The coordinator that has the store, and no other.
    public let coordinator: NSPersistentStoreCoordinator
    /// The store itself.
    public let store: NSPersistentStore
    /// A context for reading and changing its objects.
    public let context: NSManagedObjectContext
    /// Indicates whether the file has a persistent history.
    public let keepsHistory: Bool

    /// Opens a store with the model that it keeps, or with the one at `modelPath`.
    ///
    /// A store that keeps a persistent history goes on keeping it.
    ///
    /// - Parameters:
    ///   - path: the store's file, or the address of a store on a server.
    ///   - modelPath: the model's file; nil for the model that the store keeps.
    ///   - access: whether the store is only read.
    ///   - ignoringVersions: whether to open it though its version hashes are not the model's.
    ///   - additional: more options for the store.
    /// - Throws: the errors of opening a store; `ToolFailure` if it keeps no model and none is named, and for a store that a copy
    ///   or a move hasn't filled yet.
    public init(
        path: String, modelPath: String? = nil, access: Access = .reading, ignoringVersions: Bool = false,
        additional: [AnyHashable: Any] = [:]
    ) throws {
        address = try StoreAddress(path)
        let metadata = try address.metadata()
        try Self.requireWhole(address, metadata)
        model = try ModelSource(path: modelPath ?? path).read(for: metadata)
        let configuration = model.configuration(for: metadata)
        if configuration == nil, !ignoringVersions {
            let lines = model.differences(from: metadata).joined(separator: "; ")
            throw ToolFailure("The store \(address.name) was made with another model: \(lines).")
        }
        model.hasNoClasses = true
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        keepsHistory = try address.keepsHistory()
        let options: [AnyHashable: Any] = [
            NSReadOnlyPersistentStoreOption: access == .reading, NSPersistentStoreTimeoutOption: 5,
            NSIgnorePersistentStoreVersioningOption: ignoringVersions,
            NSPersistentHistoryTrackingKey: keepsHistory,
            // On a server others hear only of saves that are announced; a file they watch.
            NSPersistentStoreRemoteChangeNotificationPostOptionKey: access == .writing && address.kind != nil,
        ]
        store = try address.open(
            in: coordinator, configuration: configuration?.name, options: options.merging(additional) { $1 })
        context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
    }

    /// A part of a store would be taken for all of it, and what is added to it would be lost or in the way.
    private static func requireWhole(_ address: StoreAddress, _ metadata: [String: Any]) throws {
        if NSPersistentStoreCoordinator.isCopyBegun(metadata) {
            throw ToolFailure(
                "The store \(address.name) isn't whole: a copy into it was stopped, or is under way. coredata copy begins it anew."
            )
        }
        if NSPersistentStoreCoordinator.isTransferBegun(metadata) {
            throw ToolFailure(
                "The store \(address.name) isn't whole: a move into it was stopped, or is under way. coredata move goes on with it."
            )
        }
    }

    static func keepsHistory(_ url: URL) throws -> Bool {
        var isThere = false
        try NSPersistentStoreCoordinator.readSQL(
            "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'ATRANSACTION'", inStoreAt: url,
            columns: { _ in }, row: { _ in isThere = true })
        return isThere
    }

    /// Returns the first thing that SQLite's own check finds wrong with a file; nil for a sound one.
    static func damage(of url: URL) throws -> String? {
        var found: String?
        try NSPersistentStoreCoordinator.readSQL(
            "PRAGMA quick_check(1)", inStoreAt: url, columns: { _ in },
            row: { if case .text(let text)? = $0.first, text != "ok" { found = text } })
        return found?.split(separator: "\n").last.map(String.init)
    }

    /// Returns what a store in a file says about itself. The file stays as it is.
    ///
    /// - Throws: the errors of opening a store.
    public static func metadata(of url: URL) throws -> [String: Any] {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder) else {
            throw ToolFailure("There is no file at \(url.path).")
        }
        if isFolder.boolValue { throw ToolFailure("\(url.path) is a folder, not a store.") }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: String?.none, at: url)
        let type = metadata[NSStoreTypeKey] as? String ?? "unknown"
        guard type == NSSQLiteStoreType else {
            throw ToolFailure(
                "\(url.path) is a persistent store of type \(type), UUID "
                    + "\(metadata[NSStoreUUIDKey] as? String ?? "none"). coredata looks into SQLite stores; "
                    + "migratePersistentStore(_:to:options:withType:) makes one of it.")
        }
        return metadata
    }

    /// Saves what was changed.
    ///
    /// - Throws: what `NSManagedObjectContext.save()` throws.
    public func save() throws {
        try context.save()
    }

    /// Closes the file; what was written is then in the file itself.
    ///
    /// - Throws: the errors of saving.
    public func close() throws {
        try coordinator.remove(store)
    }

    /// The entities whose objects the store may hold, by name.
    public var entities: [NSEntityDescription] {
        let all = model.entities(forConfigurationName: store.configurationName) ?? model.entities
        return all.sorted { ($0.name ?? "") < ($1.name ?? "") }
    }

    /// Returns how many objects of the entity itself there are, of those that inherit from it none.
    ///
    /// - Throws: the errors of fetching.
    public func count(_ entity: NSEntityDescription) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>()
        request.entity = entity
        request.includesSubentities = false
        return try context.count(for: request)
    }
}
