// The parts of a fetch that its statement's text depends on, so that fetches that differ in
// constants only are planned once.

import CoreDataPredicate
package import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import Foundation

/// A fetch without its constants. Only fetches whose predicates compare attributes with plain constants have one.
package struct FetchShape: Hashable {
    private enum Part: Hashable {
        case and(Int)
        case or(Int)
        case not
        case comparison(String, UInt, constant: UInt8)
    }

    private enum Result: Hashable { case rows, keys, count }

    /// Deeper predicates aren't translated in the order in which they stand.
    private static let depth = 3

    private let entity: Int
    private let includesSubentities: Bool
    private let result: Result
    private let sortKeys: [SortKey]
    private let isLimited: Bool
    /// A limit that stands in the text; 0 for none.
    private let writtenLimit: Int
    private let isMoved: Bool
    private var parts: [Part] = []

    /// - Parameters:
    ///   - bindings: gets what the statement's parameters are, in their order.
    ///   - bindsLimits: whether the limit is one of them.
    package init?(
        _ fetch: StoreFetch, result: FetchDescription.Result, bindings: inout [SQLBinding],
        bindsLimits: Bool = true
    ) {
        switch result {
        case .rows: self.result = .rows
        case .keys: self.result = .keys
        case .count: self.result = .count
        case .dictionaries, .dictionaryCount: return nil
        }
        entity = fetch.entity.number
        includesSubentities = fetch.includesSubentities
        sortKeys = fetch.sortKeys
        (isLimited, isMoved) = (fetch.limit > 0 && bindsLimits, fetch.offset > 0)
        writtenLimit = bindsLimits ? 0 : max(0, fetch.limit)
        if let predicate = fetch.predicate, !add(predicate, depth: Self.depth, bindings: &bindings) {
            return nil
        }
        if isLimited { bindings.append(.integer(Int64(fetch.limit))) }
        if isMoved { bindings.append(.integer(Int64(fetch.offset))) }
    }

    private mutating func add(_ tree: PredicateTree, depth: Int, bindings: inout [SQLBinding]) -> Bool {
        if depth == 0 { return false }
        switch tree {
        case .comparison(let comparison):
            return add(comparison, bindings: &bindings)
        case .and(let trees):
            parts.append(.and(trees.count))
            return trees.allSatisfy { add($0, depth: depth - 1, bindings: &bindings) }
        case .or(let trees):
            parts.append(.or(trees.count))
            return trees.allSatisfy { add($0, depth: depth - 1, bindings: &bindings) }
        case .not(let tree):
            parts.append(.not)
            return add(tree, depth: depth - 1, bindings: &bindings)
        case .constant, .block:
            return false
        }
    }

    private mutating func add(
        _ comparison: PredicateTree.Comparison, bindings: inout [SQLBinding]
    ) -> Bool {
        guard comparison.modifier == .direct, comparison.options.isEmpty,
            comparison.op.rawValue <= ComparisonOperator.notEqualTo.rawValue,
            case .keyPath(.evaluatedObject, let path) = comparison.left,
            case .constant(let value) = comparison.right, let kind = Self.kind(of: value),
            let binding = SQLBinding(value)
        else { return false }
        parts.append(.comparison(path, comparison.op.rawValue, constant: kind))
        bindings.append(binding)
        return true
    }

    /// The type of a constant that stands in no statement's text; `nil` for others.
    private static func kind(of value: Value) -> UInt8? {
        switch value {
        case .integer: 1
        case .double(let number): number.isNaN ? nil : 2
        case .string: 3
        // Dates that a server doesn't know are others in its statements.
        case .date(let date):
            PostgreSQLDialect.dates.contains(date.timeIntervalSinceReferenceDate) ? 4 : nil
        case .bool: 5
        default: nil
        }
    }
}
