// Random trees from a seed: all kinds that a format can spell.

import CoreDataPredicate
import CoreDataSupport
import CoreDataTestSupport
import Foundation

struct TreeGenerator {
    var random: SeededGenerator

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func pick<T>(_ choices: [T]) -> T {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    mutating func predicate(depth: Int) -> PredicateTree {
        guard depth > 0 else { return .constant(Bool.random(using: &random)) }
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return .and([predicate(depth: depth - 1), predicate(depth: depth - 1)])
        case 1:
            return .or([
                predicate(depth: depth - 1), predicate(depth: depth - 1), predicate(depth: depth - 2),
            ])
        case 2: return .not(predicate(depth: depth - 1))
        default: return .comparison(comparison(depth: depth - 1))
        }
    }

    private mutating func comparison(depth: Int) -> PredicateTree.Comparison {
        let op = pick(ComparisonOperator.allCases)
        var options = ComparisonOptions(rawValue: UInt.random(in: 0..<16, using: &random))
        if op == .customSelector || op == .between { options = [] }
        return PredicateTree.Comparison(
            expression(depth: depth), op: op, right: expression(depth: depth),
            modifier: pick([.direct, .direct, .any, .all]), options: options,
            customSelector: op == .customSelector ? "isEqual:" : nil)
    }

    mutating func expression(depth: Int) -> ExpressionTree {
        guard depth > 0 else { return leaf() }
        let next = depth - 1
        switch Int.random(in: 0..<16, using: &random) {
        case 0: return .union(expression(depth: next), expression(depth: next))
        case 1: return .intersect(expression(depth: next), expression(depth: next))
        case 2: return .minus(expression(depth: next), expression(depth: next))
        case 3: return .aggregate((0..<3).map { _ in expression(depth: next) })
        case 4: return .conditional(predicate(depth: next), expression(depth: next), expression(depth: next))
        case 5: return .subquery(collection: leaf(), variable: "x", predicate: predicate(depth: next))
        case 6:
            return .keyPath(
                .function(
                    operand: nil, name: "objectFrom:withIndex:",
                    arguments: [expression(depth: next), .lastIndex]), "a.b")
        case 7...11: return infix(depth: next)
        case 12:
            return .function(
                operand: nil, name: pick(["sum:", "abs:", "lowercase:", "onesComplement:"]),
                arguments: [expression(depth: next)])
        case 13:
            return .function(
                operand: expression(depth: next), name: "hasPrefix:", arguments: [expression(depth: next)])
        case 14:
            return .fetchRequest(
                request: .variable("r"), context: leaf(), countOnly: Bool.random(using: &random))
        default: return leaf()
        }
    }

    private mutating func infix(depth: Int) -> ExpressionTree {
        let names = [
            "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "raise:toPower:",
            "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:",
        ]
        return .function(
            operand: nil, name: pick(names), arguments: [expression(depth: depth), expression(depth: depth)])
    }

    private mutating func leaf() -> ExpressionTree {
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            .keyPath(
                pick([
                    "a", "boss.name", "children.@count", "@avg.age", "in", "first", "größe", "first name",
                    "a.in",
                ]))
        case 1: .keyPath(.variable("x"), pick(["a", "b.c", "odd key"]))
        case 2: .variable("y")
        case 3: pick([.evaluatedObject, .anyKey, .function(operand: nil, name: "now", arguments: [])])
        default: .constant(constant())
        }
    }

    private mutating func constant() -> Value {
        switch Int.random(in: 0..<10, using: &random) {
        case 0: .null
        case 1: .bool(Bool.random(using: &random))
        case 2: .integer(pick([0, 1, -1, .max, .min, 42]))
        case 3: .double(pick([0.0, -0.0, 1, 1e300, -2.5, 2e-308, 0.1]))
        case 4: .string(pick(["", "x", "it's \"q\" \\", "\n\t\r\0", "é😀", "%@ $x #y", "e\u{301}"]))
        case 5:
            .date(Date(timeIntervalSinceReferenceDate: pick([0, 694224000, 0.1, -1e9, 123456.789012345])))
        case 6: .decimal(pick([Decimal(1), Decimal(string: "-1234567890.0123456789") ?? 0]))
        case 7: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
        case 8: .data(Data([0, 255, 3]))
        default: .array([.integer(1), .string("x"), .null])
        }
    }
}
