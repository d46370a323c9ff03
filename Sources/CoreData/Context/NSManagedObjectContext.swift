// The context: the objects of one unit of work, what changed in them, and the way to the stores.

import CoreDataSupport
import Dispatch
public import Foundation
import Synchronization

/// A space in which managed objects are fetched, made, changed, and saved together.
///
/// A context and its objects belong to its queue: use them inside `perform` or `performAndWait`, or on the main
/// thread for a context of the main queue.
///
/// Unchecked because the queue confines it: contexts are captured by the blocks that `perform` runs there.
///
/// ```swift
/// try await context.perform {
///     let hero = Hero(context: context)
///     hero.name = "Ann"
///     try context.save()
/// }
/// ```
open class NSManagedObjectContext: NSObject, NSCoding, KeyValueObserving, @unchecked Sendable {
    /// The queue or executor of the context's work. Changed only while the context is made.
    final var confinement: ContextConfinement
    /// Flags that the context's objects start with: `checked`, `tracked`, both or none.
    final var freshTraits: ObjectTraits
    /// The lock that clients take by `lock()`.
    final let clientLock = NSRecursiveLock()
    /// Calls of observers that wait for a change to be whole.
    final let delivery = ChangeDelivery()
    /// The coordinator; set once, before the context is used.
    final var coordinator: NSPersistentStoreCoordinator?
    final var madeRegistry: ObjectRegistry?
    /// The context that this one works on instead of stores; set once.
    final var parentContext: NSManagedObjectContext?
    /// The contexts whose parent this one is.
    final let children = ChildList()
    /// The place of the IDs that were asked for last.
    final var latestPlace: ObjectPlace?
    /// The stores and keys of the parent.
    final var parentState = ParentState()

    /// The entity of the object that a fetch is about to make: its initialiser takes it and makes a fault. Sound because it is
    /// set for that call only, by who holds the model.
    final var shellReference: Unmanaged<ManagedEntity>?
    /// The objects that changed. Unchecked, for each object that changes gets into it: sound because the context's queue alone
    /// uses it (`checkQueue`, ConcurrencyDebugTests), and because none of its functions calls a client's code; that lists
    /// and marks agree, `checkInvariants()` watches in debug builds.
    @exclusivity(unchecked)
    final var changes = ChangeTracker()
    /// The saves that it takes over, and the children that follow its own.
    final var merging = MergingState()
    /// Indicates whether, since the last save, an object was deleted for good to which unsaved relationships
    /// may lead, or one that was so already was put into a relationship.
    package final var mayReferToLost = false
    /// Recent fetches in batches, whose faults are filled together. Unchecked: sound because the context's queue alone uses it,
    /// which `checkQueue` watches (ConcurrencyDebugTests).
    @exclusivity(unchecked)
    final var batches = FaultBatches()
    /// Reads that failed where nothing could be thrown.
    final var failedReads = FailedReads()
    /// Indicates whether the block that runs has read by key, so that a store may have a transaction open. Unchecked as
    /// `changes` is: each fault sets it, on the context's queue.
    @exclusivity(unchecked)
    final var hasLookedUp = false
    /// Mutable ordered sets that clients may hold.
    final var mirrors = MirrorList()
    /// The object that keeps fetched results of this context up to date; those hold it.
    final weak var resultEvents: ContextEvents?
    /// The observers of `hasChanges`, if there ever were any.
    final var changesObservers: ContextObservers?
    /// The event that is going on.
    final var events = EventState()
    /// The save that is under way.
    final var saving = SavingState()
    /// Records changes for the undo manager, if there is one.
    final var undoRecorder: UndoRecorder?

    /// The state of the stores that the context is pinned to. Only under the coordinator's lock, except to see on the
    /// context's queue whether there is one.
    final var generation: QueryGeneration?

    /// Told of the statements that stores run for this context, once the coordinator traces them (`traceSQL()`).
    package final var sqlObserver: (@Sendable (SQLRun) -> Void)?

    /// The place that the context reads from: the stores themselves by default. Only stores on servers have others
    /// (`NSPersistentStoreDescription(postgreSQL:schema:replica:)`). Saves go to the stores, and find conflicts with what is there. A
    /// nested context reads what its parent reads. An addition to Apple's class.
    ///
    /// ```swift
    /// context.readFrom = .replica(maximumLag: 5)
    /// ```
    open var readFrom = ReadSource.store

    /// A name for logs.
    open var name: String?
    /// The author in persistent history.
    open var transactionAuthor: String?
    /// Anything a client wants to keep with the context.
    open var userInfo: NSMutableDictionary { clientInfo }
    private let clientInfo = NSMutableDictionary()
    /// Indicates whether a read that fails in code that can't throw stops the process, with a sentence that
    /// names the object or value. False by default: then values that can't be read are nil, and the next
    /// request throws `readError`. An addition to Apple's class.
    open var stopsAtFailedReads = false
    /// The undo manager that records the context's changes, so that they can be undone; `nil`,
    /// the default, if none does.
    ///
    /// Each event (what lies between two calls of `processPendingChanges()`) becomes one action. Several contexts,
    /// and a program's own actions, may share a manager.
    open var undoManager: UndoManager? {
        get { undoRecorder?.manager }
        set { record(with: newValue) }
    }
    /// The policy that resolves conflicts between this context and the store when it saves: an
    /// `NSMergePolicy`. The error policy by default: a conflict fails the save.
    open var mergePolicy: Any = NSMergePolicy.error { didSet { checkMergePolicy() } }
    /// Indicates whether delete rules are applied whenever changes are processed (true), or at the save only.
    open var propagatesDeletesAtEndOfEvent = true
    /// Indicates whether a fault whose row is gone counts as deleted with nil values, instead of raising, and
    /// one whose row can't be read shows nil. True by default.
    open var shouldDeleteInaccessibleFaults = true
    /// Indicates whether the context keeps every object that it has seen. Unchecked, for each object that is
    /// made asks: sound because the context's queue alone uses it.
    @exclusivity(unchecked)
    open var retainsRegisteredObjects = false {
        didSet { retained = retainsRegisteredObjects ? knownObjects : [] }
    }
    final var retained: Set<NSManagedObject> = []
    /// The time, in seconds, that values may stand before a refresh reads them anew. Values are always read
    /// from the store here (Docs/Deviations.md), which satisfies any interval.
    open var stalenessInterval: TimeInterval = -1

    /// A context of the given kind.
    public init(concurrencyType ct: NSManagedObjectContextConcurrencyType) {
        confinement = ContextConfinement(ct)
        freshTraits = ConcurrencyDebug.isOn ? .checked : []
        super.init()
    }

    /// A context without a queue, for one thread at a time.
    @available(*, deprecated, message: "Use init(concurrencyType:) with another type.")
    public override convenience init() {
        self.init(concurrencyType: .confinementConcurrencyType)
    }

    /// A context with the settings of an archived one, without a coordinator. `nil` for another archive.
    public required init?(coder: NSCoder) {
        guard let type = Self.archivedType(in: coder) else { return nil }
        confinement = ContextConfinement(type)
        freshTraits = ConcurrencyDebug.isOn ? .checked : []
        super.init()
        takeSettings(from: coder)
    }

    deinit { releaseObjects() }

    /// The context that this one fetches from and saves to, instead of a coordinator. It can be set once, to a
    /// context of the main queue or of a queue of its own.
    ///
    /// A child sees the parent's unsaved changes. Its own reach the parent when it saves, and the store when the
    /// last context above it saves. It keeps its parent alive.
    open var parent: NSManagedObjectContext? {
        get { parentContext }
        set { take(parent: newValue) }
    }

    /// The coordinator of the stores that the context works on, in a child its parent's. It can be set once.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { parentContext?.persistentStoreCoordinator ?? coordinator }
        set { take(coordinator: newValue) }
    }

    /// Decides whether a fault whose row is gone counts as deleted with nil values (true) or raises. Asked as well when
    /// the row, members or an external value can't be read: `readError` says why, and with true the values are nil until
    /// the object is refreshed, without being deleted.
    ///
    /// - Parameters:
    ///   - fault: the object.
    ///   - oid: its ID.
    ///   - property: the property that was asked for, where it is known.
    /// - Returns: true to go on with nil values; false to stop the process.
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID,
        triggeredByProperty property: NSPropertyDescription?
    ) -> Bool { shouldDeleteInaccessibleFaults }

    // MARK: Methods that clients may override, as contexts in tests do

    /// Indicates whether a save would save anything.
    open var hasChanges: Bool { hasUnsavedChanges }

    /// Writes all changes to the stores, each store's in one transaction. When it throws, nothing is written and
    /// the context's changes are as they were.
    ///
    /// - Throws: errors of validation and conflicts, the stores' errors, `NSPersistentStoreOperationError` without a
    ///   coordinator, `readError`; 132001, as Apple's framework does, inside a save of the same context that isn't written yet, as in
    ///   `willSave()`.
    open func save() throws { try saveChanges() }

    /// Drops all unsaved changes: new objects leave, deleted ones return, changed ones are as in the store. With the
    /// changes go those that were computed from values that couldn't be read: these are read again (`readError`).
    open func rollback() { rollBack() }

    /// Forgets every object. Objects that a client still holds belong to no context any more: they are faults, whose
    /// values are nil.
    open func reset() { forgetObjects() }

    /// Adds a new object, which the next save writes. The object's initialiser does this already.
    open func insert(_ object: NSManagedObject) { insertNew(object) }

    /// Marks an object to be deleted by the next save; a new one is forgotten. Delete rules follow when changes
    /// are processed.
    ///
    /// ```swift
    /// for hero in try context.fetch(NSFetchRequest<Hero>(entityName: "Hero")) {
    ///     context.delete(hero)
    /// }
    /// try context.save()
    /// ```
    open func delete(_ object: NSManagedObject) { markDeleted(object) }

    /// Makes an object read its values from the store again. Without `mergeChanges` it becomes a fault and loses
    /// its changes, and a new object leaves the context; with it, changes are kept over the fresh values.
    ///
    /// - Parameters:
    ///   - object: an object of this context.
    ///   - flag: whether unsaved changes are kept.
    open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        refreshValues(of: object, mergeChanges: flag)
    }

    /// Returns the object of an ID: the registered one, else a fault, which may turn out to have no row.
    open func object(with objectID: NSManagedObjectID) -> NSManagedObject { knownObjectOrFault(objectID) }

    /// Returns the object of an ID with its values there.
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) if the store has no such row.
    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        try loadedObject(objectID)
    }

    /// Gives new objects the IDs that they will have in the store, ahead of the save.
    ///
    /// - Throws: the stores' errors, `NSPersistentStoreOperationError` without a coordinator, `readError`.
    open func obtainPermanentIDs(for objects: [NSManagedObject]) throws {
        try assignPermanentIDs(to: objects)
    }

    /// Executes a fetch, an asynchronous fetch, a batch, a request for history or a save, and returns the answer: a
    /// `NSPersistentStoreAsynchronousResult` at once for an asynchronous fetch, whose block runs later on the
    /// context's queue. Batches go to the stores themselves, from a child context too.
    ///
    /// - Returns: the answer, of the class that the request states: an `NSBatchInsertResult` for an
    ///   `NSBatchInsertRequest`, and so on.
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` for requests that no store of the context can
    ///   answer, and what the request itself throws; `NSPersistentStoreOperationError` without a coordinator; `readError`.
    @discardableResult
    open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        try result(of: request)
    }

    /// Runs a block on the context's queue, later, then processes changes.
    open func perform(_ block: @escaping () -> Void) { performLater(block) }

    /// Runs a block on the context's queue and waits for it. May be nested.
    ///
    /// ```swift
    /// let count = try context.performAndWait { try context.count(for: Hero.fetchRequest()) }
    /// print(count)
    /// ```
    open func performAndWait(_ block: () -> Void) { performWaiting(block) }

    /// The type of the context: on the main queue or a queue of its own.
    open var concurrencyType: NSManagedObjectContextConcurrencyType { confinement.type }

    /// New objects that are not saved yet.
    open var insertedObjects: Set<NSManagedObject> { changedObjects { $0.state.isToInsert } }
    /// Saved objects with unsaved changes.
    open var updatedObjects: Set<NSManagedObject> { changedObjects { $0.state.isToUpdate } }
    /// Objects that the next save deletes.
    open var deletedObjects: Set<NSManagedObject> {
        changedObjects { $0.state.isToDelete && !$0.state.isNew }
    }

    /// The objects that the context knows at the moment.
    open var registeredObjects: Set<NSManagedObject> { knownObjects }

    /// Returns the object of an ID if the context has it already.
    open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? { knownObject(objectID) }

    /// Returns what a request asks for. The typed form asks this one in a subclass, and so does `NSFetchRequest.execute()`.
    ///
    /// - Throws: what the typed form throws.
    open func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] {
        try results(of: request)
    }

    /// Returns how many objects there are for a request, as the typed form does, which asks this one.
    ///
    /// - Throws: what `fetch(_:)` throws.
    open func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int {
        try number(of: request)
    }

    /// Makes every object without changes a fault; changed objects keep their changes over fresh values.
    open func refreshAllObjects() { refreshAll() }

    /// Applies delete rules and tells observers what changed since the last time.
    open func processPendingChanges() { processChanges() }

    /// Undoes the last group of the undo manager, this context's or not. Nothing without an undo manager.
    open func undo() { undoLast() }

    /// Does again what `undo()` took back last.
    open func redo() { redoLast() }

    /// Marks an object so that the next save checks that its row didn't change, even if the object itself didn't.
    open func detectConflicts(for object: NSManagedObject) { checkConflicts(of: object) }

    /// States which store a new object is to be saved to.
    ///
    /// - Parameters:
    ///   - object: a new object.
    ///   - store: a store of the coordinator that has the object's entity.
    open func assign(_ object: Any, to store: NSPersistentStore) { assignStore(store, to: object) }

    /// Takes over what another context saved: refreshes the objects that are here and were updated, keeping unsaved
    /// changes over the fresh values, makes faults of inserted ones, and marks deleted ones as such. The notification
    /// may be a `didSaveObjectsNotification` or a `didSaveObjectIDsNotification`, of a context on this coordinator or
    /// on another one that has the same store.
    ///
    /// May be called on any thread: the work is done on the context's queue, and waited for.
    open func mergeChanges(fromContextDidSave notification: Notification) { takeOver(notification) }

    /// Has each context take over what was saved elsewhere, by a batch request or another process for example.
    ///
    /// ```swift
    /// let deletion = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Hero"))
    /// deletion.resultType = .resultTypeObjectIDs
    /// let result = try context.execute(deletion) as? NSBatchDeleteResult
    /// let gone = [NSDeletedObjectIDsKey: result?.result as? [NSManagedObjectID] ?? []]
    /// NSManagedObjectContext.mergeChanges(fromRemoteContextSave: gone, into: [container.viewContext])
    /// ```
    ///
    /// - Parameters:
    ///   - changeNotificationData: Arrays or sets of object IDs, of their URIs, or of objects, under the keys of save
    ///     notifications: `NSInsertedObjectIDsKey` or `NSInsertedObjectsKey`, and so on. IDs of stores that a
    ///     context's coordinator doesn't have are left out.
    ///   - contexts: Those that take the changes over, each on its own queue.
    open class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any],
        into contexts: [NSManagedObjectContext]
    ) { takeOver(remote: changeNotificationData, into: contexts) }

    /// Indicates whether the context merges, later and on its own queue, the saves of other contexts
    /// to its coordinator or into its parent, and, in a child context, the saves and merges of its
    /// parent. `false` by default.
    ///
    /// ```swift
    /// container.viewContext.automaticallyMergesChangesFromParent = true
    /// ```
    open var automaticallyMergesChangesFromParent: Bool {
        get { merging.isAutomatic }
        set { mergeAutomatically(newValue) }
    }

    /// The generation that the context is pinned to: `nil` if it follows its stores, as it does by default, and in a
    /// child, which sees what its parent sees; `NSQueryGenerationToken.current` until the first read.
    open var queryGenerationToken: NSQueryGenerationToken? { pinnedGeneration }

    /// Pins the context to a state of its SQLite stores: what it fetches and what its faults are filled with is from
    /// then on as it was, whoever writes.
    ///
    /// Objects that have their values keep them: `refreshAllObjects()` or a fetch brings those of the generation.
    /// The context moves on to the stores' newest state, and stays pinned there, when it saves or is reset and when
    /// changes are merged into it. Saves aren't affected: they find conflicts with what was written since.
    ///
    /// Other stores, and SQLite stores without a write-ahead log, are read as they are.
    ///
    /// ```swift
    /// try context.setQueryGenerationFrom(.current)
    /// ```
    ///
    /// - Parameter generation: `NSQueryGenerationToken.current` for the state at the context's next read; the token
    ///   of another context of the same coordinator for the one that it reads; `nil` to follow the stores.
    /// - Throws: `NSPersistentStoreOperationError` if the token is another coordinator's or has expired, if the context
    ///   has a parent, whose generation it reads, or no coordinator. The context then stays as it was.
    open func setQueryGenerationFrom(_ generation: NSQueryGenerationToken?) throws { try pin(to: generation) }

    /// Archives the context's settings: neither its objects nor its coordinator, which the client sets anew.
    open func encode(with coder: NSCoder) { archiveSettings(in: coder) }

    open func observeValue(
        forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
        context: UnsafeMutableRawPointer?
    ) {}
}
