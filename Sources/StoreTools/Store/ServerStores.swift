// The kinds of stores on servers that tools know.

public import CoreData
import Synchronization

/// A kind of stores that lie on servers, with what tools ask of it. `coredata` registers PostgreSQL's, so that this library
/// needs no client of a database.
public struct ServerStores: Sendable {
    /// The schemes of the addresses, such as `postgresql`.
    let schemes: Set<String>
    /// Describes the store at an address, in a schema unless that is `nil`. The description's URL has no password; that of an address
    /// that can't be read has another scheme, and the reason as its path.
    let describe: @Sendable (_ address: String, _ schema: String?) throws -> NSPersistentStoreDescription
    /// Returns whether a store has a persistent history.
    let keepsHistory: @Sendable (_ store: NSPersistentStoreDescription) throws -> Bool
    /// Runs one statement that only reads.
    let readSQL: SQLReader
    /// Proposes a model for the tables of a place that holds no store, with remarks on what the model can't say.
    let proposeModel: ModelProposer?
    /// The upkeep of a store; nil where its server needs none.
    let upkeep: Upkeep?

    /// The work of tools on stores beside reading and writing them.
    public struct Upkeep: Sendable {
        /// Has the server take back the room of rows that are no more, and write tables anew if that is wanted. Returns the bytes
        /// before and after.
        public typealias Vacuum =
            @Sendable (_ store: NSPersistentStoreDescription, _ rewriting: Bool) throws -> (
                before: Int, after: Int
            )
        /// Returns the names of what killed programs left beside a store, and removes it if that is wanted.
        public typealias Abandoned =
            @Sendable (_ store: NSPersistentStoreDescription, _ removing: Bool) throws -> [String]
        /// Runs a closure while no other program does the same for the place of a store, which needn't be there; returns false if one
        /// does, without running it.
        public typealias Alone =
            @Sendable (_ place: NSPersistentStoreDescription, _ body: () throws -> Void) throws -> Bool

        let vacuum: Vacuum
        let abandoned: Abandoned
        let alone: Alone

        /// The upkeep of stores of a kind.
        ///
        /// - Parameters:
        ///   - vacuum: has the server take back the room of rows that are no more, and write tables anew if that is wanted;
        ///     returns the bytes before and after.
        ///   - abandoned: returns the names of what killed programs left beside a store, and removes it if that is wanted.
        ///   - alone: runs a closure while no other program does the same for the place of a store; returns false if one does.
        public init(
            vacuum: @escaping Vacuum, abandoned: @escaping Abandoned, alone: @escaping Alone
        ) {
            self.vacuum = vacuum
            self.abandoned = abandoned
            self.alone = alone
        }
    }

    /// Returns a model for the tables of a place, and a sentence for each thing that it can't say.
    public typealias ModelProposer =
        @Sendable (_ place: NSPersistentStoreDescription) throws -> (
            model: NSManagedObjectModel, remarks: [String]
        )

    /// Hands over the names of a statement's columns, once, and then row after row, unless it is to stop.
    public typealias SQLReader =
        @Sendable (
            _ statement: String, _ store: NSPersistentStoreDescription, _ isStopped: @escaping () -> Bool,
            _ columns: ([String]) throws -> Void, _ row: ([SQLValue]) throws -> Void
        ) throws -> Void

    /// A kind of stores.
    ///
    /// - Parameters:
    ///   - schemes: the schemes of their addresses.
    ///   - describe: describes the store at an address, in a schema of its database unless that is `nil`.
    ///   - keepsHistory: returns whether a store has a persistent history.
    ///   - readSQL: runs one statement that only reads, and refuses others.
    ///   - proposeModel: proposes a model for tables that aren't a store's; nil where that can't be.
    ///   - upkeep: what is done for a store beside reading and writing it; nil where its server needs nothing.
    public init(
        schemes: Set<String>,
        describe:
            @escaping @Sendable (_ address: String, _ schema: String?) throws -> NSPersistentStoreDescription,
        keepsHistory: @escaping @Sendable (_ store: NSPersistentStoreDescription) throws -> Bool,
        readSQL: @escaping SQLReader, proposeModel: ModelProposer? = nil, upkeep: Upkeep? = nil
    ) {
        self.schemes = schemes
        self.describe = describe
        self.keepsHistory = keepsHistory
        self.readSQL = readSQL
        self.proposeModel = proposeModel
        self.upkeep = upkeep
    }

    private static let kinds = Mutex<[ServerStores]>([])

    /// Has tools take addresses of this kind from now on.
    public static func register(_ kind: ServerStores) { kinds.withLock { $0.append(kind) } }

    /// Runs one SQL statement that only reads in the database of an open store on a server.
    ///
    /// - Parameters:
    ///   - sql: the statement.
    ///   - store: the store.
    ///   - isStopped: asked from time to time; the statement ends with an error once it says so.
    ///   - columns: gets the columns' names, once, before the first row.
    ///   - row: gets a row's values.
    /// - Throws: `ToolFailure` for a store of a kind that nobody registered; the database's errors; those of the closures.
    public static func readSQL(
        _ sql: String, of store: NSPersistentStore, stoppedWhen isStopped: @escaping () -> Bool,
        columns: ([String]) throws -> Void, row: ([SQLValue]) throws -> Void
    ) throws {
        guard let url = store.url, let kind = kind(of: url.scheme ?? "") else {
            throw ToolFailure("This kind of store has no SQL.")
        }
        let description = NSPersistentStoreDescription(url: url)
        description.type = store.type
        for (key, value) in store.options ?? [:] {
            if let key = key as? String, let value = value as? NSObject {
                description.setOption(value, forKey: key)
            }
        }
        try kind.readSQL(sql, description, isStopped, columns, row)
    }

    /// Returns whether a store is of a kind that is registered.
    public static func includes(_ store: NSPersistentStore) -> Bool {
        kind(of: store.url?.scheme ?? "") != nil
    }

    /// The schemes of all kinds, those that were registered last first.
    package static var schemes: [String] {
        kinds.withLock { $0.reversed().flatMap { $0.schemes.sorted().reversed() } }
    }

    /// The kind of an address's scheme.
    static func kind(of scheme: String) -> ServerStores? {
        kinds.withLock { kinds in kinds.last { $0.schemes.contains(scheme) } }
    }
}
