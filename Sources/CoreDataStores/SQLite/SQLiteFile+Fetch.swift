// Fetches: from a request to a statement, and rows, keys and related rows back.

import CoreDataPredicate
package import CoreDataSQL
import CoreDataSQLiteEngine
package import CoreDataSchema
import CoreDataSupport
import Foundation

extension SQLiteFile {
    package func planner() -> FetchPlanner {
        let host = self.host
        return FetchPlanner(
            index: model.index, layout: layout, key: { self.key($0) },
            entity: { host.entityName(of: $0.object) },
            transform: { try Self.transformed($1, $0, host) },
            fetch: { request in
                guard case .constant(.object(let reference)) = request else {
                    throw TranslationFailure("FETCH: the request must be a constant")
                }
                return try host.description(of: reference.object)
            })
    }

    /// A managed object or object ID of this store as a row.
    private func key(_ reference: ObjectReference) -> ObjectKey? {
        guard let row = host.row(of: reference.object),
            let number = layout[model.runtimes[Int(row.entity)].name]?.number
        else { return nil }
        return ObjectKey(entity: number, primaryKey: row.primaryKey)
    }

    /// A constant that is compared with a transformable attribute, as the attribute stores it.
    private static func transformed(
        _ value: Value, _ property: PropertySchema, _ host: any StoreHost
    ) throws -> Value {
        guard let attribute = property.attribute, let object = value.any else { return value }
        return .data(try host.encode(object, attribute: attribute, entity: "", property: property.name))
    }

    // MARK: Statements

    /// The number of statements' texts that are kept.
    private static let keptTexts = 256

    /// Plans a fetch.
    package func statement(
        _ fetch: StoreFetch, _ result: FetchDescription.Result
    ) throws -> SQLStatement {
        var bindings: [SQLBinding] = []
        let shape = FetchShape(fetch, result, &bindings)
        if let shape, let text = fetchTexts[shape] { return SQLStatement(text, bindings) }
        let statement = try planner().statement(for: fetch.description(result))
        // A constant that the planner had to look at isn't bound as it is.
        if let shape, statement.bindings == bindings {
            if fetchTexts.count >= Self.keptTexts { fetchTexts.removeAll() }
            fetchTexts[shape] = statement.text
        }
        return statement
    }

    // MARK: Rows

    package func fetchRows(_ fetch: StoreFetch, _ body: (RowSlab) throws -> Void) throws {
        let decoder = try decoder(fetch.entity)
        let statement = try statement(fetch, .rows(columns: decoder.columns))
        try engine.fetchRows(statement, decoder: decoder, limit: fetch.limit, into: body)
    }

    package func fetchKeys(_ fetch: StoreFetch) throws -> StoreKeys {
        let isPolymorphic = try table(fetch.entity).isPolymorphic
        let found = try engine.fetchKeys(statement(fetch, .keys), isPolymorphic: isPolymorphic)
        var keys = StoreKeys(primaryKeys: found.primaryKeys, entities: nil, entity: fetch.entity.number)
        if isPolymorphic && fetch.entity.subtree.count > 1 {
            let fallback = Int32(fetch.entity.number)
            keys.entities = ContiguousArray(
                found.entityNumbers.map { entities[Int($0)].map { Int32($0.number) } ?? fallback })
        }
        return keys
    }

    /// - Parameter areAll: whether the sources are all that there are. Many of them are then read in the order in which
    ///   the rows lie in the file, instead of being looked up.
    package func fetchRelated(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64], areAll: Bool = false,
        _ body: (RelatedRows) throws -> Void
    ) throws {
        guard relation.isStored else { return }
        let decoder = try decoder(relation.destination(in: model))
        let place = try related(relation, of: entity)
        func fetch(_ text: String, _ bindings: [SQLBinding]) throws {
            try engine.fetchRelated(
                SQLStatement(text, bindings), decoder: decoder, isOrdered: place.orderColumn != nil
            ) { slab, sources, orderKeys in
                try body(RelatedRows(slab: slab, sources: sources, orderKeys: orderKeys))
            }
        }
        if areAll, sources.count > 100,
            let text = place.wholeSelection(
                columns: decoder.columns, isPolymorphic: decoder.isPolymorphic)
        {
            return try fetch(text, [])
        }
        var rest = sources[...]
        while let last = rest.last {
            // Few sizes, so that few statements are prepared; spare parameters repeat a key.
            let size = [1, 8, 64, 500].first { $0 >= rest.count } ?? 500
            var bindings = rest.prefix(size).map { SQLBinding.integer($0) }
            rest = rest.dropFirst(size)
            while bindings.count < size { bindings.append(.integer(last)) }
            let shape = RelatedShape(entity: entity.number, relation: relation.number, sources: size)
            let text =
                relatedTexts[shape]
                ?? place.selection(
                    columns: decoder.columns, isPolymorphic: decoder.isPolymorphic, sources: size)
            relatedTexts[shape] = text
            try fetch(text, bindings)
        }
    }

    /// The statements over a to-many relationship.
    package func related(_ relation: RelationRuntime, of entity: EntityRuntime) throws -> RelatedStatements {
        let destination = try table(relation.destination(in: model))
        guard let place = try table(entity).columns[relation.name],
            let found = RelatedStatements(place, destination: destination, in: layout.dialect)
        else {
            throw LayoutFailure(
                entity: entity.name, property: relation.name, "the store has no place for the relationship")
        }
        return found
    }
}

/// The facts that a statement over a to-many relationship depends on.
package struct RelatedShape: Hashable {
    /// Numbers of the entity and, in it, of the relationship.
    package let entity: Int
    package let relation: Int
    package let sources: Int
}

extension StoreFetch {
    package func description(_ result: FetchDescription.Result) -> FetchDescription {
        var description = FetchDescription(entityName: entity.name, result: result)
        description.includesSubentities = includesSubentities
        description.predicate = predicate
        description.sortKeys = sortKeys
        description.limit = limit
        description.offset = offset
        return description
    }
}
