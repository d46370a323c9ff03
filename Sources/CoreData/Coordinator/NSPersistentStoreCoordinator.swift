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

    /// Returns what a store of this coordinator says about itself, `NSStoreType` and `NSStoreUUID` among it.
    open func metadata(for store: NSPersistentStore) -> [String: Any] { withLock { store.metadata ?? [:] } }

    /// Replaces a store's metadata; the next save writes it. Entries that describe the file itself, such as
    /// the version hashes, stay as they are.
    ///
    /// - Parameters:
    ///   - metadata: the new metadata, property list values by key.
    ///   - store: a store of this coordinator.
    open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        withLock { store.metadata = metadata }
    }

    /// Returns what a store that isn't open says about itself. The file stays as it is.
    ///
    /// - Parameters:
    ///   - storeType: the store's type, such as `NSSQLiteStoreType`.
    ///   - url: the store's file.
    ///   - options: not used.
    /// - Throws: `NSFileReadNoSuchFileError` (260) where there is no file; `NSFileReadCorruptFileError` (259)
    ///   or `NSPersistentStoreTypeMismatchError` (134010) for a file that is no store;
    ///   `NSPersistentStoreInvalidTypeError` (134000) for a type without a class.
    open class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try StoreRegistry.storeClass(storeType).metadataForPersistentStore(with: url)
    }

    /// Replaces the metadata of a store that isn't open.
    ///
    /// - Parameters:
    ///   - metadata: the new metadata, property list values by key.
    ///   - storeType: the store's type, such as `NSSQLiteStoreType`.
    ///   - url: the store's file.
    ///   - options: not used.
    /// - Throws: what `metadataForPersistentStore(ofType:at:options:)` throws, and
    ///   `NSFileWriteNoPermissionError` (513) for a file that can't be written.
    open class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try StoreRegistry.storeClass(storeType).setMetadata(metadata, forPersistentStoreAt: url)
    }

    /// Destroys what a store holds. See `destroyPersistentStore(at:type:options:)`.
    ///
    /// - Parameters:
    ///   - url: the store's file.
    ///   - storeType: the store's type, such as `NSSQLiteStoreType`.
    ///   - options: `NSPersistentStoreTimeoutOption`, `NSPersistentStoreForceDestroyOption`.
    /// - Throws: what `destroyPersistentStore(at:type:options:)` throws.
    open func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyStore(at: url, type: storeType, options: options)
    }

    /// Puts a copy of one store in the place of another. See `replacePersistentStore(at:…:type:)`.
    ///
    /// - Parameters:
    ///   - destinationURL: the file to replace, or to make.
    ///   - destinationOptions: of the store that is there.
    ///   - sourceURL: the file to copy.
    ///   - sourceOptions: of the store that is copied.
    ///   - storeType: the type of both, such as `NSSQLiteStoreType`.
    /// - Throws: what
    ///   `replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:type:)` throws.
    open func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        ofType storeType: String
    ) throws {
        try replaceStore(
            at: destinationURL, destinationOptions: destinationOptions, from: sourceURL,
            sourceOptions: sourceOptions, type: storeType)
    }

    /// Copies everything that a store holds to another place. See `migratePersistentStore(_:to:options:type:)`.
    ///
    /// - Parameters:
    ///   - store: a store of this coordinator.
    ///   - URL: where the new store is to be.
    ///   - options: those that the new store is added with.
    ///   - storeType: the new store's type, such as `NSSQLiteStoreType`.
    /// - Returns: the new store.
    /// - Throws: what `migratePersistentStore(_:to:options:type:)` throws.
    @discardableResult
    open func migratePersistentStore(
        _ store: NSPersistentStore, to URL: URL, options: [AnyHashable: Any]? = nil,
        withType storeType: String
    ) throws -> NSPersistentStore {
        try move(store, to: URL, options: options, type: storeType)
    }

    /// Adds the store that a description describes, and calls the handler with the error, if there was one.
    ///
    /// The handler is called before this returns; for a description with `shouldAddStoreAsynchronously` it is
    /// called later, on a thread of the coordinator's.
    ///
    /// - Parameters:
    ///   - storeDescription: the store's type, place and options.
    ///   - block: gets the description and, where the store wasn't added, the error.
    open func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) { addStore(storeDescription, block) }

    /// Returns the store at a URL, if it is one of the coordinator's.
    open func persistentStore(for URL: URL) -> NSPersistentStore? { store(at: URL) }

    /// Returns where a store is; `/dev/null` for a store without a file.
    open func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: "/dev/null") }

    /// Changes where a store is.
    ///
    /// An SQLite store must exist there already: the old file is closed and the other one opened; stores that
    /// are written whole are written there by the next save.
    ///
    /// - Parameters:
    ///   - url: the new place.
    ///   - store: a store of this coordinator.
    /// - Returns: whether that worked.
    open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool { reopen(store, at: url) }

    /// Returns the ID that a URI stands for, if it names a store of this coordinator and an entity of its
    /// model.
    ///
    /// The object needn't exist.
    ///
    /// ```swift
    /// let archived = hero.objectID.uriRepresentation()
    /// if let id = coordinator.managedObjectID(forURIRepresentation: archived) {
    ///     print(try context.existingObject(with: id))
    /// }
    /// ```
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? { objectID(forURI: url) }

    /// Finishes all that migrations with `NSPersistentStoreDeferredLightweightMigrationOptionKey` put off.
    ///
    /// A migration in place is one transaction, whole once the store has been added, so that there never is anything
    /// left to finish and this returns at once (Docs/Deviations.md).
    ///
    /// - Throws: nothing today; clients of Apple's framework expect it to.
    open func finishDeferredLightweightMigration() throws {}

    /// Finishes the next part of what migrations put off, as `finishDeferredLightweightMigration()` does all of it.
    ///
    /// - Throws: nothing today; clients of Apple's framework expect it to.
    open func finishDeferredLightweightMigrationTask() throws {}

    /// Returns the model that the store at a URL was made with, as the store keeps it.
    ///
    /// The file stays as it is. Stores of Mac OS X 10.11 and iOS 9 on keep their model; older ones don't.
    ///
    /// - Parameters:
    ///   - url: the store's file.
    ///   - options: those that the store is added with.
    /// - Throws: `NSMigrationMissingSourceModelError` (134130) if the store keeps no model; the errors of
    ///   opening a store (Docs/Errors.md).
    open class func cachedModelForPersistentStore(
        at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectModel { try keptModel(at: url, options: options) }

    /// Takes the coordinator's lock; it may be taken again on the same thread.
    ///
    /// Superseded by `performAndWait(_:)`.
    open func lock() { mutex.lock() }

    /// Gives the lock back.
    open func unlock() { mutex.unlock() }

    /// Takes the lock unless another thread has it.
    ///
    /// - Returns: whether the lock was taken.
    open func tryLock() -> Bool { mutex.try() }

    /// Runs the closure later, on the coordinator's queue, while nobody else talks to the stores.
    open func perform(_ block: @escaping () -> Void) { performLater(block) }

    /// Runs the closure on this thread while nobody else talks to the stores.
    open func performAndWait(_ block: () -> Void) { withLock(block) }

    /// The store types that can be added, each with its class.
    open class var registeredStoreTypes: [String: NSValue] { classesByType }

    /// Makes a class responsible for stores of a type; `nil` takes the type back.
    ///
    /// - Parameters:
    ///   - storeClass: a subclass of `NSAtomicStore` or `NSIncrementalStore`, or nil.
    ///   - storeType: the type's name, such as the class's own.
    open class func registerStoreClass(_ storeClass: AnyClass?, forStoreType storeType: String) {
        register(storeClass, type: storeType)
    }

    /// Returns where the histories of some stores stand now; of all of the coordinator's for `nil`.
    ///
    /// `nil` if none of the stores keeps a history. A store whose history can't be read is left out, and
    /// logged.
    open func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        currentToken(of: stores)
    }

    /// Returns the ID whose URI is this text.
    open func managedObjectID(for string: String) -> NSManagedObjectID? {
        URL(string: string).flatMap(managedObjectID(forURIRepresentation:))
    }

    open override var description: String {
        "<NSPersistentStoreCoordinator: \(name ?? "") \(persistentStores.count) stores>"
    }
}
