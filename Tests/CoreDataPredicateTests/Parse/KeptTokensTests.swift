// Formats are cut into words once; their arguments are read each time.

import CoreDataPredicate
import CoreDataSupport
import CoreDataTestSupport
import Testing

struct KeptTokensTests {
    @Test func aFormatIsReadAnewWithOtherArguments() throws {
        for age in 0..<3 {
            let tree = try PredicateParser.predicate(
                "age >= %ld AND name == %@", arguments: [age, "n\(age)"])
            expect(
                tree,
                equals: .and([
                    .comparison(
                        .init(
                            .keyPath("age"), op: .greaterThanOrEqualTo,
                            right: .constant(.integer(Int64(age))))),
                    .comparison(
                        .init(.keyPath("name"), op: .equalTo, right: .constant(.string("n\(age)")))),
                ]))
        }
    }

    @Test func manyFormatsAndLongOnes() throws {
        let long = (0..<100).map { "age != \($0)" }.joined(separator: " AND ")
        for _ in 0..<2 {
            for number in 0..<300 {
                let tree = try PredicateParser.predicate("age == \(number)")
                let number = ExpressionTree.constant(.integer(Int64(number)))
                expect(tree, equals: .comparison(.init(.keyPath("age"), op: .equalTo, right: number)))
            }
            guard case .and(let parts) = try PredicateParser.predicate(long) else {
                Issue.record("the long format is no conjunction")
                return
            }
            expect(parts.count, equals: 100)
        }
    }

    @Test func failuresStayFailures() {
        for _ in 0..<2 {
            #expect(throws: ParseFailure.self) { try PredicateParser.predicate("age == § 3") }
        }
    }
}
