// An incremental store as a source of rows: each is a request of its own to the client's class.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// Asks an incremental store.
final class IncrementalRows: RowSource {
    private let store: NSIncrementalStore

    init(_ store: NSIncrementalStore) {
        self.store = store
    }

    func fetchRows(_ fetch: StoreFetch, body: (RowSlab) throws -> Void) throws {
        try store.deliver(store.objectIDs(fetch), entity: fetch.entity, body: body)
    }

    func fetchKeys(_ fetch: StoreFetch) throws -> StoreKeys {
        store.keys(try store.objectIDs(fetch), entity: fetch.entity)
    }

    func fetchCount(_ fetch: StoreFetch) throws -> Int { try store.number(fetch) }

    func fetchDictionaries(_ fetch: StoreDictionaryFetch) throws -> [[Value]] {
        try store.dictionaries(fetch)
    }

    func fetchRows(
        entity: EntityRuntime, primaryKeys: [Int64], _ body: (RowSlab) throws -> Void
    ) throws {
        try store.deliver(
            primaryKeys.map { NSManagedObjectID(entity, primaryKey: $0, store: store) }, entity: entity,
            body: body)
    }

    func fetchRow(entity: EntityRuntime, primaryKey: Int64) throws -> RowSlab? {
        let row = try store.row(NSManagedObjectID(entity, primaryKey: primaryKey, store: store))
        return RowSlab.holding([row], entity: entity)
    }

    func fetchRelated(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64], areAll: Bool,
        body: (RelatedRows) throws -> Void
    ) throws { try store.deliverRelated(relation, of: entity, sources: sources, body: body) }

    func fetchRelatedKeys(
        _ relation: RelationRuntime, of entity: EntityRuntime, source: Int64
    ) throws -> StoreKeys {
        store.keys(
            try store.relatedIDs(relation, of: entity, source: source),
            entity: relation.destination(in: entity.modelRuntime))
    }
}
