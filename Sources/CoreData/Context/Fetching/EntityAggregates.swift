// Collection operators on a single object in predicates: `price < $FETCH_SOURCE.@avg.price` compares with the
// average over all objects of that object's entity.

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
        var fields = FetchRequestFields()
        fields.entity = object.runtime.description
        let fetch = try ResolvedFetch(fields, affected: nil, in: self)
        if argument == .evaluatedObject { return .integer(Int64(try count(fetch))) }
        applyPendingDeletes()
        // Not every client's store answers with dictionaries.
        let isAsked = fetch.stores.allSatisfy { !($0 is NSIncrementalStore) }
        guard isAsked, PendingOverlay(self, fetch: fetch).isEmpty else {
            let objects = try fetchObjects(fetch).map { Value.object(ObjectReference($0)) }
            return try Evaluator(bindings: nil).value(of: .keyPath(.constant(.array(objects)), path), root)
        }
        let expression = ExpressionTree.function(operand: nil, name: name, arguments: [argument])
        let column = FetchDescription.DictionaryColumn(
            name: path, source: .expression(expression, resultType: .undefined))
        let request = StoreDictionaryFetch(fetch: fetch.storeFetch, columns: [column])
        return try answers(request, stores: fetch.stores).first?.first?.first ?? .null
    }
}
