// Trees of expressions into keyed archives.

import CoreDataPredicate
import CoreDataSupport

extension ArchivedPredicateWriter {
    func expression(_ tree: ExpressionTree, depth: Int) throws -> PropertyList {
        guard depth < ArchivedPredicateReader.depthLimit else {
            throw ArchiveFailure("an expression is nested too deep")
        }
        func part(_ tree: ExpressionTree) throws -> PropertyList { try expression(tree, depth: depth + 1) }
        switch tree {
        case .constant(let value):
            return try make("NSConstantValueExpression", 0, .init("NSConstantValue", archive.value(value)))
        case .evaluatedObject: return make("NSSelfExpression", 1)
        case .variable(let name):
            return make("NSVariableExpression", 2, .init("NSVariable", archive.string(name)))
        case .keyPath(let operand, let path): return try keyPath(operand, path, depth)
        case .function(let operand, let name, let arguments):
            return try function(operand, name, arguments, depth)
        case .union(let left, let right): return try set(5, part(left), part(right))
        case .intersect(let left, let right): return try set(6, part(left), part(right))
        case .minus(let left, let right): return try set(7, part(left), part(right))
        case .subquery(let collection, let variable, let condition):
            return try make(
                "NSSubqueryExpression", 13, .init("NSCollection", part(collection)),
                .init("NSVariable", archive.string(variable)),
                .init("NSPredicate", predicate(condition, depth: depth + 1)))
        case .aggregate(let elements):
            return try make(
                "NSAggregateExpression", 14, .init("NSCollection", archive.array(elements.map(part))))
        case .anyKey: return make("NSAnyKeyExpression", 15)
        case .conditional(let condition, let first, let second):
            return try make(
                "NSTernaryExpression", 20, .init("NSPredicate", predicate(condition, depth: depth + 1)),
                .init("NSTrueExpression", part(first)), .init("NSFalseExpression", part(second)))
        case .fetchRequest(let request, let context, let countOnly):
            return try make(
                "NSFetchRequestExpression", 50, .init("NSFRExpression", part(request)),
                .init("NSMOCExpression", part(context)), .init("NSCountOnlyFlag", .bool(countOnly)))
        case .block: throw ArchiveFailure("an expression made of a closure can't be archived")
        }
    }

    private func make(
        _ name: String, _ type: Int64, _ fields: PropertyList.Entry..., parents: [String] = []
    ) -> PropertyList {
        archive.object(
            [name] + parents + ["NSExpression", "NSObject"],
            [.init("NSExpressionType", .integer(type))] + fields)
    }

    private func set(_ type: Int64, _ left: PropertyList, _ right: PropertyList) -> PropertyList {
        make("NSSetExpression", type, .init("NSLeftExpression", left), .init("NSRightExpression", right))
    }

    private func keyPath(_ operand: ExpressionTree, _ path: String, _ depth: Int) throws -> PropertyList {
        let isPath = readsAllKeysAsPaths || path.contains(".")
        let specifier = make("NSKeyPathSpecifierExpression", 10, .init("NSKeyPath", archive.string(path)))
        return try make(
            "NSKeyPathExpression", operand == .evaluatedObject ? 3 : 4,
            .init("NSOperand", expression(operand, depth: depth + 1)),
            .init("NSSelectorName", archive.string(isPath ? "valueForKeyPath:" : "valueForKey:")),
            .init("NSArguments", archive.array([specifier], isMutable: true)),
            parents: ["NSFunctionExpression"])
    }

    /// A predefined function has the class that implements them all as its operand.
    private func function(
        _ operand: ExpressionTree?, _ name: String, _ arguments: [ExpressionTree], _ depth: Int
    ) throws -> PropertyList {
        let target =
            try operand.map { try expression($0, depth: depth + 1) }
            ?? make(
                "NSConstantValueExpression", 0,
                .init("NSConstantValueClassName", archive.string("_NSPredicateUtilities")))
        return try make(
            "NSFunctionExpression", 4, .init("NSOperand", target),
            .init("NSSelectorName", archive.string(name)),
            .init("NSArguments", archive.array(arguments.map { try expression($0, depth: depth + 1) })))
    }
}
