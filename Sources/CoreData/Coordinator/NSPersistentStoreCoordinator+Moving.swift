// Moving a store to another place or into another type.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
public import Foundation

extension NSPersistentStoreCoordinator {
    /// Copies everything that a store holds to another place, as a store of the type given, which takes the
    /// old one's place in the coordinator.
    ///
    /// The old store's files stay. Objects that contexts hold are objects of the new store from then on, and
    /// so are their IDs. `NSPersistentStoreCoordinatorStoresDidChange` says under
    /// `NSUUIDChangedPersistentStoresKey` which store replaced which, with the IDs of all objects, old and
    /// new ones by turns.
    ///
    /// If there is a store at the place already, the objects are added to it; they have other keys there, and
    /// objects that contexts hold stay those of the removed store. The contexts' unsaved changes are not
    /// among what is copied.
    ///
    /// ```swift
    /// if let store = coordinator.persistentStores.first {
    ///     try coordinator.migratePersistentStore(store, to: url, type: .xml)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - store: a store of this coordinator.
    ///   - storeURL: where the new store is to be.
    ///   - options: those that the new store is added with.
    ///   - storeType: the new store's type.
    /// - Returns: the new store.
    /// - Throws: `NSPersistentStoreOperationError` (134070) if the store isn't this coordinator's; the errors
    ///   of opening and saving a store if the new one can't be made. The old store is as it was then.
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type storeType: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
    }

    final func move(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]?, type: String
    ) throws -> NSPersistentStore {
        let moved = try withLock { try copy(store, to: storeURL, options: options, type: type) }
        for leaving in [store, moved.store] { postWillRemove(leaving) }
        withLock { replace(store, by: moved) }
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self,
            userInfo: [NSUUIDChangedPersistentStoresKey: [store, moved.store, moved.pairs] as [Any]])
        return moved.store
    }

    final func postWillRemove(_ store: NSPersistentStore) {
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorWillRemoveStore, object: store,
            userInfo: [NSRemovedPersistentStoresKey: [store]])
    }

    // MARK: Steps

    /// The new store, attached behind all others, with all rows.
    private func copy(
        _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]?, type: String
    ) throws -> MovedStore {
        guard let entry = attached.first(where: { $0.store === store }) else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, description: "The store isn't one of the coordinator's.",
                file: store.url)
        }
        let draft = try draft(of: MigrationPlace(url: url, type: type, options: options))
        let configuration = store.configurationName
        let isDefault = configuration == NSManagedObjectModel.defaultConfigurationName
        var target: NSPersistentStore?
        var isPublished = false
        do {
            let new = try attach(
                type, configuration: isDefault ? nil : configuration, url: draft?.url ?? url,
                options: options)
            target = new
            let moved = try copy(entry, to: new)
            if let draft {
                try new.move(to: url) {
                    try draft.publish(replacing: .nothing)
                    isPublished = true
                }
            }
            return moved
        } catch {
            target?.willRemove(from: self)
            attached.removeAll { $0.store === target }
            // Tried again, the objects would be added to those that are there.
            if isPublished { draft?.withdraw() } else { draft?.discard() }
            throw error
        }
    }

    /// A new store is made beside its place, which it takes once it has all rows; in a store that is there already, the
    /// rows are one transaction. Clients' classes make their files themselves. `nil` also where no file can be made, as
    /// the error of opening the store there says.
    private func draft(of place: MigrationPlace) throws -> StoreDraft? {
        let location = place.location
        let folder = location.url.deletingLastPathComponent().path
        guard let kind = try StoreRegistry.storeClass(place.type).files, location.canHaveFile,
            persistentStore(for: place.url) == nil,
            !FileManager.default.fileExists(atPath: place.url.path),
            FileManager.default.isWritableFile(atPath: folder),
            !StoreOption.flag(place.options?[NSReadOnlyPersistentStoreOption])
        else { return nil }
        return try StoreDraft(of: kind.init(at: location))
    }

    private func copy(_ entry: AttachedStore, to target: NSPersistentStore) throws -> MovedStore {
        // Stores of clients' classes are asked in the name of a context.
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = self
        let entities = entry.entities.sorted().map { runtime.entities[$0] }
        return try context.performAndWait {
            try context.withStores {
                target.takeClientMetadata(of: entry.store)
                guard target.takesCopies else {
                    let pairs = try ObjectCopy(entry.store, to: target, entities: entities, in: context).run()
                    return MovedStore(store: target, keepsKeys: false, pairs: pairs)
                }
                var copy = StoreCopy(entry.store, to: target, entities: entities)
                try copy.run()
                return MovedStore(
                    store: target, keepsKeys: copy.keepsKeys, pairs: MovedIDs(copy))
            }
        }
    }

    private func replace(_ store: NSPersistentStore, by moved: MovedStore) {
        guard let place = attached.firstIndex(where: { $0.store === store }),
            let new = attached.firstIndex(where: { $0.store === moved.store })
        else { return }
        store.willRemove(from: self)
        attached[place] = attached[new]
        attached.remove(at: new)
        if moved.keepsKeys { store.moveRows(to: moved.store) }
    }
}

/// A store that has been copied.
private struct MovedStore {
    let store: NSPersistentStore
    let keepsKeys: Bool
    let pairs: NSArray
}

extension NSPersistentStore {
    /// Takes over what clients put into another store's metadata.
    func takeClientMetadata(of other: NSPersistentStore) {
        let own: [String: Any] = metadata ?? [:]
        let theirs: [String: Any] = other.metadata ?? [:]
        let fresh = theirs.filter { entry in
            own[entry.key] == nil && !entry.key.hasPrefix("NSStore") && !entry.key.hasPrefix("NSPersistence")
                && !entry.key.hasPrefix("_NS")
        }
        if !fresh.isEmpty { metadata = own.merging(fresh) { mine, _ in mine } }
    }
}

/// The IDs of copied objects, old and new ones by turns, made when they are asked for.
private final class MovedIDs: NSArray {
    private var parts: [(keys: ContiguousArray<Int64>, old: IDOrigin, new: IDOrigin, shift: Int64)] = []

    init(_ copy: StoreCopy) {
        for entity in copy.entities {
            guard let keys = copy.keys[entity.number], !keys.isEmpty else { continue }
            // Not the stores' own origins: those of the old store will lead to the new one.
            parts.append(
                (
                    keys, IDOrigin(entity, store: copy.source), IDOrigin(entity, store: copy.target),
                    copy.shift(entity)
                ))
        }
        super.init()
    }

    required init(objects: UnsafePointer<AnyObject>?, count: Int) {
        super.init(objects: objects, count: count)
    }

    required convenience init?(coder: NSCoder) { nil }

    required convenience init(arrayLiteral elements: Any...) {
        self.init(objects: nil, count: 0)
    }

    override var count: Int { parts.reduce(0) { $0 + 2 * $1.keys.count } }

    override func object(at index: Int) -> Any {
        var rest = index
        for part in parts {
            if rest < 2 * part.keys.count {
                let key = part.keys[rest / 2]
                return rest % 2 == 0
                    ? NSManagedObjectID(part.old, primaryKey: key)
                    : NSManagedObjectID(part.new, primaryKey: key + part.shift)
            }
            rest -= 2 * part.keys.count
        }
        raise(.invalidArgument, "index \(index) is beyond the array's \(count) object IDs")
    }

    override func copy(with zone: NSZone? = nil) -> Any { self }
}
