// Predicates of formats that come again are filled with their arguments, as if the format were read anew.

import CoreDataPredicate
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

struct KeptTreesTests {
    private func comparison(_ path: String, _ op: ComparisonOperator, _ value: Value) -> PredicateTree {
        .comparison(.init(.keyPath(path), op: op, right: .constant(value)))
    }

    @Test func argumentsOfAllKindsTakeTheirPlaces() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let kinds: [(Any?, Value)] = [
            (3, .integer(3)), ("x", .string("x")), (2.5, .double(2.5)), (true, .bool(true)),
            (date, .date(date)),
            (nil, .null), ([1, 2], .array([.integer(1), .integer(2)])),
        ]
        for _ in 0..<2 {
            for (argument, value) in kinds {
                let tree = try PredicateParser.predicate(
                    "a == %@ OR NOT (b > %ld)", arguments: [argument, 7])
                expect(
                    tree,
                    equals: .or([
                        comparison("a", .equalTo, value),
                        .not(comparison("b", .greaterThan, .integer(7))),
                    ]))
            }
        }
    }

    @Test func predicatesAndExpressionsAsArgumentsStayWhatTheyAre() throws {
        let part = comparison("c", .lessThan, .integer(1))
        for _ in 0..<2 {
            let joined = try PredicateParser.predicate("%@ AND a == 1", arguments: [part])
            expect(joined, equals: .and([part, comparison("a", .equalTo, .integer(1))]))
            let path = try PredicateParser.predicate("a == %@", arguments: [ExpressionTree.keyPath("b")])
            expect(path, equals: .comparison(.init(.keyPath("a"), op: .equalTo, right: .keyPath("b"))))
            try expect(
                PredicateParser.predicate("a == %@", arguments: [4]),
                equals: comparison("a", .equalTo, .integer(4)))
            let list = try PredicateParser.predicate("a IN %@", arguments: [[ExpressionTree.keyPath("b")]])
            expect(
                list, equals: .comparison(.init(.keyPath("a"), op: .in, right: .aggregate([.keyPath("b")]))))
        }
    }

    @Test func keyPathsAsArgumentsAreReadEachTime() throws {
        for path in ["a", "b.c", "SELF.d"] {
            let tree = try PredicateParser.predicate("%K == %ld", arguments: [path, 1])
            let expected = path == "SELF.d" ? "d" : path
            expect(tree, equals: comparison(expected, .equalTo, .integer(1)))
        }
    }

    @Test func operandsThatAreWorkedOutAreReadEachTime() throws {
        for number in 0..<3 {
            let tree = try PredicateParser.predicate("a == %ld + 1", arguments: [number])
            let sum = ExpressionTree.function(
                operand: nil, name: "add:to:",
                arguments: [.constant(.integer(Int64(number))), .constant(.integer(1))])
            expect(tree, equals: .comparison(.init(.keyPath("a"), op: .equalTo, right: sum)))
            let reversed = try PredicateParser.predicate("%ld < a", arguments: [number])
            expect(
                reversed,
                equals: .comparison(
                    .init(.constant(.integer(Int64(number))), op: .lessThan, right: .keyPath("a"))))
        }
    }

    @Test func optionsAndModifiersStay() throws {
        for text in ["x", "y"] {
            let tree = try PredicateParser.predicate("ANY a.b BEGINSWITH[cd] %@", arguments: [text])
            expect(
                tree,
                equals: .comparison(
                    .init(
                        .keyPath("a.b"), op: .beginsWith, right: .constant(.string(text)), modifier: .any,
                        options: [.caseInsensitive, .diacriticInsensitive])))
        }
    }

    @Test func whatDoesNotFitFailsEachTime() throws {
        for _ in 0..<2 {
            #expect(throws: ParseFailure.self) { try PredicateParser.predicate("a == %d", arguments: ["x"]) }
            #expect(throws: ParseFailure.self) {
                try PredicateParser.predicate("a == %d AND b == %d", arguments: [1])
            }
            #expect(throws: ParseFailure.self) { try PredicateParser.predicate("a == %@ §", arguments: [1]) }
            try expect(
                PredicateParser.predicate("a == %d", arguments: [2]),
                equals: comparison("a", .equalTo, .integer(2)))
        }
    }

    @Test func moreFormatsThanAreKept() throws {
        for _ in 0..<2 {
            for number in 0..<300 {
                let tree = try PredicateParser.predicate("a\(number) == %ld", arguments: [number])
                expect(tree, equals: comparison("a\(number)", .equalTo, .integer(Int64(number))))
            }
        }
    }

    @Test func variablesOfTheFormatStayVariables() throws {
        for number in 0..<2 {
            let tree = try PredicateParser.predicate("a == $x AND b == %ld", arguments: [number])
            expect(
                tree,
                equals: .and([
                    .comparison(.init(.keyPath("a"), op: .equalTo, right: .variable("x"))),
                    comparison("b", .equalTo, .integer(Int64(number))),
                ]))
        }
    }
}
