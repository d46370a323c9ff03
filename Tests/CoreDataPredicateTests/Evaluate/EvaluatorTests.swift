// Predicates and their answers, written by hand.

import CoreDataPredicate
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct EvaluatorTests {
    private func matches(_ format: String, _ arguments: [Any?] = [], _ variables: [String: Value] = [:])
        throws -> Bool
    {
        let tree = try PredicateParser.predicate(format, arguments: arguments)
        return try Evaluator(variables: variables).matches(tree, object: Person.anna.value)
    }

    private func value(_ format: String) throws -> Value {
        try Evaluator().value(of: PredicateParser.expression(format), Person.anna.value)
    }

    @Test(arguments: [
        "name == 'Anna'", "name != 'anna'", "name ==[c] 'ANNA'", "nick ==[cd] 'annchen'",
        "nick !=[c] 'annchen'",
        "age == 40", "age == 40.0", "age = 40.00", "age > 39.5", "age < 40.5", "age >= 40", "age <= 40",
        "age != 41",
        "height > 1", "salary == 1234.5", "salary > 1234", "salary < 1235", "big < 9223372036854775808",
        "big > 9223372036854774784.0", "big != 9223372036854775808.0", "flag == YES", "flag == 1",
        "off == NO", "off == 0",
        "age BETWEEN {40, 41}", "age BETWEEN {1, 40}", "NOT age BETWEEN {1, 39}", "name BETWEEN {'A', 'B'}",
        "birth > CAST(999, 'NSDate')", "birth == CAST(1000, 'NSDate')", "birth < now()",
        "id == CAST('01020304-0506-0708-090a-0b0c0d0e0f10', 'NSUUID')",
        "id IN {CAST('01020304-0506-0708-090A-0B0C0D0E0F10', 'NSUUID')}",
        "name IN {'Anna', 'Bob'}", "age IN {1, 40.0}", "'nn' IN name", "'NN' IN[c] name",
        "name IN[c] {'ANNA'}",
        "7 IN map", "'red' IN tags", "tags CONTAINS 'red'", "tags CONTAINS[c] 'blue'",
        "NOT tags CONTAINS 'blue'",
        "name CONTAINS 'nn'", "name CONTAINS[c] 'AN'", "name BEGINSWITH 'An'", "name ENDSWITH 'na'",
        "nick BEGINSWITH[cd] 'ann'",
        "name LIKE 'A*'", "name LIKE '?nn?'", "name LIKE[c] 'a*A'", "name LIKE '*'", "NOT name LIKE 'A'",
        "blank LIKE '*'",
        "nick LIKE[cd] 'ann*'", "nick LIKE '?nnchen'", "name MATCHES 'A.n+a'", "name MATCHES 'A|Anna'",
        "NOT name MATCHES 'Ann'",
        "name MATCHES[c] 'anna'", "text MATCHES 'a.b'", "nick MATCHES[cd] 'annchen'", "NOT name MATCHES 'nn'",
        "ANY children.age == 5", "ANY children.age > 9", "NOT ANY children.age > 10",
        "NONE children.age > 10",
        "ANY children.name == nil", "ANY children.toys == 'car'", "SOME children.name BEGINSWITH 'B'",
        "ALL tags MATCHES '.*'", "NOT ALL children.age > 1", "ALL empty.age > 1", "NOT ANY empty.age > 1",
        "NONE empty.age > 1", "ANY scores IN {1}", "ALL scores IN {1, 3}", "ANY {1, 2} == 2",
        "children.@count == 3", "children.@sum.age == 15", "children.@avg.age == 7.5",
        "children.@max.age == 10",
        "children.@min.age == 5", "empty.@count == 0", "empty.@sum.age == 0", "empty.@avg.age == nil",
        "empty.@max.age == nil",
        "FUNCTION(SELF, 'valueForKeyPath:', 'scores.@distinctUnionOfObjects.self')[SIZE] == 2",
        "scores.@max == 3",
        "children.age.@count == 3",
        "SUBQUERY(children, $c, $c.age > 4 AND $c.toys.@count == 1).@count == 1",
        "SUBQUERY(children, $c, $c.age < age).@count == 2",
        "SUBQUERY(children, $c, ANY $c.toys == 'ball').@count == 2", "children[0].name == 'Bob'",
        "children[LAST].name == nil",
        "children[SIZE] == 3", "scores[FIRST] == 3", "scores[9] == nil", "map['k'] == 7", "map.k == 7",
        "map.x == nil",
        "TERNARY(age > 18, 'adult', 'child') == 'adult'", "name.length == 4", "length(name) == 4",
        "SELF == SELF",
        "SELF.name == 'Anna'", "self IN {SELF}", "flags & 2 == 2", "(flags | 1) == 7", "flags ^ 2 == 4",
        "~flags == -7",
        "1 << 3 == 8", "FUNCTION(birth, 'dateByAddingTimeInterval:', 5) == CAST(1005, 'NSDate')",
        "FUNCTION(name, 'stringByAppendingString:', '!') == 'Anna!'",
        "FUNCTION(SELF, 'valueForKeyPath:', 'children.@count') == 3",
        "ANYKEY == 'Anna'", "NOT ANYKEY == 'nobody'", "name hasPrefix: 'An'",
        "name isCaseInsensitiveLike: 'A*'",
        "{1, 2} == {1, 2}", "tags == {'red', 'Blue'}", "birth + 5 == CAST(1005, 'NSDate')",
        "birth - CAST(400, 'NSDate') == 600",
    ])
    func isTrue(format: String) throws {
        #expect(try matches(format))
    }

    @Test(arguments: [
        ("void == nil", true), ("void != nil", false), ("name == nil", false), ("name != nil", true),
        ("void == 5", false), ("void != 5", true), ("NOT void == 5", true), ("void < 5", false),
        ("void <= 5", false),
        ("void > 5", false), ("void >= 5", false), ("NOT (void > 5)", true), ("void <= nil", false),
        ("5 > void", false),
        ("void BETWEEN {1, 2}", false), ("5 BETWEEN {void, 9}", false), ("NOT void BETWEEN {1, 2}", true),
        ("void IN {1, 2}", false), ("void IN {1, nil}", true), ("void IN void", false), ("1 IN void", false),
        ("NOT void IN {1}", true), ("void CONTAINS 'x'", false), ("void BEGINSWITH 'x'", false),
        ("void LIKE '*'", false),
        ("void MATCHES '.*'", false), ("void == 'x'", false), ("void != 'x'", true),
        ("NOT void CONTAINS 'x'", true),
        ("name CONTAINS void", false), ("name LIKE void", false), ("boss.name == nil", true),
        ("boss.name == 'x'", false),
        ("ANY void.x == 1", false), ("ALL void.x == 1", true), ("noneMany.@count == 0", true),
        ("void + 1 == nil", true),
        ("void + 1 > 0", false), ("lowercase(void) == nil", true), ("void[0] == nil", true),
        ("name CONTAINS ''", false),
        ("name BEGINSWITH ''", false), ("name ENDSWITH ''", false), ("blank == ''", true),
        ("name == 5", false), ("name != 5", true),
        ("ANY children.age != 5", true), ("NONE children.age == nil", false), ("void ==[c] nil", true),
        ("nil == NULL", true),
    ])
    func nilFollowsTheTable(format: String, answer: Bool) throws {
        try expect(matches(format), equals: answer)
    }

    @Test(arguments: [
        "missing == 1", "name < 5", "age CONTAINS 'x'", "name BETWEEN {1}", "age LIKE 'x'", "$x == 1",
        "name + 1 == 2",
        "ANY name == 'x'", "name MATCHES '('", "name MATCHES 'a)|(b'", "age IN 5", "id < id",
        "SUBQUERY(name, $x, TRUEPREDICATE).@count > 0",
        "children.@foo.x == 1", "name.@count == 1", "CAST(tags, 'NSDate') == nil", "CAST(name, name) == 1",
        "tags[FIRST].nothing == 1",
        "distanceToLocation:fromLocation:(age, age) > 1", "FETCH($r, $c, NO) == 1",
    ])
    func isAnError(format: String) {
        #expect(throws: EvaluationFailure.self) { try matches(format) }
    }

    @Test(arguments: [
        ("5 / 2", Value.integer(2)), ("5.0 / 2", .double(2.5)), ("-5 / 2", .integer(-2)), ("1 / 0", .null),
        ("1.0 / 0", .null),
        ("modulus:by:(5, 3)", .integer(2)), ("modulus:by:(5, 0)", .null), ("2 ** 10", .double(1024)),
        ("2 + 3 * 4", .integer(14)),
        ("(2 + 3) * 4", .integer(20)), ("big + 1", .double(9223372036854775808)),
        ("big * big", .double(0x1p126)),
        ("-9223372036854775808 / -1", .double(0x1p63)),
        ("modulus:by:(-9223372036854775808, -1)", .integer(0)),
        ("0 - -9223372036854775808", .double(0x1p63)), ("abs(-9223372036854775808)", .double(0x1p63)),
        ("abs(-5)", .integer(5)),
        ("1 << 70", .integer(0)), ("1 << -1", .integer(0)), ("1e300 * 1e300 - 1e300 * 1e300", .null),
        ("salary + 0.5", .double(1235)),
        ("salary + 1", .decimal(1235.5)), ("sqrt(16)", .double(4)), ("sqrt(-1)", .null),
        ("log(1000)", .double(3)), ("ln(0)", .null),
        ("exp(0)", .double(1)), ("floor(1.7)", .double(1)), ("ceiling(1.2)", .double(2)),
        ("trunc(-1.7)", .double(-1)),
        ("sum({1, 2, nil})", .integer(3)), ("sum({})", .integer(0)), ("average({1, 2})", .double(1.5)),
        ("average({})", .null),
        ("max({1, 3, 2})", .integer(3)), ("min({'b', 'a'})", .string("a")),
        ("median({3, 1, 2, 10})", .double(2.5)),
        ("mode({3, 1, 1, 3})", .double(1)), ("stddev({2, 4, 4, 4, 5, 5, 7, 9})", .double(2)),
        ("count({1, 2})", .integer(2)),
        ("uppercase('aß')", .string("ASS")), ("lowercase('ÄB')", .string("äb")),
        ("canonical('ÄBc')", .string("abc")),
        ("length('a😀')", .integer(3)), ("noindex(5)", .integer(5)),
        ("scores.@distinctUnionOfObjects.self", .array([.integer(3), .integer(1)])),
        ("children.@unionOfArrays.toys", .array([.string("ball"), .string("car"), .string("ball")])),
        ("children.@distinctUnionOfArrays.toys", .array([.string("ball"), .string("car")])),
        ("children.@sum.age", .integer(15)),
        ("{1, 2} UNION {2.0, 3}", .array([.integer(1), .integer(2), .integer(3)])),
        ("{1, 2} INTERSECT {2}", .array([.integer(2)])),
        ("{1, 2} MINUS {2}", .array([.integer(1)])), ("CAST('12abc', 'NSNumber')", .double(12)),
        ("CAST(5, 'NSString')", .string("5")),
        ("CAST(CAST(5, 'NSDate'), 'NSNumber')", .double(5)), ("CAST(5, 'NSDecimalNumber')", .decimal(5)),
        ("-age", .integer(-40)),
        ("tags.uppercaseString", .array([.string("RED"), .string("BLUE")])),
        ("FUNCTION(name, 'substringFromIndex:', 2)", .string("na")),
        ("FUNCTION(name, 'substringFromIndex:', 99)", .null),
        ("distanceToLocation:fromLocation:({0, 0}, {0, 0})", .double(0)),
        ("children.@avg.age.doubleValue", .double(7.5)), ("age.intValue", .integer(40)),
        ("random:(0)", .integer(0)),
    ])
    func values(format: String, value: Value) throws {
        try expect(self.value(format), equals: value)
    }

    @Test func randomStaysInRange() throws {
        for _ in 0..<50 {
            #expect(try matches("random() >= 0 AND random() < 1"))
            #expect(try matches("random:(3) BETWEEN {0, 2}"))
        }
    }

    @Test func variablesAndSubstitution() throws {
        #expect(try matches("age == $a", [], ["a": .integer(40)]))
        #expect(try matches("$p.age == 40", [], ["p": Person.anna.value]))
        let tree = try PredicateParser.predicate(
            "age == $a AND SUBQUERY(children, $x, $x.age > $b).@count > 0")
        expect(tree.variables, equals: ["a", "b"])
        let bound = try tree.substituting(["a": .integer(40), "b": .integer(1), "x": .null])
        expect(bound.format, equals: "age == 40 AND SUBQUERY(children, $x, $x.age > 1).@count > 0")
        expect(bound.variables, equals: [])
        #expect(throws: EvaluationFailure.self) { try tree.substituting(["a": Value.null]) }
        let partly = tree.substituting(["a": ExpressionTree.keyPath("b")])
        expect(partly.variables, equals: ["b"])
        try expect(
            ExpressionTree.variable("x").substituting(["x": Value.bool(true)]), equals: .constant(.bool(true))
        )
        expect(ExpressionTree.keyPath(.variable("x"), "y").variables, equals: ["x"])
    }

    @Test func hooks() throws {
        let block = ObjectReference(Person([:]))
        let evaluator = Evaluator(
            variables: ["v": .integer(1)],
            predicateBlock: { reference, object, variables in
                reference == block && object == .integer(5) && variables["v"] == .integer(1)
            },
            expressionBlock: { _, object, arguments, _ in .array([object] + arguments) },
            fetch: { request, context, countOnly in .array([request, context, .bool(countOnly)]) })
        #expect(try evaluator.matches(.block(block), object: .integer(5)))
        try expect(
            evaluator.value(of: .block(block, [.variable("v")]), .null), equals: .array([.null, .integer(1)]))
        let fetch = ExpressionTree.fetchRequest(
            request: .variable("v"), context: .evaluatedObject, countOnly: true)
        try expect(evaluator.value(of: fetch, .null), equals: .array([.integer(1), .null, .bool(true)]))
        #expect(throws: EvaluationFailure.self) { try Evaluator().matches(.block(block), object: .null) }
    }

    @Test func deepTreesAreRefused() throws {
        var tree = PredicateTree.constant(true)
        for _ in 0..<(EvaluationLimits.depth + 10) { tree = .not(tree) }
        #expect(throws: EvaluationFailure.self) { try Evaluator().matches(tree, object: .null) }
        let parsed = try PredicateParser.predicate(
            String(repeating: "NOT (", count: 44) + "age == 40" + String(repeating: ")", count: 44))
        #expect(try Evaluator().matches(parsed, object: Person.anna.value))
    }

    @Test func matchesIsLimitedInSteps() {
        let slow = Value.string(String(repeating: "a", count: 60))
        #expect(throws: EvaluationFailure.self) {
            try Evaluator().matches(PredicateParser.predicate("SELF MATCHES '(a+)+b'"), object: slow)
        }
    }

    @Test func randomTreesNeverTrap() {
        var generator = TreeGenerator(seed: 99)
        var answers = 0
        for _ in 0..<5000 {
            let tree = generator.predicate(depth: 5)
            let evaluator = Evaluator(
                variables: ["x": Person.anna.value, "y": .integer(3), "r": .null],
                fetch: { _, _, _ in .array([]) })
            if (try? evaluator.matches(tree, object: Person.anna.value)) != nil { answers += 1 }
        }
        #expect(answers > 20)
    }
}
