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
open class NSManagedObjectContext: NSObject, @unchecked Sendable {
    /// The queue or executor of the context's work. Changed only while the context is made.
    final var confinement: ContextConfinement
    /// Flags that the context's objects start with: `checked`, `tracked`, both or none.
    final var freshTraits: ObjectTraits
    /// Calls of observers that wait for a change to be whole.
    final let delivery = ChangeDelivery()
    /// The coordinator; set once, before the context is used.
    private final var coordinator: NSPersistentStoreCoordinator?
    private(set) final var madeRegistry: ObjectRegistry?
    /// The context that this one works on instead of stores; set once.
    private(set) final var parentContext: NSManagedObjectContext?
    /// The contexts whose parent this one is.
    final let children = ChildList()
    /// The place of the IDs that were asked for last.
    final var latestPlace: ObjectPlace?
    /// The stores that a child asks in place of the coordinator's.
    final var parentStores: [ParentStore] = []
    /// Keys that the parent's objects got in place of temporary ones, since this context had the parent.
    final var permanentKeys: [Int64: PermanentKey] = [:]

    /// The entity of the object that a fetch is about to make: its initialiser takes it and makes a fault. Sound because it is
    /// set for that call only, by who holds the model.
    final unowned(unsafe) var shellRuntime: ManagedEntity?
    /// The objects that changed. Unchecked, for each object that changes gets into it: sound because the context's queue alone
    /// uses it (`checkQueue`, ConcurrencyDebugTests), and because none of its functions calls a client's code; that lists
    /// and marks agree, `checkInvariants()` watches in debug builds.
    @exclusivity(unchecked)
    final var changes = ChangeTracker()
    /// The children that merge automatically.
    final let followers = FollowerList()
    /// The list that the context stands in to merge automatically; the flag tells whether it does.
    final var following: FollowerList?
    final var mergesAutomatically = false
    /// Indicates whether, since the last save, an object was deleted for good to which unsaved relationships
    /// may lead, or one that was so already was put into a relationship.
    package final var mayReferToLost = false
    /// Objects whose rows the next save checks, changed or not.
    final var conflictChecked: [NSManagedObject] = []
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
    final var mirrors: [WeakMirror] = []
    /// Indicates that the owner of one of them lost its members.
    final var hasStaleMirrors = false
    /// The object that keeps fetched results of this context up to date; those hold it.
    final weak var resultEvents: ContextEvents?
    /// While a save is under way: the new objects that it told observers of, and the set that they were told of, which
    /// the save's own notification may use again.
    final var announced: (objects: [NSManagedObject], set: Set<NSManagedObject>)?
    /// The place of the stores' histories after the save that is under way, if a store keeps one.
    final var historyOfSave: NSPersistentHistoryToken?
    /// The observers of `hasChanges`, if there ever were any.
    final var changesObservers: ContextObservers?
    final var isProcessingChanges = false
    /// `true` if the main thread's run loop is to process changes at the end of its turn.
    final var awaitsEndOfTurn = false
    final var isSaving = false
    /// Indicates that a save is under way that isn't written yet.
    final var refusesSave = false
    /// The objects of the event that observers are being told of, none once it ended early; nil at other times.
    final var announcedEvent: [NSManagedObject]?
    /// Indicates that saves leave validation to the caller: a migration whose objects aren't whole yet.
    final var savesUnvalidated = false
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
    public final let userInfo = NSMutableDictionary()
    /// Indicates whether a read that fails in code that can't throw stops the process, with a sentence that
    /// names the object or value. False by default: then values that can't be read are nil, and the next
    /// request throws `readError`. An addition to Apple's class.
    open var stopsAtFailedReads = false
    /// The undo manager that records the context's changes, so that they can be undone; `nil`,
    /// the default, if none does.
    ///
    /// Each event (what lies between two calls of `processPendingChanges()`) becomes one action. Several contexts,
    /// and a program's own actions, may share a manager.
    ///
    /// ```swift
    /// context.undoManager = UndoManager()
    /// hero.name = "Ann"
    /// context.processPendingChanges()
    /// context.undo()
    /// ```
    open var undoManager: UndoManager? {
        get { undoRecorder?.manager }
        set { record(with: newValue) }
    }
    /// The policy that resolves conflicts between this context and the store when it saves: an
    /// `NSMergePolicy`. The error policy by default: a conflict fails the save.
    ///
    /// ```swift
    /// context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    /// ```
    open var mergePolicy: Any = NSMergePolicy.error {
        didSet {
            if !(mergePolicy is NSMergePolicy) {
                raise(
                    .invalidArgument,
                    "\(type(of: mergePolicy)) can't be a merge policy: it is no NSMergePolicy")
            }
        }
    }
    /// Indicates whether delete rules are applied whenever changes are processed (true), or at the save only.
    open var propagatesDeletesAtEndOfEvent = true
    /// Indicates whether a fault whose row is gone counts as deleted with nil values, instead of raising, and
    /// one whose row can't be read shows nil. True by default.
    open var shouldDeleteInaccessibleFaults = true
    /// Indicates whether the context keeps every object that it has seen. Unchecked, for each object that is
    /// made asks: sound because the context's queue alone uses it.
    @exclusivity(unchecked)
    open var retainsRegisteredObjects = false {
        didSet { retained = retainsRegisteredObjects ? registeredObjects : [] }
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

    /// A context of the given kind.
    public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.rawValue) }

    /// A context with the settings of an archived one, without a coordinator. `nil` for another archive.
    public required init?(coder: NSCoder) {
        guard let type = Self.archivedType(in: coder) else { return nil }
        confinement = ContextConfinement(type)
        freshTraits = ConcurrencyDebug.isOn ? .checked : []
        super.init()
        takeSettings(from: coder)
    }

    deinit {
        parentContext?.children.remove(self)
        following?.remove(self)
        guard let registry = madeRegistry else { return }
        changes.abandon()
        // Objects that outlive the context keep their values but can reach nothing; cycles between them end here.
        for object in registry.all() { object.extras?.forgetRelations() }
        registry.detachContext()
    }

    /// The context that this one fetches from and saves to, instead of a coordinator. It can be set once, to a
    /// context of the main queue or of a queue of its own.
    ///
    /// A child sees the parent's unsaved changes. Its own reach the parent when it saves, and the store when the
    /// last context above it saves. It keeps its parent alive.
    ///
    /// ```swift
    /// let draft = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    /// draft.parent = container.viewContext
    /// ```
    open var parent: NSManagedObjectContext? {
        get { parentContext }
        set {
            if parentContext === newValue { return }
            checkParent(newValue, hasCoordinator: coordinator != nil)
            parentContext = newValue
            newValue?.children.add(self)
            follow()
        }
    }

    /// The coordinator of the stores that the context works on, in a child its parent's. It can be set once.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { parentContext?.persistentStoreCoordinator ?? coordinator }
        set {
            if persistentStoreCoordinator === newValue { return }
            if parentContext != nil {
                raise(.invalidArgument, "the coordinator of a context with a parent is its parent's")
            }
            if coordinator != nil {
                raise(.invalidArgument, "the coordinator of a context can be set only once")
            }
            coordinator = newValue
            if let newValue { madeRegistry = ObjectRegistry(model: newValue.runtime, context: self) }
            follow()
        }
    }

    /// The identity map.
    final var registry: ObjectRegistry {
        @inline(__always) get { madeRegistry ?? makeRegistry() }
    }

    @inline(never)
    private final func makeRegistry() -> ObjectRegistry {
        let made = ObjectRegistry(model: requiredCoordinator.runtime, context: self)
        madeRegistry = made
        return made
    }

    /// Starts a new identity map; objects of the old one belong to no context.
    final func renewRegistry() {
        let model = registry.model
        registry.detachContext()
        latestPlace = nil
        madeRegistry = ObjectRegistry(model: model, context: self)
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

    final var requiredCoordinator: NSPersistentStoreCoordinator {
        if let coordinator { return coordinator }
        if let parentContext { return parentContext.requiredCoordinator }
        raise(.internalInconsistency, "the context has no persistent store coordinator")
    }

    // MARK: Methods that clients may override, as contexts in tests do

    /// Indicates whether a save would save anything.
    open var hasChanges: Bool { hasUnsavedChanges }

    /// Writes all changes to the stores, each store's in one transaction. When it throws, nothing is written and
    /// the context's changes are as they were.
    ///
    /// ```swift
    /// if context.hasChanges {
    ///     do {
    ///         try context.save()
    ///     } catch {
    ///         context.rollback()
    ///         throw error
    ///     }
    /// }
    /// ```
    ///
    /// - Throws: errors of validation and conflicts, the stores' errors, `NSPersistentStoreOperationError` without a
    ///   coordinator, `readError`; 132001, as Apple's framework does, inside a save of the same context that isn't written yet, as in
    ///   `willSave()`.
    open func save() throws { try saveChanges() }

    /// Drops all unsaved changes: new objects leave, deleted ones return, changed ones are as in the store. With the
    /// changes go those that were computed from values that couldn't be read: these are read again (`readError`).
    ///
    /// ```swift
    /// hero.name = "a try"
    /// context.rollback()
    /// print(context.hasChanges)  // false
    /// ```
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
    /// ```swift
    /// context.refresh(hero, mergeChanges: true)
    /// ```
    ///
    /// - Parameters:
    ///   - object: an object of this context.
    ///   - flag: whether unsaved changes are kept.
    open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        refreshValues(of: object, mergeChanges: flag)
    }

    /// Returns the object of an ID: the registered one, else a fault, which may turn out to have no row.
    ///
    /// ```swift
    /// let other = container.viewContext.object(with: hero.objectID) as? Hero
    /// print(other?.isFault ?? false)
    /// ```
    open func object(with objectID: NSManagedObjectID) -> NSManagedObject { knownObjectOrFault(objectID) }

    /// Returns the object of an ID with its values there.
    ///
    /// ```swift
    /// if let hero = try context.existingObject(with: hero.objectID) as? Hero {
    ///     print(hero.name ?? "")
    /// }
    /// ```
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
}
