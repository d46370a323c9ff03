// Adding, finding and removing stores.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
public import Foundation

extension NSPersistentStoreCoordinator {
    final func add(
        _ storeType: String, configuration: String?, url: URL?, options: [AnyHashable: Any]?
    ) throws -> NSPersistentStore {
        let store = try withLock {
            try attach(storeType, configuration: configuration, url: url, options: options)
        }
        postStoresDidChange(NSAddedPersistentStoresKey, store: store)
        return store
    }

    /// Opens a store, or makes it where there is none, and adds it.
    ///
    /// ```swift
    /// let store = try coordinator.addPersistentStore(
    ///     type: .sqlite, at: url, options: [NSReadOnlyPersistentStoreOption: true])
    /// print(store.metadata[NSStoreUUIDKey] ?? "")
    /// ```
    ///
    /// - Parameters:
    ///   - type: the store's type.
    ///   - configuration: the configuration of the model whose entities the store has; nil for all.
    ///   - storeURL: the store's file.
    ///   - options: how to open it: `NSReadOnlyPersistentStoreOption` and the like.
    /// - Returns: the store.
    /// - Throws: what `addPersistentStore(ofType:configurationName:at:options:)` throws.
    @discardableResult
    public func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(
            ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    final func addStore(
        _ storeDescription: NSPersistentStoreDescription,
        _ block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        let work = PendingStore(description: storeDescription, handler: block)
        if storeDescription.shouldAddStoreAsynchronously {
            queue.async { work.run(on: self) }
        } else {
            work.run(on: self)
        }
    }

    final func takeAway(_ store: NSPersistentStore) throws {
        guard withLock({ attached.contains { $0.store === store } }) else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, description: "The store isn't one of the coordinator's.",
                file: store.url)
        }
        postWillRemove(store)
        withLock {
            store.willRemove(from: self)
            attached.removeAll { $0.store === store }
            departed.removeAll { $0.store == nil }
            departed.append(DepartedStore(store: store))
        }
        postStoresDidChange(NSRemovedPersistentStoresKey, store: store)
    }

    final func store(at URL: URL) -> NSPersistentStore? {
        withLock { attached.first { $0.store.url.map { samePlace($0, and: URL) } ?? false }?.store }
    }

    final func reopen(_ store: NSPersistentStore, at url: URL) -> Bool {
        withLock {
            guard attached.contains(where: { $0.store === store }) else { return false }
            return store.reopen(at: url)
        }
    }

    // MARK: Attaching

    final func attach(
        _ type: String, configuration: String?, url: URL?, options: [AnyHashable: Any]?
    ) throws -> NSPersistentStore {
        let storeClass = try StoreRegistry.storeClass(type)
        let entities = try entities(of: configuration, url: url)
        try storeClass.checkPlace(url)
        let place = url ?? URL(string: "memory://\(UUID().uuidString)") ?? URL(fileURLWithPath: "/dev/null")
        if attached.contains(where: { $0.store.url.map { samePlace($0, and: place) } ?? false }) {
            throw twice(place)
        }
        let store = storeClass.make(
            self, configurationName: configuration, at: place, options: options)
        try open(store)
        let identifier = store.identifier ?? ""
        if attached.contains(where: { $0.store.identifier == identifier }) {
            store.willRemove(from: self)
            throw twice(place)
        }
        attached.append(AttachedStore(store: store, entities: entities))
        for earlier in departed.compactMap(\.store)
        where earlier.identifier == identifier && earlier.keepsKeys(in: store) { earlier.moveRows(to: store) }
        store.didAdd(to: self)
        return store
    }

    private func open(_ store: NSPersistentStore) throws {
        do {
            try store.open(model: runtime)
        } catch {
            guard asksForMigration(store, after: error) else { throw error }
            try migrate(store)
            try store.open(model: runtime)
        }
    }

    /// The numbers of a configuration's entities.
    private func entities(of configuration: String?, url: URL?) throws -> Set<Int> {
        guard let descriptions = managedObjectModel.entities(forConfigurationName: configuration) else {
            throw CoreDataError.make(
                NSPersistentStoreIncompatibleSchemaError,
                description: "The store can't be opened with this configuration.",
                file: url, reason: "The model has no configuration \"\(configuration ?? "")\".")
        }
        return Set(descriptions.compactMap { runtime.entity(for: $0)?.number })
    }

    private func twice(_ url: URL) -> NSError {
        // Apple's code for it has no name.
        CoreDataError.make(
            134081, description: "The store has been added already.", file: url,
            reason: "Can't add the same store twice")
    }

    private func samePlace(_ left: URL, and right: URL) -> Bool {
        if left == right { return left.path != "/dev/null" }
        guard left.isFileURL, right.isFileURL else { return false }
        return left.standardizedFileURL.resolvingSymlinksInPath().path
            == right.standardizedFileURL.resolvingSymlinksInPath().path && left.path != "/dev/null"
    }

    private func postStoresDidChange(_ key: String, store: NSPersistentStore) {
        NotificationCenter.default.post(
            name: .NSPersistentStoreCoordinatorStoresDidChange, object: self, userInfo: [key: [store]])
    }
}

/// A store that is about to be added.
///
/// Unchecked because the signature is Apple's; who asks for it on another thread hands both over.
private struct PendingStore: @unchecked Sendable {
    let description: NSPersistentStoreDescription
    let handler: (NSPersistentStoreDescription, (any Error)?) -> Void

    func run(on coordinator: NSPersistentStoreCoordinator) {
        do {
            try coordinator.addPersistentStore(
                ofType: description.type, configurationName: description.configuration, at: description.url,
                options: description.storeOptions)
        } catch {
            return handler(description, error)
        }
        handler(description, nil)
    }
}

extension NSPersistentStoreDescription {
    /// The options as a store gets them.
    fileprivate var storeOptions: [AnyHashable: Any] {
        var all: [AnyHashable: Any] = [:]
        for (key, value) in options { all[key] = value }
        return all
    }
}
