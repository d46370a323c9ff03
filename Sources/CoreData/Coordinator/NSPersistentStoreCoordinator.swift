// The coordinator: which stores there are for a model, and one lock around all that is asked of them.

import CoreDataSchema
import CoreDataSupport
public import Foundation
import Synchronization

/// Brings a model and its stores together, for any number of contexts.
///
/// Requests of contexts to stores are serialised: one at a time. The coordinator may be used from any thread.
///
/// ```swift
/// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
/// try coordinator.addPersistentStore(type: .sqlite, at: url)
/// let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
/// context.persistentStoreCoordinator = coordinator
/// ```
open class NSPersistentStoreCoordinator: NSObject, NSLocking, @unchecked Sendable {
    // Unchecked: `attached` and `label` are touched under `mutex` only, the rest never changes.
    final let runtime: ManagedModel
    final let mutex = NSRecursiveLock()
    final let queue = DispatchQueue(label: "coredata.coordinator")
    /// The contexts that merge automatically what others save.
    final let followers = FollowerList()
    /// Only under `mutex`.
    final var attached: [AttachedStore] = [] {
        didSet {
            hasIncrementalStores = attached.contains { $0.store is NSIncrementalStore }
            let stores = attached
            known.withLock { $0 = stores }
            storesVersion.add(1, ordering: .releasing)
        }
    }
    /// The contents of `attached`, for callers without the lock.
    final let known = Mutex<[AttachedStore]>([])
    /// The number of threads that wait for the lock to write.
    final let waitingWriters = Atomic<Int>(0)
    /// Another number whenever stores were added or removed.
    final let storesVersion = Atomic<Int>(0)
    /// Only under `mutex`.
    private(set) final var hasIncrementalStores = false
    /// Stores that were removed: objects of theirs are read from the same store once it is added again. Only
    /// under `mutex`.
    final var departed: [DepartedStore] = []
    /// Finds a version by its checksum among those of the stages through which a store is led here: its own may be
    /// nowhere else.
    final var stagedVersion: (_ checksum: String) throws -> NSManagedObjectModel? = { _ in nil }
    private final var label: String?
    /// The context whose request is being answered. Only under `mutex`; stores of clients' classes are told.
    /// Set for the time of the request only; not weak, which would slow down every use of the context.
    final unowned(unsafe) var requester: NSManagedObjectContext?

    /// A coordinator without stores. The model is in use from now on and can't be changed.
    public init(managedObjectModel model: NSManagedObjectModel) {
        runtime = ManagedModel.of(model)
        super.init()
    }

    /// Not to be used: a coordinator needs a model. Stops the process, as Apple's framework raises.
    public override convenience init() {
        raise(.invalidArgument, "Cannot create an NSPersistentStoreCoordinator with a nil model")
    }

    /// The model whose objects the stores hold.
    open var managedObjectModel: NSManagedObjectModel { runtime.model }

    /// The stores, in the order in which they were added.
    open var persistentStores: [NSPersistentStore] { known.withLock { $0.map(\.store) } }

    /// A name of the client's choice, shown in messages.
    open var name: String? {
        get { withLock { label } }
        set { withLock { label = newValue } }
    }

    /// Opens a store, or makes it where there is none, and adds it.
    ///
    /// - Parameters:
    ///   - storeType: the store's type, such as `NSSQLiteStoreType`.
    ///   - configuration: the configuration of the model whose entities the store has; nil for all.
    ///   - storeURL: the store's file; nil for a store in memory.
    ///   - options: how to open it: `NSReadOnlyPersistentStoreOption` and the like.
    /// - Returns: the store.
    /// - Throws: `NSPersistentStoreIncompatibleVersionHashError` (134100) where the store was made with
    ///   another model and isn't to be migrated; `NSFileReadCorruptFileError` (259) and
    ///   `NSPersistentStoreTypeMismatchError` (134010) for what is no store; others by Docs/Errors.md. The
    ///   file is unharmed then.
    @discardableResult
    open func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try add(storeType, configuration: configuration, url: storeURL, options: options)
    }

    /// Removes a store, whose objects can't be read or saved any more.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070) if the store isn't this coordinator's.
    open func remove(_ store: NSPersistentStore) throws { try takeAway(store) }

    /// Executes a request for a context, as the context's own `fetch(_:)` and `execute(_:)` do.
    ///
    /// - Parameters:
    ///   - request: a fetch, a batch or a request for history; contexts save by `save()`.
    ///   - context: the context that the objects will belong to.
    /// - Returns: an array of what a fetch finds, a batch's result, or an `NSPersistentHistoryResult`.
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` (134091) for other requests; what the
    ///   context's methods throw.
    open func execute(
        _ request: NSPersistentStoreRequest, with context: NSManagedObjectContext
    ) throws -> Any {
        try answer(request, for: context)
    }

    open override var description: String {
        "<NSPersistentStoreCoordinator: \(name ?? "") \(persistentStores.count) stores>"
    }
}

/// A store that a coordinator no longer has.
struct DepartedStore {
    weak var store: NSPersistentStore?
}

/// A store of a coordinator, with the entities that its configuration gives it.
struct AttachedStore: Sendable {
    let store: NSPersistentStore
    /// Numbers of the entities (`ManagedEntity.number`) whose objects the store may hold.
    let entities: Set<Int>

    /// Returns whether a fetch for the entity may find something here: the entity itself or one below it.
    func mayHold(_ entity: ManagedEntity) -> Bool {
        entities.contains(entity.number) || entity.subtree.contains(where: entities.contains)
    }
}

extension NSPersistentStoreCoordinator {
    // MARK: Requests of contexts

    /// The stores that may hold objects of the entity or of those below it, restricted to a request's stores.
    final func stores(for entity: ManagedEntity, affected: [NSPersistentStore]? = nil) -> [NSPersistentStore]
    {
        known.withLock { known in
            known.compactMap { entry in
                guard entry.mayHold(entity) else { return nil }
                if let affected, !affected.contains(where: { $0 === entry.store }) { return nil }
                return entry.store
            }
        }
    }

    /// Returns the store for a new object of the entity: the first store that may hold it and can be written.
    /// `nil` if there is none; a read-only one if there are only such, so that the save says so.
    final func store(forNew entity: ManagedEntity) -> NSPersistentStore? {
        known.withLock { known in
            let candidates = known.filter { $0.entities.contains(entity.number) }
            return (candidates.first { !$0.store.isReadOnly } ?? candidates.first)?.store
        }
    }

    /// Returns whether the store may hold objects of the entity.
    final func store(_ store: NSPersistentStore, mayHold entity: ManagedEntity) -> Bool {
        known.withLock { $0.contains { $0.store === store && $0.entities.contains(entity.number) } }
    }

    /// The store whose object IDs carry this `NSStoreUUID`.
    final func store(identifier: String) -> NSPersistentStore? {
        withLock {
            attached.first { ($0.store.identifier ?? "").caseInsensitiveCompare(identifier) == .orderedSame }?
                .store
        }
    }
}
