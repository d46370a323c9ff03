// Aggregates over all objects of an entity in predicates: `price < $FETCH_SOURCE.@avg.price` compares with the
// average over the objects of that object's entity, `price == max:(price)` with the greatest price of the fetched entity.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    /// The value of `@avg.price`, `@sum.`, `@min.`, `@max.` or `@count` for a managed object, over the objects of its
    /// entity and that entity's subentities, with unsaved changes; `nil` for any other path or value.
    final func entityAggregate(_ path: String, of root: Value) throws -> Value? {
        guard path.hasPrefix("@"), case .object(let reference) = root,
            let object = reference.object as? NSManagedObject,
            let (name, argument) = ExpressionTree.keyPath(path).aggregate
        else { return nil }
        return try entityAggregate(name, of: argument, over: object.runtime)
    }

    /// The value of `max:(age)` and its kin where a predicate computes them of an attribute of the fetched objects; `nil` for any
    /// other expression.
    final func entityAggregate(
        _ expression: ExpressionTree, of entity: ManagedEntity, includesSubentities: Bool
    ) throws -> Value? {
        guard case .function(nil, _, _) = expression, let (name, argument) = expression.aggregate,
            Self.aggregatesOfAttributes.contains(name), case .keyPath(.evaluatedObject, let path) = argument,
            entity.description.hasAttribute(at: path)
        else { return nil }
        return try entityAggregate(
            name, of: argument, over: entity, includesSubentities: includesSubentities)
    }

    /// The aggregates of attributes that predicates may have: those that key paths have operators for (`@max.age`).
    private static let aggregatesOfAttributes: Set = ["max:", "min:", "sum:", "average:", "count:"]

    private final func entityAggregate(
        _ name: String, of argument: ExpressionTree, over entity: ManagedEntity,
        includesSubentities: Bool = true
    ) throws -> Value {
        var fields = FetchRequestFields()
        fields.entity = entity.description
        fields.includesSubentities = includesSubentities
        let fetch = try ResolvedFetch(fields, affected: nil, in: self)
        if argument == .evaluatedObject { return .integer(Int64(try count(fetch))) }
        applyPendingDeletes()
        // Not every client's store answers with dictionaries.
        let isAsked = fetch.stores.allSatisfy { !($0 is NSIncrementalStore) }
        let expression = ExpressionTree.function(operand: nil, name: name, arguments: [argument])
        guard isAsked, PendingOverlay(self, fetch: fetch).isEmpty else {
            let objects = try fetchObjects(fetch).map { Value.object(ObjectReference($0)) }
            return try Evaluator(bindings: nil).value(of: expression, .array(objects))
        }
        let column = FetchDescription.DictionaryColumn(
            name: name, source: .expression(expression, resultType: .undefined))
        let request = StoreDictionaryFetch(fetch: fetch.storeFetch, columns: [column])
        return try answers(request, stores: fetch.stores).first?.first?.first ?? .null
    }
}

extension NSEntityDescription {
    /// Returns whether a key path leads to an attribute over nothing but to-one relationships.
    fileprivate final func hasAttribute(at path: String) -> Bool {
        guard let dot = path.firstIndex(of: ".") else { return attributesByName[path] != nil }
        guard let relationship = relationshipsByName[String(path[..<dot])], !relationship.isToMany else {
            return false
        }
        return relationship.destinationEntity?.hasAttribute(at: String(path[path.index(after: dot)...]))
            ?? false
    }
}
