// Reads: of the store, and beside it on connections of their own.

import CoreDataPostgreSQLEngine
package import CoreDataSchema
package import CoreDataStores
package import CoreDataSupport
import Foundation

/// Reads rows from tables.
package protocol PostgreSQLRowSource: RowSource {
    /// Runs the closure on the tables to read from and gives its failures Apple's codes.
    func reading<Result>(_ body: (PostgreSQLTables) throws -> Result) throws -> Result
}

extension PostgreSQLRowSource {
    package func fetchRows(_ fetch: StoreFetch, body: (RowSlab) throws -> Void) throws {
        try reading { try $0.fetchRows(fetch, body: body) }
    }

    package func fetchKeys(_ fetch: StoreFetch) throws -> StoreKeys {
        try reading { try $0.fetchKeys(fetch) }
    }

    package func fetchCount(_ fetch: StoreFetch) throws -> Int {
        try reading { try $0.fetchCount(fetch) }
    }

    package func fetchDictionaries(_ fetch: StoreDictionaryFetch) throws -> [[Value]] {
        try reading { try $0.fetchDictionaries(fetch) }
    }

    package func fetchDictionaryCount(_ fetch: StoreDictionaryFetch) throws -> Int {
        try reading { try $0.fetchCount(fetch) }
    }

    package func fetchRows(
        entity: EntityRuntime, primaryKeys: [Int64], _ body: (RowSlab) throws -> Void
    ) throws {
        try reading { try $0.fetchRows(entity: entity, primaryKeys: primaryKeys, body) }
    }

    package func fetchRow(entity: EntityRuntime, primaryKey: Int64) throws -> RowSlab? {
        try reading { try $0.fetchRow(entity: entity, primaryKey: primaryKey) }
    }

    package func fetchRelated(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64], areAll: Bool,
        body: (RelatedRows) throws -> Void
    ) throws {
        try reading {
            try $0.fetchRelated(relation, of: entity, sources: sources, areAll: areAll, body: body)
        }
    }
}

extension PostgreSQLRowStore: PostgreSQLRowSource {
    package func reading<Result>(_ body: (PostgreSQLTables) throws -> Result) throws -> Result {
        guard let tables else { throw StoreErrors.removed(host.url) }
        return try mapping(.fetching) { try body(tables) }
    }

    /// A connection of the pool's. Without one the read has to wait for its turn, as the lock lets it.
    package func takeReader() throws -> (any StoreReader)? {
        guard let readers else { return nil }
        return try mapping(.fetching) {
            try readers.take().map { PostgreSQLReader(self, pool: readers, tables: $0) }
        }
    }
}

/// Tables that one thread reads with.
final class PostgreSQLReader: StoreReader, PostgreSQLRowSource {
    private let store: PostgreSQLRowStore
    private let pool: ServerPool<PostgreSQLTables>
    private let tables: PostgreSQLTables

    init(_ store: PostgreSQLRowStore, pool: ServerPool<PostgreSQLTables>, tables: PostgreSQLTables) {
        self.store = store
        self.pool = pool
        self.tables = tables
    }

    func reading<Result>(_ body: (PostgreSQLTables) throws -> Result) throws -> Result {
        try store.mapping(.fetching) { try body(tables) }
    }

    func stopping<Result>(
        when isCancelled: @escaping () -> Bool, _ body: () throws -> Result
    ) rethrows -> Result { try tables.stopping(when: isCancelled, body) }

    func giveBack() { pool.giveBack(tables) }
}
