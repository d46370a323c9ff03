// Formats and the trees that they spell.

import CoreDataPredicate
import CoreDataSupport
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
        #expect(tree == .comparison(Comparison(key("a"), op: op, right: key("b"))))
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
            #expect(comparison.options == options)
        }
    }

    @Test func modifiers() throws {
        func tree(_ modifier: ComparisonModifier) -> PredicateTree {
            .comparison(Comparison(key("a.b"), op: .equalTo, right: int(1), modifier: modifier))
        }
        #expect(try PredicateParser.predicate("ANY a.b == 1") == tree(.any))
        #expect(try PredicateParser.predicate("some a.b == 1") == tree(.any))
        #expect(try PredicateParser.predicate("All a.b == 1") == tree(.all))
        #expect(try PredicateParser.predicate("NONE a.b == 1") == .not(tree(.any)))
        #expect(try PredicateParser.predicate("NOT ANY a.b == 1") == .not(tree(.any)))
    }

    @Test func andBindsTighterThanOrAndNotTightest() throws {
        func test(_ name: String) -> PredicateTree {
            .comparison(Comparison(key(name), op: .equalTo, right: int(1)))
        }
        let (a, b, c) = (test("a"), test("b"), test("c"))
        #expect(try PredicateParser.predicate("a == 1 AND b == 1 OR c == 1") == .or([.and([a, b]), c]))
        #expect(try PredicateParser.predicate("a == 1 || b == 1 && c == 1") == .or([a, .and([b, c])]))
        #expect(try PredicateParser.predicate("not a = 1 and b = 1") == .and([.not(a), b]))
        #expect(try PredicateParser.predicate("!(a = 1 and b = 1)") == .not(.and([a, b])))
        #expect(try PredicateParser.predicate("(a = 1 or b = 1) and c = 1") == .and([.or([a, b]), c]))
        #expect(try PredicateParser.predicate("a = 1 and b = 1 and c = 1") == .and([a, b, c]))
        #expect(try PredicateParser.predicate("((a == 1))") == a)
        #expect(try PredicateParser.predicate("NOT NOT a == 1") == .not(.not(a)))
        #expect(try PredicateParser.predicate("TRUEPREDICATE and a=1") == .and([.constant(true), a]))
        #expect(try PredicateParser.predicate("falsepredicate") == .constant(false))
    }

    @Test func arithmeticPrecedence() throws {
        func read(_ format: String) throws -> ExpressionTree { try PredicateParser.expression(format) }
        let (a, b, c) = (key("a"), key("b"), key("c"))
        #expect(try read("a + b * c") == call("add:to:", a, call("multiply:by:", b, c)))
        #expect(try read("a - b - c") == call("from:subtract:", call("from:subtract:", a, b), c))
        #expect(try read("a ** b ** c") == call("raise:toPower:", a, call("raise:toPower:", b, c)))
        #expect(try read("a / b * c") == call("multiply:by:", call("divide:by:", a, b), c))
        #expect(try read("(a + b) * c") == call("multiply:by:", call("add:to:", a, b), c))
        #expect(
            try read("a & b | c ^ a")
                == call("bitwiseOr:with:", call("bitwiseAnd:with:", a, b), call("bitwiseXor:with:", c, a)))
        #expect(try read("a << b >> c") == call("rightshift:by:", call("leftshift:by:", a, b), c))
        #expect(try read("~a") == call("onesComplement:", a))
        #expect(try read("-a") == call("from:subtract:", int(0), a))
        #expect(try read("a - -1") == call("from:subtract:", a, int(-1)))
        #expect(try read("a %% b") == call("modulus:by:", a, b))
        #expect(try read("a UNION b MINUS c") == .minus(.union(a, b), c))
        #expect(try read("a INTERSECT b") == .intersect(a, b))
        #expect(
            try PredicateParser.predicate("(a + b) * c > 2")
                == .comparison(Comparison(read("(a+b)*c"), op: .greaterThan, right: int(2))))
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
        #expect(try PredicateParser.expression(format) == .constant(value))
    }

    @Test func keyPathsVariablesAndIndexes() throws {
        func read(_ format: String) throws -> ExpressionTree { try PredicateParser.expression(format) }
        #expect(try read("boss.name") == key("boss.name"))
        #expect(try read("SELF") == .evaluatedObject)
        #expect(try read("self.boss.name") == key("boss.name"))
        #expect(try read("children.@count") == key("children.@count"))
        #expect(try read("children.@sum.age") == key("children.@sum.age"))
        #expect(try read("@avg.age") == key("@avg.age"))
        #expect(try read("#in") == key("in"))
        #expect(try read("#in.and.#or") == key("in.and.or"))
        #expect(try read("#\"first name\"") == key("first name"))
        #expect(try read("$x") == .variable("x"))
        #expect(try read("$x.boss.name") == .keyPath(.variable("x"), "boss.name"))
        #expect(try read("$FETCH_SOURCE.name") == .keyPath(.variable("FETCH_SOURCE"), "name"))
        #expect(try read("a[0]") == call("objectFrom:withIndex:", key("a"), int(0)))
        #expect(try read("a[FIRST]") == call("objectFrom:withIndex:", key("a"), .firstIndex))
        #expect(try read("a[last].b") == .keyPath(call("objectFrom:withIndex:", key("a"), .lastIndex), "b"))
        #expect(try read("a[SIZE]") == call("objectFrom:withIndex:", key("a"), .sizeIndex))
        #expect(try read("a['k']") == call("objectFrom:withIndex:", key("a"), text("k")))
        #expect(try read("size + first") == call("add:to:", key("size"), key("first")))
        #expect(try read("ANYKEY") == .anyKey)
        #expect(try read("größe") == key("größe"))
    }

    @Test func calls() throws {
        func read(_ format: String) throws -> ExpressionTree { try PredicateParser.expression(format) }
        #expect(try read("now()") == call("now"))
        #expect(try read("sum({1, 2})") == call("sum:", .aggregate([int(1), int(2)])))
        #expect(try read("sum:({1, 2})") == call("sum:", .aggregate([int(1), int(2)])))
        #expect(try read("max(1, 2)") == call("max:", .aggregate([int(1), int(2)])))
        #expect(try read("count:(a)") == call("count:", key("a")))
        #expect(try read("modulus:by:(5, 2)") == call("modulus:by:", int(5), int(2)))
        #expect(try read("random()") == call("random"))
        #expect(try read("random:(5)") == call("random:", int(5)))
        #expect(try read("lowercase(name)") == call("lowercase:", key("name")))
        #expect(try read("CAST(a, \"NSString\")") == call("castObject:toType:", key("a"), text("NSString")))
        #expect(try read("{}") == .aggregate([]))
        #expect(
            try read("SUBQUERY(children, $c, $c.age > 1).@count")
                == .keyPath(
                    .subquery(
                        collection: key("children"), variable: "c",
                        predicate: .comparison(
                            Comparison(.keyPath(.variable("c"), "age"), op: .greaterThan, right: int(1)))),
                    "@count"))
        #expect(
            try read("TERNARY(a == 1, 'x', nil)")
                == .conditional(
                    .comparison(Comparison(key("a"), op: .equalTo, right: int(1))), text("x"),
                    .constant(.null)))
        #expect(
            try read("FUNCTION(date, 'dateByAddingTimeInterval:', -60)")
                == .function(operand: key("date"), name: "dateByAddingTimeInterval:", arguments: [int(-60)]))
        #expect(
            try read("FUNCTION(SELF, \"description\")")
                == .function(operand: .evaluatedObject, name: "description", arguments: []))
        #expect(
            try read("FETCH($r, $c, YES)")
                == .fetchRequest(request: .variable("r"), context: .variable("c"), countOnly: true))
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
        #expect(failure?.position == position)
        #expect(failure?.length == length)
        #expect(failure?.reason.isEmpty == false)
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
        #expect(parts.count == 5000)
        let path = Array(repeating: "a", count: 2000).joined(separator: ".")
        #expect(try PredicateParser.expression(path) == key(path))
    }
}
