// Predefined functions and arithmetic.

import CoreDataPredicate
import CoreDataSupport
import Foundation

extension Translator {
    /// A function or, with a target, a method. A call that reads no row is computed at once, as in memory.
    func call(
        _ target: ExpressionTree?, name: String, trees: [ExpressionTree], environment: Environment
    ) throws(TranslationFailure) -> Operand {
        if name == "objectFrom:withIndex:", target == nil {
            return try element(trees, environment: environment)
        }
        if name == "castObject:toType:", target == nil, let row = try row(trees, environment: environment) {
            return .object(row)
        }
        let subject: Operand? = if let target { try operand(target, outer: environment) } else { nil }
        let arguments = try operands(trees, environment: environment)
        if let value = try known(subject, name: name, arguments: arguments) { return .constant(value) }
        if let subject {
            return try method(name, subject: subject, arguments: arguments, environment: environment)
        }
        return try function(name, arguments: arguments, environment: environment)
    }

    /// A row as one of another entity of its table: the arguments of a cast to an entity. Nil for casts to
    /// other types.
    private func row(
        _ trees: [ExpressionTree], environment: Environment
    ) throws(TranslationFailure) -> RowOperand? {
        guard trees.count == 2, case .constant(.object(let reference)) = trees[1],
            let entity = context.entity(reference),
            case .object(var row) = try operand(trees[0], outer: environment)
        else { return nil }
        row.entity = entity
        return row
    }

    private func known(
        _ subject: Operand?, name: String, arguments: [Operand]
    ) throws(TranslationFailure) -> Value? {
        var values: [ExpressionTree] = []
        for argument in arguments {
            guard let value = argument.value else { return nil }
            values.append(.constant(value))
        }
        let target = subject?.value
        guard target != nil || subject == nil else { return nil }
        if arguments.isEmpty, subject == nil { try requireStatement("\(name)()") }
        let call = ExpressionTree.function(
            operand: target.map { .constant($0) }, name: name, arguments: values)
        return try evaluate(call)
    }

    /// The value of an expression without rows.
    func evaluate(_ tree: ExpressionTree) throws(TranslationFailure) -> Value {
        do {
            return try Evaluator().value(of: tree, .null)
        } catch let failure as EvaluationFailure {
            throw TranslationFailure(failure.reason)
        } catch {
            throw TranslationFailure("\(tree.format) has no value: \(error)")
        }
    }

    /// `FUNCTION(friends, "count")`, `FUNCTION(name, "length")`, `FUNCTION(boss, "valueForKey:", "name")`
    private func method(
        _ name: String, subject: Operand, arguments: [Operand], environment: Environment
    ) throws(TranslationFailure) -> Operand {
        switch (name, arguments.first, subject) {
        case ("valueForKey:", .constant(.string(let path))?, _),
            ("valueForKeyPath:", .constant(.string(let path))?, _):
            return try follow(path, from: subject, environment: environment)
        case ("count", nil, .collection):
            return .scalar(try aggregate(.count, of: subject, name: "count", environment: environment))
        case (_, nil, .scalar):
            return try follow(name, from: subject, environment: environment)
        case (_, let other?, .scalar(let text)) where text.kind == .text && arguments.count == 1:
            return .scalar(try textMethod(name, text: text, other: other))
        default:
            throw TranslationFailure("FUNCTION(…, \"\(name)\") has no SQL form")
        }
    }

    /// Translates a method of texts with one argument, such as
    ///
    ///     FUNCTION(name, "stringByAppendingString:", "x")   t0.ZNAME || ?
    ///     FUNCTION(name, "hasPrefix:", "x")   CASE WHEN t0.ZNAME IS NULL THEN NULL ELSE … END
    private func textMethod(
        _ name: String, text: Scalar, other: Operand
    ) throws(TranslationFailure) -> Scalar {
        if name == "stringByAppendingString:" {
            let tail = try scalar(other, name: name)
            guard tail.kind == .text else { throw TranslationFailure("\(name) needs a string: \(tail.name)") }
            var joined = text.deriving("(\(text.sql) || \(tail.sql))", kind: .text, name: name)
            joined.isAggregate = text.isAggregate || tail.isAggregate
            joined.columns.formUnion(tail.columns)
            return joined
        }
        guard let known = Self.textComparisons[name], case .constant(.string) = other else {
            throw TranslationFailure("FUNCTION(…, \"\(name)\") has no SQL form")
        }
        let test = try compare(.scalar(text), op: known, right: other, options: [])
        return text.deriving(
            "(CASE WHEN \(text.sql) IS NULL THEN NULL ELSE \(test) END)", kind: .boolean, name: name)
    }

    private static let textComparisons: [String: ComparisonOperator] = [
        "hasPrefix:": .beginsWith, "hasSuffix:": .endsWith, "containsString:": .contains,
        "isEqualToString:": .equalTo, "isEqual:": .equalTo,
    ]

    private func function(
        _ name: String, arguments: [Operand], environment: Environment
    ) throws(TranslationFailure) -> Operand {
        let plain = name.hasSuffix(":") && !name.dropLast().contains(":") ? String(name.dropLast()) : name
        if let aggregate = Aggregate(rawValue: plain) {
            return .scalar(try self.aggregate(aggregate, arguments: arguments, environment: environment))
        }
        if let function = Self.textFunctions[plain] {
            return .scalar(try text(function, operand: try argument(arguments, name: name), name: name))
        }
        if let function = Self.numberFunctions[plain] {
            let scalar = try number(try argument(arguments, name: name), name: name)
            if !dialect.indexesFunctions { try requireStatement(name) }
            let call = try dialect.call(function, arguments: [number(scalar)])
            return .scalar(scalar.deriving(call, kind: .real, name: name))
        }
        switch plain {
        case "abs":
            let scalar = try number(try argument(arguments, name: name), name: name)
            return .scalar(try absolute(scalar, name: name))
        case "onesComplement":
            let scalar = try number(try argument(arguments, name: name), name: name)
            let whole = try integer(scalar)
            return .scalar(scalar.deriving("(~ \(whole))", kind: .integer, name: name))
        case "noindex":
            let scalar = try scalar(try argument(arguments, name: name), name: name)
            let sql = dialect.unindexed(scalar.sql, of: scalar.kind)
            return .scalar(scalar.deriving(sql, kind: scalar.kind, name: name))
        case "indexed:by:":
            guard arguments.count == 2, let first = arguments.first else {
                throw TranslationFailure("\(name) takes a key path and the name of an index")
            }
            return first
        case "castObject:toType:":
            return try cast(arguments)
        default:
            return .scalar(try binary(name, arguments: arguments))
        }
    }

    private func absolute(_ scalar: Scalar, name: String) throws(TranslationFailure) -> Scalar {
        let value = number(scalar)
        let sql: SQLFragment
        if place == .index {
            sql = dialect.plainAbsolute(value)
        } else {
            sql = try dialect.call(.absolute, arguments: [value])
        }
        return scalar.deriving(dialect.value(sql, of: scalar.kind), kind: scalar.kind, name: name)
    }

    private static let textFunctions: [String: SQLFunction.Name] = [
        "uppercase": .uppercase, "lowercase": .lowercase, "canonical": .canonical, "length": .length,
        "characters": .characters,
    ]

    private static let numberFunctions: [String: SQLFunction.Name] = [
        "sqrt": .squareRoot, "log": .log, "ln": .ln, "exp": .exp, "ceiling": .ceiling, "floor": .floor,
        "trunc": .trunc,
    ]

    private func argument(
        _ arguments: [Operand], name: String
    ) throws(TranslationFailure) -> Operand {
        guard arguments.count == 1, let only = arguments.first else {
            throw TranslationFailure("\(name) takes one argument, not \(arguments.count)")
        }
        return only
    }

    private func aggregate(
        _ aggregate: Aggregate, arguments: [Operand], environment: Environment
    ) throws(TranslationFailure) -> Scalar {
        let name = "\(aggregate.rawValue):"
        if arguments.count > 1 {
            return try self.aggregate(aggregate, of: .list(arguments), name: name, environment: environment)
        }
        let argument = try argument(arguments, name: name)
        return try self.aggregate(aggregate, of: argument, name: name, environment: environment)
    }

    private func text(
        _ function: SQLFunction.Name, operand: Operand, name: String
    ) throws(TranslationFailure) -> Scalar {
        let scalar = try scalar(operand, name: name)
        guard scalar.kind == .text || scalar.kind == .any else {
            throw TranslationFailure("\(name) needs a string: \(scalar.name)")
        }
        if !dialect.indexesFunctions { try requireStatement(name) }
        let isCount = function == .length || function == .characters
        return scalar.deriving(
            try dialect.call(function, arguments: [scalar.sql]), kind: isCount ? .integer : .text, name: name)
    }

    private func number(_ operand: Operand, name: String) throws(TranslationFailure) -> Scalar {
        let scalar = try scalar(operand, name: name)
        guard scalar.kind.isNumeric || scalar.kind == .any else {
            throw TranslationFailure("\(name) needs a number: \(scalar.name)")
        }
        return scalar
    }
}

extension Scalar {
    /// Another value computed from this one alone.
    func deriving(_ sql: SQLFragment, kind: ValueKind, name: String) -> Scalar {
        Scalar(sql: sql, kind: kind, name: name, isAggregate: isAggregate, columns: columns)
    }
}
