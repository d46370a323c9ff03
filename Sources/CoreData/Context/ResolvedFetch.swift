// A fetch request made definite for one context: entity found, predicate as a tree, stores chosen.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import Foundation

/// What a fetch request means in a context.
struct ResolvedFetch {
    let entity: EntityRuntime
    let stores: [NSPersistentStore]
    let fields: FetchRequestFields
    var storeFetch: StoreFetch
    /// A sort that no store can do: by a comparator of the client's.
    let memorySort: [NSSortDescriptor]

    init(_ fields: FetchRequestFields, affected: [NSPersistentStore]?, in context: NSManagedObjectContext)
        throws
    {
        guard let entity = Self.entity(fields, context) else {
            raise(
                .invalidArgument,
                "A fetch request must have an entity; \"\(fields.entityName ?? "")\" is not in the context's model"
            )
        }
        self.entity = entity
        self.fields = fields
        stores = context.stores(for: entity, affected: affected)
        storeFetch = StoreFetch(entity: entity)
        storeFetch.includesSubentities = fields.includesSubentities
        storeFetch.predicate = try fields.predicate.map { try Self.folded($0.tree, in: context) }
        storeFetch.limit = max(0, fields.fetchLimit)
        storeFetch.offset = max(0, fields.fetchOffset)
        let keys = try (fields.sortDescriptors ?? []).map { try $0.resolvedSortKey() }
        if keys.contains(where: { $0 == nil }) {
            memorySort = fields.sortDescriptors ?? []
        } else {
            memorySort = []
            storeFetch.sortKeys = keys.compactMap { $0 }
        }
    }

    private static func entity(_ fields: FetchRequestFields, _ context: NSManagedObjectContext)
        -> EntityRuntime?
    {
        if let description = fields.entity { return context.runtime.entity(for: description) }
        return fields.name.flatMap(context.runtime.entity(named:))
    }

    /// Key paths on constants (`$FETCH_SOURCE.name` after substitution) become their values.
    static func folded(_ tree: PredicateTree, in context: NSManagedObjectContext) throws -> PredicateTree {
        try tree.rewriting { expression, _ in
            guard case .keyPath(.constant(let root), let path) = expression else { return nil }
            if let value = try context.entityAggregate(path, of: root) { return .constant(value) }
            return .constant(try Evaluator(bindings: nil).value(of: .keyPath(.evaluatedObject, path), root))
        }
    }

    /// The properties that a dictionary fetch returns: attributes unless the request says otherwise.
    func columns(_ wanted: [Any]?) throws -> [FetchDescription.DictionaryColumn] {
        guard let wanted, !wanted.isEmpty else {
            return entity.properties.filter { $0.isAttribute && !$0.schema.isTransient }
                .flatMap { property -> [FetchDescription.DictionaryColumn] in
                    if case .composite(let slots) = property.kind {
                        return slots.map { .init(name: $0.name, source: .keyPath($0.name)) }
                    }
                    return [.init(name: property.name, source: .keyPath(property.name))]
                }
        }
        return try wanted.map(column)
    }

    private func column(_ wanted: Any) throws -> FetchDescription.DictionaryColumn {
        switch wanted {
        case let name as String: return try column(named: name)
        case let description as NSExpressionDescription: return try column(description)
        case let property as NSPropertyDescription: return try column(named: property.name)
        case let keyPath as AnyKeyPath: return try column(named: KeyPathNames.path(keyPath))
        default: raise(.invalidArgument, "Invalid item in propertiesToFetch: \(wanted)")
        }
    }

    private func column(_ description: NSExpressionDescription) throws -> FetchDescription.DictionaryColumn {
        guard let expression = description.expression else {
            raise(.invalidArgument, "expression description \"\(description.name)\" has no expression")
        }
        if case .evaluatedObject = expression.tree { return .init(name: description.name, source: .objectID) }
        let type = AttributeType(rawValue: description.expressionResultType.rawValue) ?? .undefined
        return .init(name: description.name, source: .expression(expression.tree, resultType: type))
    }

    private func column(named name: String) throws -> FetchDescription.DictionaryColumn {
        if name == "objectID" || name == "self" || name == "SELF" {
            return .init(name: name, source: .objectID)
        }
        guard let property = entity.property(String(name.prefix { $0 != "." })) else {
            raise(.invalidArgument, "entity \"\(entity.name)\" has no property \"\(name)\" to fetch")
        }
        if case .toMany = property.kind {
            raise(.invalidArgument, "to-many relationship \"\(name)\" can't be among the properties to fetch")
        }
        return .init(name: name, source: .keyPath(name))
    }
}
