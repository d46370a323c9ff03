// The requests of contexts to a store, without Apple's request objects: the built-in stores answer in rows.

package import CoreDataPredicate
package import CoreDataSQL
package import CoreDataSchema
import Foundation

/// A fetch on one store. Predicates have their variables substituted.
package struct StoreFetch {
    package let entity: EntityRuntime
    package var includesSubentities = true
    package var predicate: PredicateTree?
    package var sortKeys: [SortKey] = []
    package var limit = 0
    package var offset = 0

    package init(entity: EntityRuntime) {
        self.entity = entity
    }
}

/// Keys of the rows that a fetch found, in its order: 8 bytes a row unless the rows are of several entities.
package struct StoreKeys {
    package var primaryKeys: ContiguousArray<Int64>
    /// Entity number of each row; `nil` if all are of `entity`.
    package var entities: ContiguousArray<Int32>?
    package var entity: Int

    package init(primaryKeys: ContiguousArray<Int64>, entities: ContiguousArray<Int32>? = nil, entity: Int) {
        self.primaryKeys = primaryKeys
        self.entities = entities
        self.entity = entity
    }

    /// Puts the keys in their own order, which is that of the rows in a file.
    package mutating func sort() {
        if zip(primaryKeys, primaryKeys.dropFirst()).allSatisfy({ $0 < $1 }) { return }
        guard let entities else { return primaryKeys.sort() }
        let places = primaryKeys.indices.sorted { primaryKeys[$0] < primaryKeys[$1] }
        self.entities = ContiguousArray(places.map { entities[$0] })
        primaryKeys = ContiguousArray(places.map { primaryKeys[$0] })
    }
}

/// A fetch of dictionaries.
package struct StoreDictionaryFetch {
    package var fetch: StoreFetch
    package var columns: [FetchDescription.DictionaryColumn]
    package var groupBy: [FetchDescription.DictionaryColumn] = []
    package var having: PredicateTree?
    package var isDistinct = false

    package init(
        fetch: StoreFetch, columns: [FetchDescription.DictionaryColumn],
        groupBy: [FetchDescription.DictionaryColumn] = [], having: PredicateTree? = nil,
        isDistinct: Bool = false
    ) {
        self.fetch = fetch
        self.columns = columns
        self.groupBy = groupBy
        self.having = having
        self.isDistinct = isDistinct
    }
}

/// Related rows of several source rows: a slab, the source of each of its rows, and, for an ordered relationship,
/// the order key of each.
package struct RelatedRows {
    package var slab: RowSlab
    package var sources: ContiguousArray<Int64>
    package var orderKeys: ContiguousArray<Int64>?

    package init(slab: RowSlab, sources: ContiguousArray<Int64>, orderKeys: ContiguousArray<Int64>? = nil) {
        self.slab = slab
        self.sources = sources
        self.orderKeys = orderKeys
    }
}
