// What a store can be asked, in trees, rows, slabs and keys: the seam between Apple's classes and whatever keeps the rows.

package import CoreDataSQL
package import CoreDataSchema
package import CoreDataSupport
package import Foundation

/// Answers questions about rows. Asked with the coordinator's lock held.
package protocol RowSource: AnyObject {
    /// Delivers the rows that a fetch finds, in its order, in slabs.
    func fetchRows(_ fetch: StoreFetch, _ body: (RowSlab) throws -> Void) throws

    /// The keys of the rows that a fetch finds, in its order.
    func fetchKeys(_ fetch: StoreFetch) throws -> StoreKeys

    /// The number of rows that a fetch finds.
    func fetchCount(_ fetch: StoreFetch) throws -> Int

    /// Rows of values, one for each column of the request; rows as references of the host.
    func fetchDictionaries(_ fetch: StoreDictionaryFetch) throws -> [[Value]]

    /// The rows with these keys that exist, in any order.
    func fetchRows(entity: EntityRuntime, primaryKeys: [Int64], _ body: (RowSlab) throws -> Void) throws

    /// One row, `nil` if it is gone.
    func fetchRow(entity: EntityRuntime, primaryKey: Int64) throws -> RowSlab?

    /// The rows on the other side of a to-many relationship of these rows; ordered ones in their order.
    ///
    /// - Parameter areAll: whether the sources may be all that there are. A store may then deliver rows of others as well.
    func fetchRelated(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64], areAll: Bool,
        _ body: (RelatedRows) throws -> Void
    ) throws
}

/// What a store is opened for.
package struct StoreOpening {
    package let model: ModelRuntime
    /// The names of the entities that the store's configuration has; `nil` for all.
    package let members: Set<String>?
    /// Whether the store is opened whatever its version hashes say.
    package let ignoresVersions: Bool

    package init(model: ModelRuntime, members: Set<String>? = nil, ignoresVersions: Bool = false) {
        self.model = model
        self.members = members
        self.ignoresVersions = ignoresVersions
    }
}

/// How stores of one kind are brought to a newer version of their model.
package enum StoreMigration {
    /// Not at all.
    case none
    /// By a new store, into which the objects are copied.
    case copy
}

/// Keeps the rows of a store. Where and how is its own affair: in memory, in a file, in a database.
///
/// A store belongs to one host, which asks it with the coordinator's lock held. Errors are those of Errors.md, with the
/// host's URL. `EngineStore` in CoreData makes a class of Apple's of it:
/// `registerStoreClass(EngineStore<MyRows>.self, forStoreType: MyRows.type)`.
package protocol RowStore: RowSource {
    /// `NSStoreType`.
    static var type: String { get }
    /// Whether the whole store is one file that is read and replaced as a whole.
    static var isWholeFile: Bool { get }
    static var migration: StoreMigration { get }

    /// What a store that isn't open says about itself.
    static func metadata(at url: URL) throws -> StoreMetadata
    /// Writes what a client gives as metadata of a store that isn't open.
    static func setMetadata(_ entries: [PropertyList.Entry], at url: URL) throws

    /// A store that isn't open yet. The host holds it.
    init(host: any StoreHost)

    // MARK: Life

    /// What the store says about itself, with what a client changed since: the next save writes it.
    var metadata: StoreMetadata { get set }
    /// Whether a client changed the metadata since the last save.
    var hasChangedMetadata: Bool { get set }

    /// Reads the metadata of the store at the host's URL.
    func loadMetadata() throws
    /// Opens the store at the host's URL, or makes it.
    func open(_ opening: StoreOpening) throws
    func close()
    /// The host's URL is another one: what is there is replaced by the next save.
    func hasMoved()

    // MARK: Writing

    /// Final keys for new rows of an entity's table. They stay used, saved or not.
    func allocateKeys(root: EntityRuntime, count: Int) throws -> Range<Int64>

    /// Writes a change set, runs the closure, which saves to other stores, and only then lets the change set stand. When
    /// the closure throws, nothing of the change set holds. Throws `StoreConflict` if a row isn't as the context saw it,
    /// `StoreConstraintConflict` for values that must be unique.
    func save(_ changes: StoreChanges, before rest: () throws -> Void) throws

    /// Lets the closure write any number of change sets of rows of another store, which hold together or not at all.
    func takeCopies(_ body: (_ write: (StoreChanges) throws -> Void) throws -> Void) throws

    /// Executes a batch, whole or not at all.
    func execute(_ batch: any StoreBatch) throws -> BatchChanges

    /// The rows whose derived attributes were computed in the last save.
    func takeDerivedRows() -> DerivedRows

    /// The place of the store in a save to several: those that can take a save back come first (0), then those that do so
    /// at a price (1, 2); those that can't are last (3).
    var savesBefore: Int { get }
    /// Whether objects of transformable attributes can stay objects, because nothing is written to a file.
    var keepsObjects: Bool { get }
    /// Whether rows that are written make their keys known by themselves, so that none need be allocated.
    var learnsKeys: Bool { get }

    // MARK: Ending work

    /// Stops a request that another thread is at. Called without the coordinator's lock, which that thread holds.
    func interrupt()

    /// Runs a block, whose work stops once `isCancelled` says so where the store can ask amid it.
    func stopping<Result>(
        when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
    ) rethrows -> Result
}

extension RowStore {
    package static var isWholeFile: Bool { false }
    package static var migration: StoreMigration { .none }

    package func hasMoved() { hasChangedMetadata = true }
    package func takeDerivedRows() -> DerivedRows { DerivedRows() }
    package var savesBefore: Int { 3 }
    package var keepsObjects: Bool { false }
    package var learnsKeys: Bool { false }
    package func interrupt() {}

    package func stopping<Result>(
        when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
    ) rethrows -> Result { try body() }
}
