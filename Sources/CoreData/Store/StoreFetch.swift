// What contexts ask of a store, without Apple's request objects: the built-in stores answer in rows.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import Foundation

/// A fetch on one store. Predicates have their variables substituted.
struct StoreFetch {
    let entity: EntityRuntime
    var includesSubentities = true
    var predicate: PredicateTree?
    var sortKeys: [SortKey] = []
    var limit = 0
    var offset = 0

    init(entity: EntityRuntime) {
        self.entity = entity
    }
}

/// Keys of the rows that a fetch found, in its order: 8 bytes a row unless the rows are of several entities.
struct StoreKeys {
    var primaryKeys: ContiguousArray<Int64>
    /// Entity number of each row; `nil` if all are of `entity`.
    var entities: ContiguousArray<Int32>?
    var entity: Int
}

/// A fetch of dictionaries.
struct StoreDictionaryFetch {
    var fetch: StoreFetch
    var columns: [FetchDescription.DictionaryColumn]
    var groupBy: [FetchDescription.DictionaryColumn] = []
    var having: PredicateTree?
    var isDistinct = false
}

/// Related rows of several source rows: a slab, the source of each of its rows, and, for an ordered relationship,
/// the order key of each.
struct RelatedRows {
    var slab: RowSlab
    var sources: ContiguousArray<Int64>
    var orderKeys: ContiguousArray<Int64>?
}
