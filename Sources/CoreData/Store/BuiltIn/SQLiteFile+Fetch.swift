// Fetches: from a request to a statement, and rows, keys and related rows back.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import CoreDataSupport
import Foundation

extension SQLiteFile {
    func planner(_ store: SQLiteStore) -> FetchPlanner {
        FetchPlanner(
            index: model.index, layout: layout, key: { self.key($0, store) },
            entity: { ($0.object as? NSEntityDescription)?.name },
            transform: { try Self.transformed($1, $0) },
            fetch: { try FetchDescription(requestExpression: $0) })
    }

    /// A managed object or object ID of this store as a row.
    private func key(_ reference: ObjectReference, _ store: SQLiteStore) -> ObjectKey? {
        let identity =
            (reference.object as? NSManagedObject)?.objectID ?? reference.object as? NSManagedObjectID
        guard let identity, !identity.isTemporaryID, identity.storeIdentifier == store.contents.uuid,
            let number = layout[identity.runtime.name]?.number
        else { return nil }
        return ObjectKey(entity: number, primaryKey: identity.primaryKey)
    }

    /// A constant that is compared with a transformable attribute, as the attribute stores it.
    private static func transformed(_ value: Value, _ property: PropertySchema) throws -> Value {
        guard let attribute = property.attribute, let object = value.any else { return value }
        return .data(
            try TransformableCoding.encode(object, attribute: attribute, entity: "", property: property.name))
    }

    // MARK: Rows

    func fetchRows(_ fetch: StoreFetch, _ store: SQLiteStore, _ body: (RowSlab) throws -> Void) throws {
        let decoder = try decoder(fetch.entity)
        let statement = try statement(fetch, .rows(columns: decoder.columns), store)
        try engine.fetchRows(statement, decoder: decoder, limit: fetch.limit, into: body)
    }

    func fetchKeys(_ fetch: StoreFetch, _ store: SQLiteStore) throws -> StoreKeys {
        let isPolymorphic = try table(fetch.entity).isPolymorphic
        let found = try engine.fetchKeys(statement(fetch, .keys, store), isPolymorphic: isPolymorphic)
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
    func fetchRelated(
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
    func related(_ relation: RelationRuntime, of entity: EntityRuntime) throws -> RelatedStatements {
        let destination = try table(relation.destination(in: model))
        guard let place = try table(entity).columns[relation.name],
            let found = RelatedStatements(place, destination: destination)
        else {
            throw LayoutFailure(
                entity: entity.name, property: relation.name, "the store has no place for the relationship")
        }
        return found
    }
}

/// What a statement over a to-many relationship depends on.
struct RelatedShape: Hashable {
    /// Numbers of the entity and, in it, of the relationship.
    let entity: Int
    let relation: Int
    let sources: Int
}

extension StoreFetch {
    func description(_ result: FetchDescription.Result) -> FetchDescription {
        var description = FetchDescription(entityName: entity.name, result: result)
        description.includesSubentities = includesSubentities
        description.predicate = predicate
        description.sortKeys = sortKeys
        description.limit = limit
        description.offset = offset
        return description
    }
}

extension FetchDescription {
    /// What the request of a fetch request expression fetches.
    init(requestExpression: ExpressionTree) throws {
        guard case .constant(.object(let reference)) = requestExpression,
            let request = reference.object as? any FetchRequestWithFields
        else { throw TranslationFailure("FETCH: the request must be a constant") }
        try self.init(fields: request.fields)
    }

    /// What a request fetches: keys, a count, or dictionaries of the properties that it names.
    init(fields: FetchRequestFields) throws {
        guard let name = fields.entityName else {
            throw TranslationFailure("the fetch request has no entity")
        }
        self.init(entityName: name, result: .keys)
        if fields.resultType == .countResultType { result = .count }
        if fields.resultType == .dictionaryResultType, let properties = fields.propertiesToFetch {
            result = .dictionaries(try properties.map(DictionaryColumn.init(property:)))
        }
        includesSubentities = fields.includesSubentities
        predicate = fields.predicate?.tree
        sortKeys = try (fields.sortDescriptors ?? []).map { descriptor in
            guard let key = try descriptor.resolvedSortKey() else {
                throw TranslationFailure("a sort descriptor with a closure can't be sorted by in the store")
            }
            return key
        }
        limit = fields.fetchLimit
        offset = fields.fetchOffset
        groupBy = try (fields.propertiesToGroupBy ?? []).map(DictionaryColumn.init(property:))
        having = fields.havingPredicate?.tree
        returnsDistinctResults = fields.returnsDistinctResults
    }
}

extension FetchDescription.DictionaryColumn {
    /// A name, a property description or an expression description of `propertiesToFetch`.
    init(property: Any) throws {
        switch property {
        case let name as String: self.init(name: name, source: .keyPath(name))
        case let keyPath as AnyKeyPath:
            let name = try KeyPathNames.path(keyPath)
            self.init(name: name, source: .keyPath(name))
        case let column as NSExpressionDescription:
            guard let expression = column.expression else {
                throw TranslationFailure("the expression description \"\(column.name)\" has no expression")
            }
            let tree = expression.tree
            if tree == .evaluatedObject, column.expressionResultType == .objectIDAttributeType {
                self.init(name: column.name, source: .objectID)
            } else {
                let type = AttributeType(rawValue: column.expressionResultType.rawValue) ?? .undefined
                self.init(name: column.name, source: .expression(tree, resultType: type))
            }
        case let column as NSPropertyDescription: self.init(name: column.name, source: .keyPath(column.name))
        default: throw TranslationFailure("propertiesToFetch holds \(property), which isn't a property")
        }
    }
}
