// Predicates in keyed archives, as trees.

package import CoreDataPredicate
package import CoreDataSupport

/// Reads archived predicates and expressions. Throws `ArchiveFailure`.
package enum ArchivedPredicateReader {
    /// The depth to which predicates and expressions may contain each other.
    static let depthLimit = 200

    package static func predicate(_ object: ArchiveObject) throws -> PredicateTree {
        try predicate(object, depth: 0)
    }

    /// Archives don't always state the ancestors of a class.
    static func isPredicate(_ object: ArchiveObject) -> Bool {
        object.classNames.contains { $0.hasPrefix("NS") && $0.hasSuffix("Predicate") }
    }

    /// The predicate that a field holds, archived or as a format; `nil` for none.
    static func predicate(_ node: ArchiveNode) throws -> PredicateTree? {
        if let format = node.text { return try predicate(format: format) }
        return try node.object.map(predicate)
    }

    /// The predicate that a format says.
    static func predicate(format: String) throws -> PredicateTree {
        do {
            return try PredicateParser.predicate(format)
        } catch {
            throw ArchiveFailure("the predicate \"\(format)\" does not parse: \(error)")
        }
    }

    package static func expression(_ object: ArchiveObject) throws -> ExpressionTree {
        try expression(object, depth: 0)
    }

    static func predicate(_ object: ArchiveObject, depth: Int) throws -> PredicateTree {
        guard depth < depthLimit else {
            throw ArchiveFailure("a predicate is nested too deep, or in a circle")
        }
        if object.isKind(of: "NSTruePredicate") { return .constant(true) }
        if object.isKind(of: "NSFalsePredicate") { return .constant(false) }
        if object.isKind(of: "NSCompoundPredicate") { return try compound(object, depth: depth) }
        if object.isKind(of: "NSComparisonPredicate") { return try comparison(object, depth: depth) }
        throw ArchiveFailure("a predicate is of unknown class \(object.className)")
    }

    private static func compound(_ object: ArchiveObject, depth: Int) throws -> PredicateTree {
        let parts = try (object.node("NSSubpredicates").object?.elements() ?? []).map {
            guard let part = $0.object else { throw ArchiveFailure("a compound predicate has an empty part") }
            return try predicate(part, depth: depth + 1)
        }
        switch try object.integer("NSCompoundPredicateType") {
        case 0:
            guard parts.count == 1 else { throw ArchiveFailure("a NOT predicate has \(parts.count) parts") }
            return .not(parts[0])
        case 1: return .and(parts)
        case 2: return .or(parts)
        default: throw ArchiveFailure("a compound predicate is of unknown type")
        }
    }

    private static func comparison(_ object: ArchiveObject, depth: Int) throws -> PredicateTree {
        guard let op = try object.node("NSPredicateOperator").object,
            let left = try object.node("NSLeftExpression").object,
            let right = try object.node("NSRightExpression").object
        else { throw ArchiveFailure("a comparison predicate lacks a part") }
        guard let type = try UInt(exactly: op.integer("NSOperatorType") ?? -1),
            let known = ComparisonOperator(rawValue: type),
            let modifier = try ComparisonModifier(rawValue: UInt(clamping: op.integer("NSModifier") ?? 0))
        else { throw ArchiveFailure("a comparison predicate has an unknown operator") }
        let options = try op.integer("NSOptions") ?? op.integer("NSFlags") ?? 0
        return try .comparison(
            PredicateTree.Comparison(
                expression(left, depth: depth + 1), op: known, right: expression(right, depth: depth + 1),
                modifier: modifier, options: ComparisonOptions(rawValue: UInt(clamping: options)),
                customSelector: known == .customSelector ? op.node("NSSelectorName").text : nil))
    }
}

extension ArchiveObject {
    /// A field that holds a whole number.
    package func integer(_ key: String) throws -> Int64? {
        switch try node(key) {
        case .integer(let value): value
        case .bool(let value): value ? 1 : 0
        default: nil
        }
    }

    package func bool(_ key: String) throws -> Bool {
        try (integer(key) ?? 0) != 0
    }
}
