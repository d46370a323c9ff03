// An open store's tables on a server, reached by one connection.

package import CoreDataPostgreSQLEngine
package import CoreDataSQL
package import CoreDataSchema
package import CoreDataStores
package import CoreDataSupport
package import Foundation
import Synchronization

/// The facts about an open store that all its connections share.
struct PostgreSQLStoreShape: Sendable {
    let model: ModelRuntime
    let layout: StoreLayout
    let rowLayouts: [String: RowLayout]
    let entities: [Int: EntityRuntime]
    /// The sources of the keys of tables that aren't the store's own, by table.
    let keySources: [String: KeySource]
    let indexes: [IndexShape]
    /// Indicates whether tables may be somebody else's.
    var isLaidOver: Bool { layout.tables.values.contains(where: \.isStated) }

    /// - Parameter existing: the tables that the store may be laid over.
    init(
        _ model: ModelRuntime, _ blueprint: StoreBlueprint, existing: [String: ExistingTable]
    ) throws {
        keySources = blueprint.keySources(existing)
        indexes = try blueprint.indexes()
        layout = blueprint.layout()
        self.model = model
        rowLayouts = Dictionary(
            model.runtimes.map { ($0.name, $0.layout) }, uniquingKeysWith: { first, _ in first })
        var entities: [Int: EntityRuntime] = [:]
        for table in layout.tables.values { entities[table.number] = model.runtime(named: table.entityName) }
        self.entities = entities
    }
}

/// The numbers of an entity and, in it, of a relationship.
private struct RelationKey: Hashable {
    let entity: Int
    let relation: Int
}

/// The tables of a store.
///
/// Unchecked because one thread at a time uses them; only `interrupt` is for others.
package final class PostgreSQLTables: TableStore, ConnectionHolder, @unchecked Sendable {
    let shape: PostgreSQLStoreShape
    /// The owner of the store. The host holds the tables.
    private unowned let owner: any StoreHost
    private let makeConnection: () throws -> ServerConnection
    private var current: ServerConnection
    /// The same for `interrupt`, which other threads call.
    private let interruptible: Mutex<ServerConnection>
    private var decoders: [SlabDecoder?]
    private var encoders: [SlabEncoder?]
    package var statements: SaveStatements
    package var fetchTexts: [FetchShape: String] = [:]
    /// Texts of statements over to-many relationships.
    private var relatedTexts: [RelationKey: String] = [:]
    /// The statement by which a transaction bounds its waiting for others' locks.
    var lockTimeout: SQLStatement?
    /// The settings for the store's history; `nil` for tables that are only read.
    var tracking: PostgreSQLTracking?
    /// The numbers of the entities with derived attributes.
    let derivingEntities: Set<Int>
    /// The values that triggers wrote in the transaction that goes on, or in the last one.
    var derived: [DerivedValue] = []
    /// Asked in each transaction whether the store is of the version that it was opened with, where no connection of the store's
    /// keeps it from being migrated.
    var versions: PostgreSQLVersions?
    /// Keys that were taken and aren't used, by root entity.
    private var spareKeys: [Int: Range<Int64>] = [:]

    package var host: any StoreHost { owner }
    package var model: ModelRuntime { shape.model }
    package var layout: StoreLayout { shape.layout }
    package var entities: [Int: EntityRuntime] { shape.entities }
    /// Somebody else's foreign keys may delete rows by themselves.
    package var deletesReferringRowsFirst: Bool { isLaidOver }
    let isLaidOver: Bool

    /// - Parameter makeConnection: connects anew when the connection is lost.
    init(
        _ shape: PostgreSQLStoreShape, host: any StoreHost, connection: ServerConnection,
        makeConnection: @escaping () throws -> ServerConnection
    ) {
        self.shape = shape
        owner = host
        current = connection
        interruptible = Mutex(connection)
        self.makeConnection = makeConnection
        statements = SaveStatements(shape.layout.dialect)
        derivingEntities = shape.derivingEntities
        isLaidOver = shape.isLaidOver
        decoders = Array(repeating: nil, count: shape.model.runtimes.count)
        encoders = Array(repeating: nil, count: shape.model.runtimes.count)
    }

    /// The connection. One that the server has closed between two requests is replaced; a request that it was lost in fails.
    func connection() throws -> ServerConnection {
        if !current.isInTransaction, current.isBroken || current.isIdle && current.wasClosedByServer {
            Log.warning("the connection to \(current.address) was lost: the store connects anew")
            let made = try makeConnection()
            current = made
            interruptible.withLock { $0 = made }
        }
        return current
    }

    /// The connection, whatever its state.
    package var heldConnection: ServerConnection { current }

    /// Cancels what the connection is at. For any thread.
    func interrupt() { interruptible.withLock { $0 }.cancel() }

    /// Runs a block, whose statements are cancelled once `isCancelled` says so.
    func stopping<Result>(
        when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
    ) rethrows -> Result { try current.stopping(when: isCancelled, body) }

    func close() { current.close() }

    func decoder(_ entity: EntityRuntime) throws -> SlabDecoder {
        if let known = decoders[entity.number] { return known }
        let made = SlabDecoder(entity: try table(entity), in: layout, layouts: shape.rowLayouts)
        decoders[entity.number] = made
        return made
    }

    func encoder(_ entity: EntityRuntime) throws -> SlabEncoder {
        if let known = encoders[entity.number] { return known }
        let made = SlabEncoder(
            entity: try table(entity), layout: entity.layout, in: layout, layouts: shape.rowLayouts)
        encoders[entity.number] = made
        return made
    }

    // MARK: Reading

    package func fetchRows(_ fetch: StoreFetch, body: (RowSlab) throws -> Void) throws {
        let decoder = try decoder(fetch.entity)
        let statement = try statement(fetch, result: .rows(columns: decoder.columns))
        try connection().fetchRows(statement, decoder: decoder, into: body)
    }

    func fetchKeys(_ fetch: StoreFetch) throws -> StoreKeys {
        let isPolymorphic = try table(fetch.entity).isPolymorphic
        let found = try connection().fetchKeys(statement(fetch, result: .keys), isPolymorphic: isPolymorphic)
        var keys = StoreKeys(primaryKeys: found.primaryKeys, entities: nil, entity: fetch.entity.number)
        if isPolymorphic && fetch.entity.subtree.count > 1 {
            let fallback = Int32(fetch.entity.number)
            keys.entities = ContiguousArray(
                found.numbers.map { entities[Int($0)].map { Int32($0.number) } ?? fallback })
        }
        return keys
    }

    func fetchCount(_ fetch: StoreFetch) throws -> Int {
        try connection().fetchCount(statement(fetch, result: .count))
    }

    func fetchCount(_ fetch: StoreDictionaryFetch) throws -> Int {
        try connection().fetchCount(countStatement(fetch))
    }

    package func fetchRows(entity: EntityRuntime, primaryKeys: [Int64], _ body: (RowSlab) throws -> Void)
        throws
    {
        try connection().fetchRows(primaryKeys: primaryKeys, decoder: decoder(entity), into: body)
    }

    package func fetchRow(entity: EntityRuntime, primaryKey: Int64) throws -> RowSlab? {
        let connection = try connection()
        // The row that made a statement of a transaction fail is asked for once that has ended.
        try connection.endFailedTransaction()
        return try connection.fetchRow(primaryKey: primaryKey, decoder: decoder(entity))
    }

    package func fetchValues(_ statement: SQLStatement) throws -> [[SQLBinding]] {
        try connection().fetchValues(statement)
    }

    /// A decimal stands in a text where no whole number is it.
    package func value(_ binding: SQLBinding, as type: AttributeType) -> Value {
        guard case .text(let text) = binding, let number = Double(text) else { return binding.value(type) }
        return switch type {
        case .double, .float: .double(number)
        case .integer16, .integer32, .integer64, .boolean, .date: SQLBinding.double(number).value(type)
        default: binding.value(type)
        }
    }

    /// Values of any size are in the table.
    package func externalData(_ cell: Data) throws -> Data { cell }

    func fetchRelated(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64], areAll: Bool,
        body: (RelatedRows) throws -> Void
    ) throws {
        guard relation.isStored else { return }
        let decoder = try decoder(relation.destination(in: model))
        let place = try related(relation, of: entity)
        let whole =
            areAll && sources.count > 100
            ? place.wholeSelection(columns: decoder.columns, isPolymorphic: decoder.isPolymorphic) : nil
        let shape = RelationKey(entity: entity.number, relation: relation.number)
        let text =
            whole ?? relatedTexts[shape]
            ?? place.selection(columns: decoder.columns, isPolymorphic: decoder.isPolymorphic, sources: 1)
        if whole == nil { relatedTexts[shape] = text }
        try connection().fetchRelated(
            text, sources: whole == nil ? sources : nil, decoder: decoder, isOrdered: place.orderColumn != nil
        ) { slab, sources, orderKeys in
            try body(RelatedRows(slab: slab, sources: sources, orderKeys: orderKeys))
        }
    }

    // MARK: Writing

    package func execute(_ statement: SQLStatement) throws { try connection().send(statement) }

    package func insert(_ rows: [StoreChanges.Row], of entity: EntityRuntime) throws {
        try connection().insert(
            rows.map(\.row), primaryKeys: rows.map(\.primaryKey), encoder: encoder(entity))
    }

    package func update(
        _ rows: [RowUpdate], of entity: EntityRuntime, refused: @escaping ([Int]) -> Void
    ) throws {
        try connection().update(rows, encoder: encoder(entity), refused: refused)
    }

    package func delete(
        primaryKeys: [Int64], versions: [Int64], of entity: EntityRuntime, refused: @escaping ([Int]) -> Void
    ) throws {
        try connection().delete(
            primaryKeys: primaryKeys, versions: versions, encoder: encoder(entity), refused: refused)
    }

    package func finish() throws { try connection().finish() }

    /// A number by which the same change set is known again, keys of new rows included.
    func digest(of changes: StoreChanges) throws -> Int {
        var hasher = Hasher()
        for row in changes.inserted + changes.updated {
            let encoder = try encoder(row.entity)
            hasher.combine(row.key)
            hasher.combine(row.expectedVersion)
            hasher.combine(row.changedSlots)
            try encoder.digest(of: row.row, slots: row.changedSlots, into: &hasher)
        }
        for row in changes.deleted {
            hasher.combine(row.key)
            hasher.combine(row.expectedVersion)
        }
        for join in changes.joins {
            hasher.combine([join.entity.number, join.relation.number])
            for keys in [[join.source], join.added, join.removed, join.order ?? []] { hasher.combine(keys) }
        }
        for order in changes.orders {
            hasher.combine([order.entity.number, order.relation.number])
            hasher.combine([order.source] + order.order)
        }
        return hasher.finalize()
    }

    /// Keys of a block that was taken before, or of new ones.
    func allocateKeys(root: EntityRuntime, count: Int) throws -> Range<Int64> {
        var spare = spareKeys[root.number] ?? 0..<0
        if spare.count < count {
            let table = try table(root)
            spare = try connection().takeKeys(count, of: table, from: shape.keySources[table.table])
        }
        let end = spare.lowerBound + Int64(count)
        spareKeys[root.number] = end..<spare.upperBound
        return spare.lowerBound..<end
    }
}
