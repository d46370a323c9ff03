// The description of a fetch as a value. `FetchPlanner` turns it into a statement.

package import CoreDataPredicate
package import CoreDataSchema

/// A fetch without context or objects.
package struct FetchDescription: Sendable {
    /// The contents of each row of the result.
    package enum Result: Sendable {
        /// Z_ENT (only if the table is polymorphic), Z_PK, Z_OPT, then these physical columns of the entity's
        /// table in this order.
        case rows(columns: [String])
        /// Z_ENT (only if the table is polymorphic), Z_PK.
        case keys
        /// One number: the count of matching rows after offset and limit.
        case count
        /// One value (two for `.objectID` and to-one relationships of polymorphic destinations: Z_ENT, then Z_PK)
        /// for each column.
        case dictionaries([DictionaryColumn])
        /// One number: the count of the rows that a fetch of these columns has, groups and equal rows put together.
        case dictionaryCount([DictionaryColumn])
    }

    /// A column of a dictionary result.
    package struct DictionaryColumn: Sendable, Hashable {
        package enum Source: Sendable, Hashable {
            /// An attribute or to-one relationship, or a key path over to-one relationships that ends in one.
            case keyPath(String)
            /// An expression description.
            case expression(ExpressionTree, resultType: AttributeType)
            /// The object's own ID.
            case objectID
        }

        package var name: String
        package var source: Source

        package init(name: String, source: Source) {
            self.name = name
            self.source = source
        }
    }

    package var entityName: String
    package var includesSubentities = true
    package var predicate: PredicateTree?
    package var sortKeys: [SortKey] = []
    package var limit = 0
    package var offset = 0
    package var result: Result
    package var groupBy: [DictionaryColumn] = []
    package var having: PredicateTree?
    package var returnsDistinctResults = false

    package init(entityName: String, result: Result) {
        self.entityName = entityName
        self.result = result
    }
}

/// A row's address inside a store: Z_ENT and Z_PK.
package struct ObjectKey: Sendable, Hashable {
    package var entity: Int
    package var primaryKey: Int64

    package init(entity: Int, primaryKey: Int64) {
        self.entity = entity
        self.primaryKey = primaryKey
    }
}

/// The reason why SQL can't answer a fetch. The reason names the part of the request.
package struct TranslationFailure: Error, Sendable, Hashable {
    package var reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}
