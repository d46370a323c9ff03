// Orders by sort keys.

import CoreDataPredicate
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct SortEvaluatorTests {
    private func row(_ name: Value, _ age: Value) -> Value {
        .dictionary([.string("name"): name, .string("age"): age])
    }

    private func ages(_ values: [Value], _ keys: [SortKey]) throws -> [Value] {
        let rows = values.enumerated().map { row($1, .integer(Int64($0))) }
        return try SortEvaluator(keys).sorted(rows).map { row in
            guard case .dictionary(let pairs) = row else { return .null }
            return pairs[.string("age")] ?? .null
        }
    }

    @Test func nilComesFirst() throws {
        let names: [Value] = [.string("b"), .null, .string("a"), .string("B")]
        try expect(ages(names, [SortKey("name")]), equals: [1, 3, 2, 0].map(Value.integer))
        try expect(ages(names, [SortKey("name", ascending: false)]), equals: [0, 2, 3, 1].map(Value.integer))
    }

    @Test func selectors() throws {
        let names: [Value] = ["b10", "B2", "a", "É", "e"].map(Value.string)
        try expect(
            ages(names, [SortKey("name", comparison: .compare)]), equals: [1, 2, 0, 4, 3].map(Value.integer))
        try expect(
            ages(names, [SortKey("name", comparison: .caseInsensitiveCompare)]),
            equals: [2, 0, 1, 4, 3].map(Value.integer))
        let standard = try ages(
            ["b10", "b2", "b1"].map(Value.string), [SortKey("name", comparison: .localizedStandardCompare)])
        expect(standard, equals: [2, 1, 0].map(Value.integer))
    }

    @Test func equalObjectsKeepTheirPlacesAndLaterKeysDecide() throws {
        let names: [Value] = ["x", "x", "a", "x"].map(Value.string)
        try expect(ages(names, [SortKey("name")]), equals: [2, 0, 1, 3].map(Value.integer))
        try expect(
            ages(names, [SortKey("name"), SortKey("age", ascending: false)]),
            equals: [2, 3, 1, 0].map(Value.integer))
    }

    @Test func numbersOfAllKinds() throws {
        let numbers: [Value] = [.double(1.5), .integer(1), .decimal(1.25), .bool(false), .null]
        try expect(ages(numbers, [SortKey("name")]), equals: [4, 3, 1, 2, 0].map(Value.integer))
        #expect(throws: EvaluationFailure.self) { try ages([.integer(1), .string("a")], [SortKey("name")]) }
    }

    @Test func pairs() throws {
        let evaluator = SortEvaluator(SortKey("self"))
        #expect(try evaluator.areInIncreasingOrder(.integer(1), and: .integer(2)))
        #expect(try !evaluator.areInIncreasingOrder(.integer(2), and: .integer(2)))
        try expect(evaluator.compare(.string("b"), with: .string("a")), equals: .orderedDescending)
    }
}
