// A fetch request made definite for one context: entity found, predicate as a tree, stores chosen.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// The meaning of a fetch request in a context. A class, so that handing it on counts one reference and not one for each part.
final class ResolvedFetch {
    let entity: ManagedEntity
    let stores: [NSPersistentStore]
    let fields: FetchRequestFields
    var storeFetch: StoreFetch
    /// A sort that no store can do: by a comparator of the client's.
    let memorySort: [NSSortDescriptor]

    init(_ fields: FetchRequestFields, affected: [NSPersistentStore]?, in context: NSManagedObjectContext)
        throws
    {
        try context.beginRequest()
        guard let entity = Self.entity(fields, context: context) else {
            throw RequestErrors.wrong(
                "a fetch request must have an entity, and \"\(fields.entityName ?? "")\" is not in the context's model",
                entity: fields.entityName)
        }
        self.entity = entity
        self.fields = fields
        stores = context.stores(for: entity, affected: affected)
        storeFetch = StoreFetch(entity: entity)
        storeFetch.includesSubentities = fields.includesSubentities
        storeFetch.predicate = try fields.predicate.map {
            try Self.folded(
                $0.tree, of: entity, includesSubentities: fields.includesSubentities, in: context)
        }
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

    /// A fetch on one store, whose request is made definite already.
    init(_ request: StoreFetch, in store: NSPersistentStore) {
        entity = request.entity.managed
        stores = [store]
        fields = FetchRequestFields(
            entity: request.entity.managed.description, includesSubentities: request.includesSubentities)
        storeFetch = request
        memorySort = []
    }

    private static func entity(_ fields: FetchRequestFields, context: NSManagedObjectContext)
        -> ManagedEntity?
    {
        if let description = fields.entity { return context.runtime.entity(for: description) }
        return fields.name.flatMap(context.runtime.entity(spelled:))
    }

    /// Key paths on constants (`$FETCH_SOURCE.name` after substitution) and aggregates over the entity (`max:(age)`) become
    /// their values.
    static func folded(
        _ tree: PredicateTree, of entity: ManagedEntity, includesSubentities: Bool,
        in context: NSManagedObjectContext
    ) throws -> PredicateTree {
        if tree.comparesWithConstants { return tree }
        return try tree.rewriting { expression, _ in
            if let value = try context.entityAggregate(
                expression, of: entity, includesSubentities: includesSubentities)
            {
                return .constant(value)
            }
            guard case .keyPath(.constant(let root), let path) = expression else { return nil }
            if let value = try context.entityAggregate(path, of: root) { return .constant(value) }
            return .constant(try Evaluator(bindings: nil).value(of: .keyPath(.evaluatedObject, path), root))
        }
    }
}
