// Indicates whether the store that is open is of an older version than the model file.

import CoreData
import CoreDataSupport
import StoreTools

/// The version that a store was made with, beside the one that the model is at.
struct StoreVersion {
    /// The version's name; nil where no version of the file is the store's.
    let stored: String?
    let current: String
    let isCurrent: Bool

    init(of store: NSPersistentStore, beside model: URL) throws {
        let metadata = store.metadata ?? [:]
        let files = ModelFiles(model)
        current = (try? files.currentName()) ?? model.deletingPathExtension().lastPathComponent
        isCurrent = try ModelSource(path: model.path).read().configuration(for: metadata) != nil
        // Versions that can't be read are no version of the store's: the model's page tells of them.
        stored = ((try? files.versionNames()) ?? []).first { name in
            let version = try? NSManagedObjectModel.read(from: files.folder(of: name))
            return version?.configuration(for: metadata) != nil
        }
    }

    /// - Parameter isOffered: whether the page may migrate the store.
    func value(isOffered: Bool) -> StudioValue {
        ["from": .optional(stored), "to": .text(current), "isOffered": .bool(isOffered)]
    }
}

extension StudioContext {
    /// A store that isn't of the model file's version, and the page's offer to migrate it: a server's is the command's to migrate, which
    /// knows the password.
    var outdated: StudioValue? {
        if let found = migratable { return found.version.value(isOffered: true) }
        return otherVersion.map { $0.version.value(isOffered: false) }
    }

    /// The store that the page may migrate, with the model file that it goes to; nil where it may not, or needn't be.
    var migratable: (store: NSPersistentStore, model: URL, version: StoreVersion)? {
        guard !isReadOnly, let found = otherVersion, found.store.type == NSSQLiteStoreType else { return nil }
        return found
    }

    private var otherVersion: (store: NSPersistentStore, model: URL, version: StoreVersion)? {
        guard options.offersMigration, container == nil, let model = modelFile,
            FileManager.default.fileExists(atPath: model.path),
            let store = coordinator?.persistentStores.first,
            let version = try? StoreVersion(of: store, beside: model), !version.isCurrent
        else { return nil }
        return (store, model, version)
    }
}
