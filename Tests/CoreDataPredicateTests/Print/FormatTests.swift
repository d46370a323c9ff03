// The printed form of predicates and expressions, and that it reads back as the same tree.

import CoreDataPredicate
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FormatTests {
    @Test(arguments: [
        ("name = 'x' && age > 5", "name == \"x\" AND age > 5"),
        ("any children.age between {2,5}", "ANY children.age BETWEEN {2, 5}"),
        ("none a.b == 1", "NOT ANY a.b == 1"),
        ("all a.b <> 1", "ALL a.b != 1"),
        ("not a == 1", "NOT a == 1"),
        ("not (a == 1 or b == 2)", "NOT (a == 1 OR b == 2)"),
        ("a == 1 and b == 2 or c == 3", "(a == 1 AND b == 2) OR c == 3"),
        ("a == 1 and (b == 2 or c == 3)", "a == 1 AND (b == 2 OR c == 3)"),
        ("a == 1 and b == 2 and c == 3", "a == 1 AND b == 2 AND c == 3"),
        ("(a == 1 and b == 2) and c == 3", "(a == 1 AND b == 2) AND c == 3"),
        ("name contains[CD] 'x'", "name CONTAINS[cd] \"x\""),
        ("name ==[c] 'x'", "name ==[c] \"x\""),
        ("name beginswith[n] 'x'", "name BEGINSWITH[n] \"x\""),
        ("flag == YES", "flag == 1"),
        ("a == nil", "a == nil"),
        ("a == 1.5", "a == 1.5"),
        ("truepredicate", "TRUEPREDICATE"),
        ("FALSEPREDICATE", "FALSEPREDICATE"),
        ("self in {1, 'two'}", "SELF IN {1, \"two\"}"),
        ("a like 'it\\'s \"q\" \\\\*'", "a LIKE \"it's \\\"q\\\" \\\\*\""),
        ("SUBQUERY(children,$x,$x.age>1).@count > 0", "SUBQUERY(children, $x, $x.age > 1).@count > 0"),
        ("a + b * c - -1 > (a + b) * c", "a + b * c - -1 > (a + b) * c"),
        ("a - (b - c) == a - b - c", "a - (b - c) == a - b - c"),
        ("(a ** b) ** c == a ** b ** c", "(a ** b) ** c == a ** b ** c"),
        ("(flags & 2) | 1 != 0", "flags & 2 | 1 != 0"),
        ("~a == ~(a + 1)", "~a == ~(a + 1)"),
        ("a UNION (b MINUS c) == {}", "a UNION (b MINUS c) == {}"),
        ("now() > date", "now() > date"),
        ("sum({1,2}) == max(a)", "sum:({1, 2}) == max:(a)"),
        ("modulus:by:(a, 2) == 1", "a %% 2 == 1"),
        ("a[0] == a[first]", "a[0] == a[FIRST]"),
        ("a[LAST].name == a[SIZE]", "a[LAST].name == a[SIZE]"),
        ("#in == $value.name", "#in == $value.name"),
        ("#first == 1", "#first == 1"),
        ("boss.in == 1", "boss.in == 1"),
        ("TERNARY(a == 1, 2, 3) == 2", "TERNARY(a == 1, 2, 3) == 2"),
        ("FUNCTION(a, 'length') == 2", "FUNCTION(a, \"length\") == 2"),
        ("CAST(a, 'NSString') == 'x'", "CAST(a, \"NSString\") == \"x\""),
        ("date > CAST(694224000, 'NSDate')", "date > CAST(694224000.000000, \"NSDate\")"),
        ("FETCH($FETCH_REQUEST, $c, no) == ANYKEY", "FETCH($FETCH_REQUEST, $c, NO) == ANYKEY"),
        ("name hasPrefix: 'x'", "name hasPrefix: \"x\""),
    ])
    func printsAppleSpelling(format: String, printed: String) throws {
        let tree = try PredicateParser.predicate(format)
        expect(tree.format, equals: printed)
        try expect(PredicateParser.predicate(printed).canonical, equals: tree.canonical)
    }

    @Test func constants() {
        func format(_ value: Value) -> String { ExpressionTree.constant(value).format }
        expect(format(.decimal(Decimal(string: "1.10") ?? 0)), equals: "CAST(\"1.1\", \"NSDecimalNumber\")")
        expect(format(.date(Date(timeIntervalSinceReferenceDate: 0.5))), equals: "CAST(0.500000, \"NSDate\")")
        expect(format(.array([.integer(1), .null])), equals: "{1, nil}")
        expect(format(.set([.string("b"), .string("a")])), equals: "{\"a\", \"b\"}")
        expect(format(.bool(true)), equals: "1")
        expect(format(.double(3)), equals: "3.0")
    }

    @Test func emptyAndSingleCompounds() {
        expect(PredicateTree.and([]).format, equals: "TRUEPREDICATE")
        expect(PredicateTree.or([]).format, equals: "FALSEPREDICATE")
        expect(
            PredicateTree.and([.or([.constant(true), .constant(false)])]).format,
            equals: "TRUEPREDICATE OR FALSEPREDICATE")
    }

    @Test func generatedTreesReadBack() throws {
        var generator = TreeGenerator(seed: 42)
        for _ in 0..<rounds(500, long: 3000) {
            let tree = generator.predicate(depth: 4)
            let format = tree.format
            let read = try PredicateParser.predicate(format)
            expect(read.canonical, equals: tree.canonical, "\(format)")
            expect(read.format, equals: format)
        }
        for _ in 0..<rounds(500, long: 3000) {
            let tree = generator.expression(depth: 5)
            let format = tree.format
            try expect(PredicateParser.expression(format).canonical, equals: tree.canonical, "\(format)")
        }
    }

    @Test func randomWordsNeverTrap() throws {
        let words = [
            "a", "b.c", "SELF", "(", ")", "{", "}", "[", "]", ",", ".", "==", "!=", "<", "AND", "OR", "NOT",
            "!", "ANY", "ALL",
            "IN", "CONTAINS", "[cd]", "BETWEEN", "1", "-", "+", "*", "**", "2.5", "0x", "0x1", "'s'", "\"",
            "'", "\\", "$x", "$",
            "#", "#in", "%@", "%K", "%d", "%", "@count", "@", "SUBQUERY(", "TERNARY(", "FUNCTION(", "CAST(",
            "now()", "sum(",
            "nil", "TRUEPREDICATE", "&", "|", "^", "~", "<<", "UNION", "FIRST", "é", "\u{301}", "😀", "\0",
            "e", "1e", ":", "x:",
        ]
        var generator = SeededGenerator(seed: 7)
        var parsed = 0
        for _ in 0..<rounds(3000, long: 20_000) {
            let count = Int.random(in: 1...12, using: &generator)
            let format = (0..<count).map { _ in words.randomElement(using: &generator) ?? "" }
                .joined(separator: Bool.random(using: &generator) ? " " : "")
            let tree: PredicateTree
            do throws(ParseFailure) {
                tree = try PredicateParser.predicate(format, arguments: ["k", 2, "z", 1.5])
                parsed += 1
            } catch {
                #expect(error.position + error.length <= format.count + 1)
                continue
            }
            let again = try PredicateParser.predicate(tree.format)
            expect(again.canonical, equals: tree.canonical, "\(format)")
        }
        #expect(parsed > rounds(3, long: 20))
    }
}
