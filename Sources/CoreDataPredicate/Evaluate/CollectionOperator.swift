// `@count`, `@sum` and their kin. Elements that are nil take no part; nil itself is an empty collection.

import CoreDataSupport
import Foundation

enum CollectionOperator {
    static func apply(_ name: String, to value: Value, read: (Value) throws -> Value) throws -> Value {
        guard let elements = value.elements else {
            throw EvaluationFailure(reason: "\(name) needs a collection, not \(value.kindName)")
        }
        if name == "@count" { return .integer(Int64(elements.count)) }
        let values = try elements.map(read).filter { $0 != .null }
        switch name {
        case "@sum": return try Aggregates.sum(values.flat)
        case "@avg": return try Aggregates.average(values.flat)
        case "@min": return try Aggregates.extreme(values.flat, order: .orderedAscending)
        case "@max": return try Aggregates.extreme(values.flat, order: .orderedDescending)
        case "@unionOfObjects": return .array(values)
        case "@distinctUnionOfObjects":
            // A set answers with a set, as on Apple's systems.
            if case .set = value { return .set(Set(values.distinct)) }
            return .array(values.distinct)
        case "@unionOfArrays", "@unionOfSets": return .array(try joined(values, name: name))
        case "@distinctUnionOfArrays": return .array(try joined(values, name: name).distinct)
        case "@distinctUnionOfSets": return .set(Set(try joined(values, name: name).distinct))
        default: throw EvaluationFailure(reason: "Unknown collection operator \(name)")
        }
    }

    private static func joined(_ collections: [Value], name: String) throws -> [Value] {
        try collections.flatMap { collection in
            guard let elements = collection.elements else {
                throw EvaluationFailure(reason: "\(name) needs collections, not \(collection.kindName)")
            }
            return elements
        }
    }
}

extension Value {
    /// The same for all values that are equal in a predicate, whatever holds their number.
    var identity: Value {
        switch self {
        case .bool(let flag): return .integer(flag ? 1 : 0)
        case .double, .decimal:
            return number?.exactInteger.map(Value.integer) ?? number.map { .double($0.double) } ?? self
        case .object(let reference):
            return .object(
                ObjectReference(
                    (reference.object as? any PredicateIdentity)?.predicateIdentity ?? reference.object))
        default: return self
        }
    }
}

extension [Value] {
    /// The values with those of collections in their place: what a path through a to-many key leads to.
    fileprivate var flat: [Value] { flatMap { $0.elements ?? [$0] }.filter { $0 != .null } }

    /// The elements without repetition, each where it came first.
    var distinct: [Value] {
        var seen: Set<Value> = []
        return filter { seen.insert($0.identity).inserted }
    }
}
