// Expressions in keyed archives, by the number of their type.

import CoreDataPredicate
import CoreDataSupport

extension ArchivedPredicateReader {
    static func expression(_ object: ArchiveObject, depth: Int) throws -> ExpressionTree {
        guard depth < depthLimit else {
            throw ArchiveFailure("an expression is nested too deep, or in a circle")
        }
        func part(_ key: String) throws -> ExpressionTree { try Self.part(object, key: key, depth: depth) }
        switch try object.integer("NSExpressionType") {
        case 0: return try .constant(object.node("NSConstantValue").value())
        case 1: return .evaluatedObject
        case 2: return try .variable(text(object, key: "NSVariable"))
        case 3, 4: return try function(object, depth: depth)
        case 5: return try .union(part("NSLeftExpression"), part("NSRightExpression"))
        case 6: return try .intersect(part("NSLeftExpression"), part("NSRightExpression"))
        case 7: return try .minus(part("NSLeftExpression"), part("NSRightExpression"))
        case 10: return try .constant(.string(text(object, key: "NSKeyPath")))
        case 13:
            return try .subquery(
                collection: part("NSCollection"),
                variable: text(object, key: "NSVariable"),
                predicate: condition(object, depth: depth))
        case 14:
            return try .aggregate(parts(object, key: "NSCollection", depth: depth))
        case 15: return .anyKey
        case 20:
            return try .conditional(
                condition(object, depth: depth), part("NSTrueExpression"), part("NSFalseExpression"))
        case 50:
            return try .fetchRequest(
                request: part("NSFRExpression"), context: part("NSMOCExpression"),
                countOnly: object.bool("NSCountOnlyFlag"))
        default: throw ArchiveFailure("an expression is of unknown class \(object.className)")
        }
    }

    /// A function call, or a key path, which archives hold as a call of `valueForKeyPath:`.
    private static func function(_ object: ArchiveObject, depth: Int) throws -> ExpressionTree {
        // Expressions of the first frameworks hold the path itself.
        if try object.node("NSSelectorName").isNull, let path = try object.node("NSKeyPath").text {
            let operand = try object.node("NSOperand").object.map { try expression($0, depth: depth + 1) }
            return .keyPath(operand ?? .evaluatedObject, path)
        }
        let name = try text(object, key: "NSSelectorName")
        guard let operand = try object.node("NSOperand").object else {
            throw ArchiveFailure("a function expression lacks its operand")
        }
        let arguments = try parts(object, key: "NSArguments", depth: depth)
        if name == "valueForKey:" || name == "valueForKeyPath:", arguments.count == 1,
            case .constant(.string(let path)) = arguments[0]
        {
            return try .keyPath(expression(operand, depth: depth + 1), path)
        }
        if try operand.node("NSConstantValueClassName").text != nil {
            return .function(operand: nil, name: name, arguments: arguments)
        }
        return try .function(operand: expression(operand, depth: depth + 1), name: name, arguments: arguments)
    }

    private static func text(_ object: ArchiveObject, key: String) throws -> String {
        guard let text = try object.node(key).text else { throw ArchiveFailure("an expression lacks \(key)") }
        return text
    }

    private static func part(_ object: ArchiveObject, key: String, depth: Int) throws -> ExpressionTree {
        guard let part = try object.node(key).object else {
            throw ArchiveFailure("an expression lacks \(key)")
        }
        return try expression(part, depth: depth + 1)
    }

    private static func parts(_ object: ArchiveObject, key: String, depth: Int) throws -> [ExpressionTree] {
        try (object.node(key).object?.elements() ?? []).map {
            guard let part = $0.object else {
                throw ArchiveFailure("an expression has an empty part in \(key)")
            }
            return try expression(part, depth: depth + 1)
        }
    }

    private static func condition(_ object: ArchiveObject, depth: Int) throws -> PredicateTree {
        guard let part = try object.node("NSPredicate").object else {
            throw ArchiveFailure("an expression lacks NSPredicate")
        }
        return try predicate(part, depth: depth + 1)
    }
}
