// The requests that a store answers, in trees, rows, slabs and keys: the seam between Apple's classes and the
// code that keeps the rows.

package import CoreDataSQL
package import CoreDataSchema
package import CoreDataSupport
package import Foundation

/// Answers questions about rows: a store, or one state of it. Asked with the coordinator's lock held, but for a `StoreReader`.
package protocol RowSource: AnyObject {
    /// Delivers the rows that a fetch finds, in its order, in slabs.
    func fetchRows(_ fetch: StoreFetch, body: (RowSlab) throws -> Void) throws

    /// The keys of the rows that a fetch finds, in its order.
    func fetchKeys(_ fetch: StoreFetch) throws -> StoreKeys

    /// The number of rows that a fetch finds.
    func fetchCount(_ fetch: StoreFetch) throws -> Int

    /// Rows of values, one for each column of the request; rows as references of the host.
    func fetchDictionaries(_ fetch: StoreDictionaryFetch) throws -> [[Value]]

    /// The number of rows that `fetchDictionaries` returns.
    func fetchDictionaryCount(_ fetch: StoreDictionaryFetch) throws -> Int

    /// The rows with these keys that exist, in any order.
    func fetchRows(entity: EntityRuntime, primaryKeys: [Int64], _ body: (RowSlab) throws -> Void) throws

    /// One row, `nil` if it is gone.
    func fetchRow(entity: EntityRuntime, primaryKey: Int64) throws -> RowSlab?

    /// The rows on the other side of a to-many relationship of these rows; ordered ones in their order.
    ///
    /// - Parameter areAll: whether the sources may be all that there are. A store may then deliver rows of others as well.
    func fetchRelated(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64], areAll: Bool,
        body: (RelatedRows) throws -> Void
    ) throws

    /// The keys of the rows on the other side of a to-many relationship of one row; ordered ones in their order.
    func fetchRelatedKeys(
        _ relation: RelationRuntime, of entity: EntityRuntime, source: Int64
    ) throws -> StoreKeys
}

extension RowSource {
    package func fetchDictionaryCount(_ fetch: StoreDictionaryFetch) throws -> Int {
        try fetchDictionaries(fetch).count
    }

    package func fetchRelatedKeys(
        _ relation: RelationRuntime, of entity: EntityRuntime, source: Int64
    ) throws -> StoreKeys {
        let destination = relation.destination(in: entity.modelRuntime)
        var found: [(order: Int64, key: Int64, entity: Int32)] = []
        try fetchRelated(relation, of: entity, sources: [source], areAll: false) { rows in
            for row in 0..<rows.slab.count where rows.sources[row] == source {
                let order = rows.orderKeys?[row] ?? Int64(found.count)
                found.append((order, rows.slab.primaryKeys[row], Int32(rows.slab.entities[row])))
            }
        }
        if relation.isOrdered { found.sort { $0.order < $1.order } }
        return StoreKeys(
            primaryKeys: ContiguousArray(found.map(\.key)),
            entities: destination.subtree.count > 1 ? ContiguousArray(found.map(\.entity)) : nil,
            entity: destination.number)
    }
}

/// Keeps the rows of a store. The place and the way are its own choice: in memory, in a file, in a database.
///
/// A store belongs to one host, which asks it with the coordinator's lock held. Errors are those of Errors.md, with the
/// host's URL. `EngineStore` in CoreData makes a class of Apple's of it:
/// `registerStoreClass(EngineStore<MyRows>.self, forStoreType: MyRows.type)`.
///
/// The members under "Abilities" have a default, those of a store that lacks the ability.
package protocol RowStore: RowSource {
    /// `NSStoreType`.
    static var type: String { get }

    /// Returns the metadata of a store that isn't open.
    static func metadata(at url: URL) throws -> StoreMetadata
    /// Writes what a client gives as metadata of a store that isn't open.
    static func setMetadata(_ entries: [PropertyList.Entry], at url: URL) throws

    /// A store that isn't open yet. The host holds it.
    init(host: any StoreHost)

    // MARK: Life

    /// The metadata of the store, with a client's changes since: the next save writes it.
    var metadata: StoreMetadata { get set }
    /// Indicates whether a client changed the metadata since the last save.
    var hasChangedMetadata: Bool { get set }

    /// Reads the metadata of the store at the host's URL.
    func loadMetadata() throws
    /// Opens the store at the host's URL, or makes it.
    func open(_ opening: StoreOpening) throws
    func close()

    // MARK: Writing

    /// Final keys for new rows of an entity's table. They stay used, saved or not.
    func allocateKeys(root: EntityRuntime, count: Int) throws -> Range<Int64>

    /// Writes a change set, runs the closure, which saves to other stores, and only then lets the change set stand. When
    /// the closure throws, nothing of the change set holds. Throws `StoreConflict` if a row isn't as the context saw it,
    /// `StoreConstraintConflict` for values that must be unique.
    func save(_ changes: StoreChanges, before rest: () throws -> Void) throws

    /// Lets the closure write any number of change sets of rows of another store, which hold together or not at all.
    func takeCopies(_ body: (_ write: (StoreChanges) throws -> Void) throws -> Void) throws

    /// Executes a batch, whole or not at all. Throws if the host says that the store may only be read.
    func execute(_ batch: StoreBatch) throws -> BatchChanges

    // MARK: Abilities: its place

    /// The files that a store of the type is; `nil` for one that has no file of its own.
    static var files: (any StoreFiles.Type)? { get }

    /// Indicates whether a file that begins with these bytes, at most 4,096, is a store of the type.
    static func recognizes(_ start: Data) -> Bool

    /// Throws if no store of the type can be at a URL, or none without one.
    static func checkPlace(_ url: URL?) throws

    /// The place that all open stores of one place have in common; `nil` if nobody need know who has it open.
    static func place(of url: URL) -> StorePlace?

    /// Destroys what the store at a URL holds, which no coordinator of this process has open. Asked of stores without a
    /// file of their own; files are removed as such.
    static func destroy(at url: URL, options: [AnyHashable: Any]?) throws

    /// A place beside that of a store, for a store that takes its place once it is whole; `nil` for stores in files, which have
    /// drafts (`StoreDraft`), for those that can't be replaced, and where a store is that is to be added to.
    ///
    /// - Parameter isReplaced: whether what is there is to go.
    static func replacement(
        at url: URL, options: [AnyHashable: Any]?, isReplaced: Bool
    ) throws -> (any StoreReplacement)?

    /// The host's URL is another one: what is there is replaced by the next save.
    func hasMoved()

    /// Opens the store at the host's URL, which is another one, in place of the store that is open. When that fails,
    /// the store goes on with what it has.
    func reopen() throws

    /// Has the closure put the store's file elsewhere, and the host's URL with it, and goes on with it there.
    func move(_ publish: () throws -> Void) throws

    /// Names the state of what the store holds, so that it can be told whether it changed; `nil` if it has no name.
    func nameOfState() -> String?

    // MARK: Abilities: reading

    /// Indicates whether rows can be read on any thread that holds the lock: no read calls code of clients that belongs to a queue.
    var readsOnAnyThread: Bool { get }

    /// A source that reads beside the coordinator's lock, on the thread that took it, until it is given back; `nil` if
    /// the store can't be read so at the moment.
    func takeReader() throws -> (any StoreReader)?

    /// As `takeReader`, of a copy of the store that is at most so many seconds behind it, if there is one.
    func takeReplica(accepting lag: Double) throws -> (any StoreReader)?

    /// Ends what reads keep open for those that follow.
    func endReads()

    /// Indicates whether states of the store can be kept while it is written to.
    var keepsSnapshots: Bool { get }

    /// Keeps what the store holds now readable; `nil` if it can't at the moment.
    func makeSnapshot() throws -> (any ReadSnapshot)?

    /// Gives back what was kept for snapshots, once nobody holds one.
    func releaseUnusedSnapshots()

    // MARK: Abilities: writing

    /// Makes the fetch indexes that were left out of a new store (`StoreOption.leavesOutFetchIndexes`).
    func makeFetchIndexes() throws

    /// The rows whose derived attributes were computed in the last save.
    func takeDerivedRows() -> DerivedRows

    /// The place of the store in a save to several: those that can take a save back come first (0), then those that do so
    /// at a price (1, 2); those that can't are last (3).
    var savesBefore: Int { get }
    /// Indicates whether a save costs what it changes, and not what the store holds.
    var writesChangesOnly: Bool { get }
    /// Indicates whether objects of transformable attributes can stay objects, because nothing is written to
    /// a file.
    var keepsObjects: Bool { get }
    /// Indicates whether rows that are written make their keys known by themselves, so
    /// that none need be allocated.
    var learnsKeys: Bool { get }

    /// The store's persistent history; `nil` if stores of the kind have none.
    var history: (any StoreHistory)? { get }

    // MARK: Abilities: versions

    /// The way in which stores of the kind are brought to a newer version of their model.
    static var migration: StoreMigration { get }

    /// The model that the store, which isn't open, was made with; `nil` if it doesn't keep that.
    func keptModel() throws -> ModelSchema?

    /// Brings the store, which isn't open, to a newer version by itself (`StoreMigration.inPlace`).
    func migrate(_ migration: MigrationInPlace) throws

    /// The steps that `migrate` would take with the store, which isn't open.
    func plannedSteps(of migration: MigrationInPlace) throws -> [PlannedStep]

    /// The relationships that name join tables inside one entity: a choice that only the store tells, and that a store
    /// which takes its place is to keep.
    func joinOwners() throws -> [PropertyAddress]

    // MARK: Abilities: ending work, and looking at it

    /// Stops a request that another thread is at. Called without the coordinator's lock, which that thread holds.
    func interrupt()

    /// Runs a block, whose work stops once `isCancelled` says so where the store can ask amid it.
    func stopping<Result>(
        when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
    ) rethrows -> Result

    /// The parts that tools can look at; `nil` for a store that runs no statements.
    var inspection: (any StoreInspection)? { get }
}
