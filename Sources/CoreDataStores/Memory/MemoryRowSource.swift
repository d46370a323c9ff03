// Questions that are answered by rows in memory.

package import CoreDataSchema
package import CoreDataSupport

/// Has its rows in memory.
package protocol MemoryRowSource: RowSource {
    /// All rows.
    func memory() throws -> MemoryRows
}

extension MemoryRowSource {
    package func fetchRows(_ fetch: StoreFetch, body: (RowSlab) throws -> Void) throws {
        let rows = try memory()
        try rows.deliver(rows.answer { try $0.rows(fetch) }, entity: fetch.entity, body: body)
    }

    package func fetchKeys(_ fetch: StoreFetch) throws -> StoreKeys {
        try memory().answer { try $0.keys(fetch) }
    }

    package func fetchCount(_ fetch: StoreFetch) throws -> Int {
        try memory().answer { rows in try rows.bounded(rows.matching(fetch), fetch: fetch).count }
    }

    package func fetchDictionaries(_ fetch: StoreDictionaryFetch) throws -> [[Value]] {
        try memory().answer { try $0.dictionaries(fetch) }
    }

    package func fetchRows(
        entity: EntityRuntime, primaryKeys: [Int64], _ body: (RowSlab) throws -> Void
    ) throws {
        let rows = try memory()
        try rows.deliver(
            primaryKeys.compactMap { rows.row(entity, primaryKey: $0) }, entity: entity, body: body)
    }

    package func fetchRow(entity: EntityRuntime, primaryKey: Int64) throws -> RowSlab? {
        let rows = try memory()
        return rows.row(entity, primaryKey: primaryKey).map { rows.slab([$0], entity: $0.entity) }
    }

    package func fetchRelated(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64], areAll: Bool,
        body: (RelatedRows) throws -> Void
    ) throws { try memory().deliverRelated(relation, sources: sources, body: body) }
}
