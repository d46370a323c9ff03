// Formats and the trees that they spell.

import CoreDataPredicate
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct PredicateParserTests {
    private typealias Comparison = PredicateTree.Comparison

    private func int(_ value: Int64) -> ExpressionTree { .constant(.integer(value)) }
    private func text(_ value: String) -> ExpressionTree { .constant(.string(value)) }
    private func key(_ path: String) -> ExpressionTree { .keyPath(path) }
    private func call(_ name: String, _ arguments: ExpressionTree...) -> ExpressionTree {
        .function(operand: nil, name: name, arguments: arguments)
    }

    @Test(arguments: [
        ("=", ComparisonOperator.equalTo), ("==", .equalTo), ("!=", .notEqualTo), ("<>", .notEqualTo),
        ("<", .lessThan), ("<=", .lessThanOrEqualTo), ("=<", .lessThanOrEqualTo), (">", .greaterThan),
        (">=", .greaterThanOrEqualTo), ("=>", .greaterThanOrEqualTo), ("CONTAINS", .contains),
        ("contains", .contains),
        ("BeginsWith", .beginsWith), ("ENDSWITH", .endsWith), ("LIKE", .like), ("MATCHES", .matches),
        ("IN", .in),
        ("between", .between),
    ])
    func everyOperatorAndAlias(word: String, op: ComparisonOperator) throws {
        let tree = try PredicateParser.predicate("a \(word) b")
        expect(tree, equals: .comparison(Comparison(key("a"), op: op, right: key("b"))))
    }

    @Test(
        arguments: [
            ("[c]", ComparisonOptions.caseInsensitive), ("[d]", .diacriticInsensitive), ("[n]", .normalized),
            ("[l]", .localeSensitive), ("[cd]", [.caseInsensitive, .diacriticInsensitive]),
            ("[DC]", [.caseInsensitive, .diacriticInsensitive]),
            (" [cdl]", [.caseInsensitive, .diacriticInsensitive, .localeSensitive]),
        ] as [(String, ComparisonOptions)])
    func options(word: String, options: ComparisonOptions) throws {
        for op in ["==", "CONTAINS", "LIKE", "MATCHES", "IN", "!="] {
            guard case .comparison(let comparison) = try PredicateParser.predicate("a \(op)\(word) 'x'")
            else {
                Issue.record("no comparison: \(op)")
                continue
            }
            expect(comparison.options, equals: options)
        }
    }

    @Test func modifiers() throws {
        func tree(_ modifier: ComparisonModifier) -> PredicateTree {
            .comparison(Comparison(key("a.b"), op: .equalTo, right: int(1), modifier: modifier))
        }
        try expect(PredicateParser.predicate("ANY a.b == 1"), equals: tree(.any))
        try expect(PredicateParser.predicate("some a.b == 1"), equals: tree(.any))
        try expect(PredicateParser.predicate("All a.b == 1"), equals: tree(.all))
        try expect(PredicateParser.predicate("NONE a.b == 1"), equals: .not(tree(.any)))
        try expect(PredicateParser.predicate("NOT ANY a.b == 1"), equals: .not(tree(.any)))
    }

    @Test func andBindsTighterThanOrAndNotTightest() throws {
        func test(_ name: String) -> PredicateTree {
            .comparison(Comparison(key(name), op: .equalTo, right: int(1)))
        }
        let (a, b, c) = (test("a"), test("b"), test("c"))
        try expect(PredicateParser.predicate("a == 1 AND b == 1 OR c == 1"), equals: .or([.and([a, b]), c]))
        try expect(PredicateParser.predicate("a == 1 || b == 1 && c == 1"), equals: .or([a, .and([b, c])]))
        try expect(PredicateParser.predicate("not a = 1 and b = 1"), equals: .and([.not(a), b]))
        try expect(PredicateParser.predicate("!(a = 1 and b = 1)"), equals: .not(.and([a, b])))
        try expect(PredicateParser.predicate("(a = 1 or b = 1) and c = 1"), equals: .and([.or([a, b]), c]))
        try expect(PredicateParser.predicate("a = 1 and b = 1 and c = 1"), equals: .and([a, b, c]))
        try expect(PredicateParser.predicate("((a == 1))"), equals: a)
        try expect(PredicateParser.predicate("NOT NOT a == 1"), equals: .not(.not(a)))
        try expect(PredicateParser.predicate("TRUEPREDICATE and a=1"), equals: .and([.constant(true), a]))
        try expect(PredicateParser.predicate("falsepredicate"), equals: .constant(false))
    }

    @Test func arithmeticPrecedence() throws {
        func read(_ format: String) throws -> ExpressionTree { try PredicateParser.expression(format) }
        let (a, b, c) = (key("a"), key("b"), key("c"))
        try expect(read("a + b * c"), equals: call("add:to:", a, call("multiply:by:", b, c)))
        try expect(read("a - b - c"), equals: call("from:subtract:", call("from:subtract:", a, b), c))
        try expect(read("a ** b ** c"), equals: call("raise:toPower:", a, call("raise:toPower:", b, c)))
        try expect(read("a / b * c"), equals: call("multiply:by:", call("divide:by:", a, b), c))
        try expect(read("(a + b) * c"), equals: call("multiply:by:", call("add:to:", a, b), c))
        try expect(
            read("a & b | c ^ a"),
            equals: call("bitwiseOr:with:", call("bitwiseAnd:with:", a, b), call("bitwiseXor:with:", c, a)))
        try expect(read("a << b >> c"), equals: call("rightshift:by:", call("leftshift:by:", a, b), c))
        try expect(read("~a"), equals: call("onesComplement:", a))
        try expect(read("-a"), equals: call("from:subtract:", int(0), a))
        try expect(read("a - -1"), equals: call("from:subtract:", a, int(-1)))
        try expect(read("a %% b"), equals: call("modulus:by:", a, b))
        try expect(read("a UNION b MINUS c"), equals: .minus(.union(a, b), c))
        try expect(read("a INTERSECT b"), equals: .intersect(a, b))
        try expect(
            PredicateParser.predicate("(a + b) * c > 2"),
            equals: .comparison(Comparison(read("(a+b)*c"), op: .greaterThan, right: int(2))))
    }

    @Test(arguments: [
        ("1", Value.integer(1)), ("1.0", .double(1)), ("-5", .integer(-5)), (".5", .double(0.5)),
        ("1e3", .double(1000)),
        ("2.5E-1", .double(0.25)), ("0x1F", .integer(31)), ("0XfF", .integer(255)), ("0o17", .integer(15)),
        ("0b101", .integer(5)), ("017", .integer(17)), ("9223372036854775807", .integer(.max)),
        ("-9223372036854775808", .integer(.min)), ("18446744073709551615", .decimal(Decimal(UInt64.max))),
        ("0xFFFFFFFFFFFFFFFF", .integer(-1)), ("TRUE", .bool(true)), ("yes", .bool(true)),
        ("False", .bool(false)),
        ("NO", .bool(false)), ("nil", .null), ("NULL", .null), ("\"a b\"", .string("a b")),
        ("'it\\'s'", .string("it's")),
        ("\"\\\"\\\\\\n\\t\"", .string("\"\\\n\t")), ("'\\u00e9\\x41\\U0001F600'", .string("éA😀")),
        ("\"\"", .string("")), ("'%@'", .string("%@")), ("\"%K $x #y\"", .string("%K $x #y")),
        ("CAST(0, \"NSDate\")", .date(Date(timeIntervalSinceReferenceDate: 0))),
        ("CAST(\"1.10\", 'NSDecimalNumber')", .decimal(Decimal(string: "1.1") ?? 0)),
        ("CAST('aGk=', 'NSData')", .data(Data("hi".utf8))),
    ])
    func literals(format: String, value: Value) throws {
        try expect(PredicateParser.expression(format), equals: .constant(value))
    }

    @Test func keyPathsVariablesAndIndexes() throws {
        func read(_ format: String) throws -> ExpressionTree { try PredicateParser.expression(format) }
        try expect(read("boss.name"), equals: key("boss.name"))
        try expect(read("SELF"), equals: .evaluatedObject)
        try expect(read("self.boss.name"), equals: key("boss.name"))
        try expect(read("children.@count"), equals: key("children.@count"))
        try expect(read("children.@sum.age"), equals: key("children.@sum.age"))
        try expect(read("@avg.age"), equals: key("@avg.age"))
        try expect(read("#in"), equals: key("in"))
        try expect(read("#in.and.#or"), equals: key("in.and.or"))
        try expect(read("#\"first name\""), equals: key("first name"))
        try expect(read("$x"), equals: .variable("x"))
        try expect(read("$x.boss.name"), equals: .keyPath(.variable("x"), "boss.name"))
        try expect(read("$FETCH_SOURCE.name"), equals: .keyPath(.variable("FETCH_SOURCE"), "name"))
        try expect(read("a[0]"), equals: call("objectFrom:withIndex:", key("a"), int(0)))
        try expect(read("a[FIRST]"), equals: call("objectFrom:withIndex:", key("a"), .firstIndex))
        try expect(
            read("a[last].b"), equals: .keyPath(call("objectFrom:withIndex:", key("a"), .lastIndex), "b"))
        try expect(read("a[SIZE]"), equals: call("objectFrom:withIndex:", key("a"), .sizeIndex))
        try expect(read("a['k']"), equals: call("objectFrom:withIndex:", key("a"), text("k")))
        try expect(read("size + first"), equals: call("add:to:", key("size"), key("first")))
        try expect(read("ANYKEY"), equals: .anyKey)
        try expect(read("größe"), equals: key("größe"))
    }

    @Test func calls() throws {
        func read(_ format: String) throws -> ExpressionTree { try PredicateParser.expression(format) }
        try expect(read("now()"), equals: call("now"))
        try expect(read("sum({1, 2})"), equals: call("sum:", .aggregate([int(1), int(2)])))
        try expect(read("sum:({1, 2})"), equals: call("sum:", .aggregate([int(1), int(2)])))
        try expect(read("max(1, 2)"), equals: call("max:", .aggregate([int(1), int(2)])))
        try expect(read("count:(a)"), equals: call("count:", key("a")))
        try expect(read("modulus:by:(5, 2)"), equals: call("modulus:by:", int(5), int(2)))
        try expect(read("random()"), equals: call("random"))
        try expect(read("random:(5)"), equals: call("random:", int(5)))
        try expect(read("lowercase(name)"), equals: call("lowercase:", key("name")))
        try expect(
            read("CAST(a, \"NSString\")"), equals: call("castObject:toType:", key("a"), text("NSString")))
        try expect(read("{}"), equals: .aggregate([]))
        try expect(
            read("SUBQUERY(children, $c, $c.age > 1).@count"),
            equals: .keyPath(
                .subquery(
                    collection: key("children"), variable: "c",
                    predicate: .comparison(
                        Comparison(.keyPath(.variable("c"), "age"), op: .greaterThan, right: int(1)))),
                "@count"))
        try expect(
            read("TERNARY(a == 1, 'x', nil)"),
            equals: .conditional(
                .comparison(Comparison(key("a"), op: .equalTo, right: int(1))), text("x"),
                .constant(.null)))
        try expect(
            read("FUNCTION(date, 'dateByAddingTimeInterval:', -60)"),
            equals: .function(operand: key("date"), name: "dateByAddingTimeInterval:", arguments: [int(-60)]))
        try expect(
            read("FUNCTION(SELF, \"description\")"),
            equals: .function(operand: .evaluatedObject, name: "description", arguments: []))
        try expect(
            read("FETCH($r, $c, YES)"),
            equals: .fetchRequest(request: .variable("r"), context: .variable("c"), countOnly: true))
    }

    @Test(arguments: [
        ("a ==", 4, 0), ("a", 1, 0), ("", 0, 0), ("a == 1 b", 7, 1), ("a == 'x", 5, 2), ("(a == 1", 7, 0),
        ("a == IN", 5, 2), ("a == foo(1)", 5, 3), ("a CONTAINS[x] 'b'", 11, 1), ("a == 12ab", 5, 2),
        ("a ! b", 2, 1),
        ("a == {1, 2", 10, 0), ("ANY a", 5, 0), ("a == %@", 5, 2), ("a == % b", 5, 1),
        ("é == \u{1F600}", 5, 1),
        ("SUBQUERY(a, x, TRUEPREDICATE).@count > 0", 12, 1), ("a == (b == 1)", 5, 1), ("$ == 1", 0, 1),
        ("FUNCTION(a, 'performSelector:', 1) == 1", 12, 18), ("CAST(a, 'NSTask') == 1", 8, 8),
        ("a == 1 AND", 10, 0), ("a == now(1)", 5, 3), ("a foo: b", 2, 4), ("a == '\\u00g1'", 6, 6),
        ("a BETWEEN[c] {1,2}", 10, 1),
    ])
    func errorsHavePositions(format: String, position: Int, length: Int) {
        let failure = #expect(throws: ParseFailure.self) { try PredicateParser.predicate(format) }
        expect(failure?.position, equals: position)
        expect(failure?.length, equals: length)
        expect(failure?.reason.isEmpty, equals: false)
    }

    @Test func limits() {
        let depth = 5000
        let bombs = [
            String(repeating: "(", count: depth), String(repeating: "NOT ", count: depth) + "a == 1",
            String(repeating: "-", count: depth) + "a == 1",
            String(repeating: "a + ", count: depth) + "a == 1",
            String(repeating: "a ** ", count: depth) + "a == 1", String(repeating: "{", count: depth),
            String(repeating: "a[", count: depth), "a" + String(repeating: "[0]", count: depth) + " == 1",
            String(repeating: "abs(", count: depth), String(repeating: "SUBQUERY(", count: depth),
            String(repeating: "a", count: ParseLimits.formatLength + 1),
        ]
        for bomb in bombs {
            #expect(throws: ParseFailure.self, "\(bomb.prefix(12))") { try PredicateParser.predicate(bomb) }
        }
    }

    @Test func longFlatFormatsAreFine() throws {
        let terms = Array(repeating: "a == 1", count: 5000).joined(separator: " OR ")
        guard case .or(let parts) = try PredicateParser.predicate(terms) else {
            Issue.record("no OR")
            return
        }
        expect(parts.count, equals: 5000)
        let path = Array(repeating: "a", count: 2000).joined(separator: ".")
        try expect(PredicateParser.expression(path), equals: key(path))
    }
}
