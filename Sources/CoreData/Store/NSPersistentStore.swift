// A persistent store: what Apple's subclasses see, and what the built-in stores answer.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
public import Foundation
import Synchronization

/// The abstract superclass of all stores.
///
/// A store belongs to one coordinator, which serialises what it asks of it.
open class NSPersistentStore: NSObject, @unchecked Sendable {  // the coordinator's lock guards the state
    private weak final var coordinator: NSPersistentStoreCoordinator?
    private final let configuration: String?
    private final let storeOptions: [AnyHashable: Any]?
    private final var storeURL: URL?
    private final var storeMetadata: [String: Any] = [:]
    private final var storeIdentifier: String?
    private final let origins = Mutex<[Int: IDOrigin]>([:])
    /// Origins of IDs that led to stores whose rows moved here, or that were made under another identifier.
    private final let inherited = Mutex<[IDOrigin]>([])
    private final let successor = Mutex<NSPersistentStore?>(nil)
    private final let isEmptied = Atomic<Bool>(false)

    /// Creates a store for a coordinator; nothing is opened yet.
    ///
    /// - Parameters:
    ///   - root: the coordinator.
    ///   - name: the configuration of the model whose entities the store has; nil for all.
    ///   - url: where the store is.
    ///   - options: those that it is added with.
    public init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?,
        at url: URL, options: [AnyHashable: Any]? = nil
    ) {
        coordinator = root
        configuration = name
        storeURL = url
        storeOptions = options
        isReadOnly = (options?[NSReadOnlyPersistentStoreOption] as? Bool) ?? false
        super.init()
    }

    /// The coordinator that the store was added to.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? { coordinator }
    /// The configuration whose entities the store holds; `PF_DEFAULT_CONFIGURATION_NAME` for all of them.
    open var configurationName: String { configuration ?? "PF_DEFAULT_CONFIGURATION_NAME" }
    /// The options that the store was added with.
    open var options: [AnyHashable: Any]? { storeOptions }
    /// The location of the store.
    open var url: URL? {
        get { storeURL }
        set { storeURL = newValue }
    }
    /// `NSStoreUUID`: the store's identity, which object IDs carry.
    open var identifier: String! {  // Apple declares it implicitly unwrapped
        get { storeIdentifier ?? storeMetadata[NSStoreUUIDKey] as? String ?? "" }
        set {
            storeIdentifier = newValue
            renewOrigins()
        }
    }
    /// The type that the store was added as, one of the `NS…StoreType` constants for the built-in ones.
    open var type: String { "" }
    /// Indicates whether saving to the store fails.
    open var isReadOnly = false
    /// The store's metadata with `NSStoreType` and `NSStoreUUID`.
    open var metadata: [String: Any]! {  // Apple declares it implicitly unwrapped
        get { storeMetadata }
        set {
            let before = identifier
            storeMetadata = newValue ?? [:]
            if identifier != before { renewOrigins() }
        }
    }

    /// Returns the part that the IDs of an entity's objects in this store share.
    func origin(of entity: EntityRuntime) -> IDOrigin {
        if let known = origins.withLock({ $0[entity.number] }), known.runtime === entity { return known }
        let made = IDOrigin(entity.managed, store: self)
        origins.withLock { $0[entity.number] = made }
        return made
    }

    /// The store that this one stands for in a child context; otherwise itself.
    var underlying: NSPersistentStore { self }

    /// Indicates whether the rows are in another store now.
    final var hasMoved: Bool { isEmptied.load(ordering: .acquiring) }

    /// The store that holds the rows now: another one once they were moved there.
    final var current: NSPersistentStore {
        if !hasMoved { return self }
        var store: NSPersistentStore = self
        while let next = store.successor.withLock({ $0 }) { store = next }
        return store
    }

    /// Returns whether a row has the same key here and in a store of the same identity that was opened again.
    final func keepsKeys(in other: NSPersistentStore) -> Bool { takesCopies && other.takesCopies }

    /// Says that the rows are in another store now, under the same keys: IDs and registered objects follow.
    final func moveRows(to store: NSPersistentStore) {
        if store === self { return }
        successor.withLock { $0 = store }
        isEmptied.store(true, ordering: .releasing)
        let moved = inherited.withLock { $0 } + origins.withLock { Array($0.values) }
        for origin in moved { origin.move(to: store) }
        store.inherited.withLock { $0 += moved }
    }

    /// Has IDs made from now on get origins of their own.
    private final func renewOrigins() {
        let old = origins.withLock { known in
            defer { known.removeAll() }
            return Array(known.values)
        }
        inherited.withLock { $0 += old }
    }

    /// Indicates whether a client changed the metadata since the last save, which writes it.
    var hasChangedMetadata = false

    /// Returns the metadata of a store that isn't open, read from its file.
    ///
    /// - Throws: what keeps the file from being read.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        throw RequestErrors.missing("metadataForPersistentStore(with:)", in: self)
    }

    /// Replaces the metadata of a store that isn't open.
    ///
    /// - Parameters:
    ///   - metadata: the new metadata, or nil.
    ///   - url: where the store is.
    /// - Throws: what keeps the file from being written.
    open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        throw RequestErrors.missing("setMetadata(_:forPersistentStoreAt:)", in: self)
    }

    /// Returns the class of the managers that migrate stores of this class: `NSMigrationManager`.
    open class func migrationManagerClass() -> AnyClass { usualMigrationManager }

    /// Fills `metadata`, `NSStoreType` and `NSStoreUUID` among it; called when the store is added.
    ///
    /// - Throws: what keeps the store from being opened; it is then not added.
    open func loadMetadata() throws {
        throw RequestErrors.missing("loadMetadata()", in: Swift.type(of: self))
    }

    /// Called when the coordinator has added the store.
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

    /// Called before the coordinator removes the store.
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {}

    // MARK: Requests of contexts Called with the coordinator's lock held.

    /// The source that answers a context's questions about rows at the moment.
    func source() throws -> any RowSource { throw unsupported() }

    /// The engine that keeps the rows, in the built-in stores: to be asked for abilities that some have.
    var rowStore: (any RowStore)? { nil }

    /// The files that stores of the class are; `nil` for classes of clients, and for stores that have none.
    class var files: (any StoreFiles.Type)? { nil }

    /// Indicates whether a file that begins with these bytes is a store of the class.
    class func recognizes(_ start: Data) -> Bool { false }

    /// Throws if no store of the class can be at a URL, or none without one.
    class func checkPlace(_ url: URL?) throws {}

    /// The place that all open stores of the class at one place have in common; `nil` if nobody need know who has it open.
    class func place(of url: URL) -> StorePlace? { nil }

    /// A place for a store that is to take the place of another one; `nil` for classes of clients, for files, and where a store
    /// is that is to be added to.
    class func replacement(
        at url: URL, options: [AnyHashable: Any]?, isReplaced: Bool
    ) throws -> (any StoreReplacement)? { nil }

    /// Destroys what a store of the class holds, which no coordinator of this process has open.
    ///
    /// - Parameter force: whether a file goes that isn't such a store, or that others have open.
    class func destroy(at url: URL, type: String, options: [AnyHashable: Any]?, force: Bool) throws {
        try (files ?? PlainFiles.self).init(at: StoreLocation(url: url, options: options)).destroy(
            force: force)
    }

    /// Opens the store or makes it, for the entities of `model` that are in the configuration.
    func open(model: ModelRuntime) throws { try loadMetadata() }

    /// The model that the store, which isn't open, was made with, if it keeps that.
    func keptModel() throws -> NSManagedObjectModel? { nil }

    /// Brings the store, which isn't open, to the newer version.
    func migrate(
        from source: ModelIndex, _ difference: SchemaDifference, to model: ModelRuntime
    ) throws { throw notInPlace }

    final var notInPlace: NSError {
        MigrationFailure.inPlace(
            CoreDataError.make(
                NSMigrationError, description: MigrationFailure.sentence, file: url,
                reason: "Stores of type \(type) can't be migrated."), file: url)
    }

    /// Delivers the rows that a fetch finds, in its order, in slabs.
    final func fetchRows(_ fetch: StoreFetch, body: (RowSlab) throws -> Void) throws {
        try source().fetchRows(fetch, body: body)
    }

    /// The keys of the rows that a fetch finds, in its order.
    final func fetchKeys(_ fetch: StoreFetch) throws -> StoreKeys { try source().fetchKeys(fetch) }

    /// The number of rows that a fetch finds.
    final func fetchCount(_ fetch: StoreFetch) throws -> Int { try source().fetchCount(fetch) }

    /// Rows of values, one for each column of the request; object IDs as `.object(NSManagedObjectID)`.
    final func fetchDictionaries(_ fetch: StoreDictionaryFetch) throws -> [[Value]] {
        try source().fetchDictionaries(fetch)
    }

    /// The number of rows that `fetchDictionaries` returns.
    final func fetchDictionaryCount(_ fetch: StoreDictionaryFetch) throws -> Int {
        try source().fetchDictionaryCount(fetch)
    }

    /// The rows with these keys that exist, in any order.
    final func fetchRows(
        entity: EntityRuntime, primaryKeys: [Int64], _ body: (RowSlab) throws -> Void
    ) throws {
        try source().fetchRows(entity: entity, primaryKeys: primaryKeys, body)
    }

    /// One row, `nil` if it is gone.
    final func fetchRow(entity: EntityRuntime, primaryKey: Int64) throws -> RowSlab? {
        try source().fetchRow(entity: entity, primaryKey: primaryKey)
    }

    /// The rows on the other side of a to-many relationship of these objects; ordered ones in their order.
    ///
    /// - Parameter areAll: whether the sources may be all that there are. A store may then deliver rows of others as well.
    final func fetchRelated(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64], areAll: Bool,
        body: (RelatedRows) throws -> Void
    ) throws {
        try source().fetchRelated(relation, of: entity, sources: sources, areAll: areAll, body: body)
    }

    /// The same where the sources are some of many.
    final func fetchRelated(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64],
        body: (RelatedRows) throws -> Void
    ) throws { try fetchRelated(relation, of: entity, sources: sources, areAll: false, body: body) }

    /// Final keys for new rows of an entity's table. They stay used, saved or not.
    func allocateKeys(root: EntityRuntime, count: Int) throws -> Range<Int64> { throw unsupported() }

    /// Final keys for new objects of one root entity, for stores that ask the objects.
    func allocateKeys(
        root: EntityRuntime, count: Int, for objects: () -> [NSManagedObject]
    ) throws -> [Int64] {
        try Array(allocateKeys(root: root, count: count))
    }

    /// Indicates whether a fetch should make faults of keys, because every row costs a request of its own.
    var deliversFaults: Bool { false }

    /// The objects of a to-many relationship as keys. Asked of stores that deliver faults.
    final func fetchRelatedKeys(
        _ relation: RelationRuntime, of entity: EntityRuntime, source key: Int64
    ) throws -> StoreKeys { try source().fetchRelatedKeys(relation, of: entity, source: key) }

    /// Returns the name of a row in a store of a client's class; `nil` in the built-in stores.
    func reference(_ primaryKey: Int64, entity: EntityRuntime) -> Any? { nil }

    /// The ID for the text after the `p` of a URI: a row number in the built-in stores.
    func objectID(forReferenceText text: String, entity: EntityRuntime) -> NSManagedObjectID? {
        guard let key = Int64(text), key > 0 else { return nil }
        return NSManagedObjectID(entity, primaryKey: key, store: self)
    }

    /// Stops a request that another thread is at. Called without the coordinator's lock, which that thread holds.
    func interrupt() {}

    /// Runs a block, whose work stops once `isCancelled` says so where the store can ask amid it. Called with the
    /// coordinator's lock held.
    func stopping<Result>(
        when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
    ) rethrows -> Result { try body() }

    /// Indicates whether rows that another store delivered can be written here.
    var takesCopies: Bool { false }

    /// Lets the closure write any number of change sets, which hold together or not at all.
    func takeCopies(_ body: (_ write: (StoreChanges) throws -> Void) throws -> Void) throws {
        throw unsupported()
    }

    /// Has the closure put the store's file elsewhere while it is closed, and opens it there. Asked of stores that take
    /// copies.
    func move(to url: URL, _ publish: () throws -> Void) throws { throw unsupported() }

    /// Goes on at another place (`setURL(_:for:)`). False, and nothing changed, if that fails.
    func reopen(at url: URL) -> Bool {
        self.url = url
        return true
    }

    /// Writes a change set, runs the closure, which saves to other stores, and only then lets the change set stand.
    /// When the closure throws, nothing of the change set holds, as far as the store can take it back. Throws
    /// `StoreConflict` if a row isn't as the context saw it.
    ///
    /// - Parameter objects: those that the rows are of, for stores of clients' classes.
    func save(
        _ changes: StoreChanges, of objects: SavedObjects, before rest: () throws -> Void
    ) throws { throw unsupported() }

    /// The place of the store in a save to several: those that can take a save back come first (0), then those that
    /// do so at a price; those that can't are last.
    var savesBefore: Int { 3 }

    /// Indicates whether rows that are written make their keys known by themselves, so
    /// that none need be allocated.
    var learnsKeys: Bool { false }

    /// Indicates whether objects of transformable attributes can stay objects, because
    /// nothing is written to a file.
    var keepsObjects: Bool { false }

    /// The rows whose derived attributes were computed in the last save.
    func takeDerivedRows() -> DerivedRows { DerivedRows() }

    /// Executes a batch, whole or not at all. Stores of clients' classes don't.
    func execute(_ batch: StoreBatch) throws -> BatchChanges {
        if isReadOnly { throw ErrorMapping.readOnly(url, keepsHistory: false) }
        throw CoreDataError.make(
            NSPersistentStoreUnsupportedRequestTypeError,
            description: "The store doesn't execute batch requests.",
            file: url)
    }

    private func unsupported() -> NSError {
        CoreDataError.make(
            NSPersistentStoreUnsupportedRequestTypeError,
            description: "The store does not answer this request.",
            file: url,
            reason: "\(Swift.type(of: self)) does not answer it")
    }
}
