// Trees of expressions into keyed archives.

import CoreDataPredicate
import CoreDataSupport

extension ArchivedPredicateWriter {
    func expression(_ tree: ExpressionTree, depth: Int) throws -> PropertyList {
        try Self.check(depth, of: "an expression")
        func part(_ tree: ExpressionTree) throws -> PropertyList { try expression(tree, depth: depth + 1) }
        switch tree {
        case .constant(let value):
            let value = try archive.value(value)
            return make("NSConstantValueExpression", type: 0, fields: .init("NSConstantValue", value: value))
        case .evaluatedObject: return make("NSSelfExpression", type: 1)
        case .variable(let name):
            let name = archive.string(name)
            return make("NSVariableExpression", type: 2, fields: .init("NSVariable", value: name))
        case .keyPath(let operand, let path): return try keyPath(operand, path: path, depth: depth)
        case .function(let operand, let name, let arguments):
            return try function(operand, name: name, arguments: arguments, depth: depth)
        case .union(let left, let right): return try set(5, left: part(left), right: part(right))
        case .intersect(let left, let right): return try set(6, left: part(left), right: part(right))
        case .minus(let left, let right): return try set(7, left: part(left), right: part(right))
        case .subquery(let collection, let variable, let condition):
            return try make(
                "NSSubqueryExpression", type: 13, fields: .init("NSCollection", value: part(collection)),
                .init("NSVariable", value: archive.string(variable)),
                .init("NSPredicate", value: predicate(condition, depth: depth + 1)))
        case .aggregate(let elements):
            let elements = try archive.array(elements.map(part))
            return make("NSAggregateExpression", type: 14, fields: .init("NSCollection", value: elements))
        case .anyKey: return make("NSAnyKeyExpression", type: 15)
        case .conditional(let condition, let first, let second):
            let test = try predicate(condition, depth: depth + 1)
            return try make(
                "NSTernaryExpression", type: 20, fields: .init("NSPredicate", value: test),
                .init("NSTrueExpression", value: part(first)), .init("NSFalseExpression", value: part(second))
            )
        case .fetchRequest(let request, let context, let countOnly):
            return try make(
                "NSFetchRequestExpression", type: 50, fields: .init("NSFRExpression", value: part(request)),
                .init("NSMOCExpression", value: part(context)),
                .init("NSCountOnlyFlag", value: .bool(countOnly)))
        case .block: throw ArchiveFailure("an expression made of a closure can't be archived")
        }
    }

    static func check(_ depth: Int, of subject: String) throws {
        guard depth < ArchivedPredicateReader.depthLimit else {
            throw ArchiveFailure("\(subject) is nested too deep")
        }
    }

    private func make(
        _ name: String, type: Int64, fields: PropertyList.Entry..., parents: [String] = []
    ) -> PropertyList {
        archive.object(
            [name] + parents + ["NSExpression", "NSObject"],
            fields: [.init("NSExpressionType", value: .integer(type))] + fields)
    }

    private func set(_ type: Int64, left: PropertyList, right: PropertyList) -> PropertyList {
        make(
            "NSSetExpression", type: type, fields: .init("NSLeftExpression", value: left),
            .init("NSRightExpression", value: right))
    }

    private func keyPath(_ operand: ExpressionTree, path: String, depth: Int) throws -> PropertyList {
        let isPath = readsAllKeysAsPaths || path.contains(".")
        let specifier = make(
            "NSKeyPathSpecifierExpression", type: 10, fields: .init("NSKeyPath", value: archive.string(path)))
        return try make(
            "NSKeyPathExpression", type: operand == .evaluatedObject ? 3 : 4,
            fields: .init("NSOperand", value: expression(operand, depth: depth + 1)),
            .init("NSSelectorName", value: archive.string(isPath ? "valueForKeyPath:" : "valueForKey:")),
            .init("NSArguments", value: archive.array([specifier], isMutable: true)),
            parents: ["NSFunctionExpression"])
    }

    /// A predefined function has the class that implements them all as its operand.
    private func function(
        _ operand: ExpressionTree?, name: String, arguments: [ExpressionTree], depth: Int
    ) throws -> PropertyList {
        let target =
            try operand.map { try expression($0, depth: depth + 1) }
            ?? make(
                "NSConstantValueExpression", type: 0,
                fields: .init("NSConstantValueClassName", value: archive.string("_NSPredicateUtilities")))
        return try make(
            "NSFunctionExpression", type: 4, fields: .init("NSOperand", value: target),
            .init("NSSelectorName", value: archive.string(name)),
            .init("NSArguments", value: archive.array(arguments.map { try expression($0, depth: depth + 1) }))
        )
    }
}
