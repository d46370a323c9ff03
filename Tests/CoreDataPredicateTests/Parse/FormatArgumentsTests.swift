// The result of each % specifier for its argument.

import CoreDataPredicate
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FormatArgumentsTests {
    @Test(arguments: ["d", "i", "u", "D", "ld", "lu", "lld", "llu", "qi", "qu", "hd", "hhd", "zd", "x", "li"])
    func integers(specifier: String) throws {
        for argument in [7 as Int, Int16(7), UInt64(7), NSNumber(value: 7), 7.9] as [Any] {
            try expect(
                PredicateParser.expression("%\(specifier)", arguments: [argument]),
                equals: .constant(.integer(7)))
        }
        #expect(throws: ParseFailure.self) {
            try PredicateParser.expression("%\(specifier)", arguments: ["7"])
        }
        #expect(throws: ParseFailure.self) {
            try PredicateParser.expression("%\(specifier)", arguments: [nil])
        }
    }

    @Test(arguments: ["f", "g", "e", "a", "lf", "G"])
    func floats(specifier: String) throws {
        for argument in [2 as Int, 2.0, Float(2), NSNumber(value: 2)] as [Any] {
            try expect(
                PredicateParser.expression("%\(specifier)", arguments: [argument]),
                equals: .constant(.double(2)))
        }
    }

    @Test func charactersAndStrings() throws {
        try expect(PredicateParser.expression("%c", arguments: ["x"]), equals: .constant(.string("x")))
        try expect(PredicateParser.expression("%c", arguments: [65]), equals: .constant(.integer(65)))
        try expect(PredicateParser.expression("%s", arguments: ["abc"]), equals: .constant(.string("abc")))
    }

    @Test func objects() throws {
        let date = Date(timeIntervalSinceReferenceDate: 5)
        let uuid = UUID()
        let cases: [(Any?, Value)] = [
            ("x", .string("x")), (nil, .null), (NSNull(), .object(ObjectReference(NSNull()))),
            (true, .bool(true)),
            (NSNumber(value: false), .bool(false)),
            (Int8(1), .integer(1)), (1.5, .double(1.5)), (Decimal(2), .decimal(2)), (date, .date(date)),
            (uuid, .uuid(uuid)),
            ([1, 2], .array([.integer(1), .integer(2)])), (Set([1]), .set([.integer(1)])),
            (["a": 1], .dictionary([.string("a"): .integer(1)])),
            (NSArray(array: [1]), .array([.integer(1)])),
            (Data([1]), .data(Data([1]))), (Optional<Optional<Int>>.some(.none) as Any?, .null),
        ]
        for (argument, value) in cases {
            try expect(PredicateParser.expression("%@", arguments: [argument]), equals: .constant(value))
        }
    }

    @Test func keyPaths() throws {
        func read(_ format: String, _ path: String) throws -> ExpressionTree {
            try PredicateParser.expression(format, arguments: [path])
        }
        try expect(read("%K", "boss.name"), equals: .keyPath("boss.name"))
        try expect(read("%K", "in"), equals: .keyPath("in"))
        try expect(read("%K", "SELF"), equals: .evaluatedObject)
        try expect(read("%K", "self.name"), equals: .keyPath("name"))
        try expect(read("%K.@count", "children"), equals: .keyPath("children.@count"))
        try expect(read("boss.%K", "name"), equals: .keyPath("boss.name"))
        try expect(read("$x.%K", "name"), equals: .keyPath(.variable("x"), "name"))
        try expect(
            read("%K", "first name) OR TRUEPREDICATE"), equals: .keyPath("first name) OR TRUEPREDICATE"))
        #expect(throws: ParseFailure.self) { try PredicateParser.expression("%K", arguments: [1]) }
        #expect(throws: ParseFailure.self) { try PredicateParser.expression("%K", arguments: [""]) }
    }

    @Test func trees() throws {
        let predicate = try PredicateParser.predicate("a == 1")
        let expression = try PredicateParser.expression("a + 1")
        try expect(
            PredicateParser.predicate("%@ AND b == 2", arguments: [predicate]),
            equals: .and([predicate, try PredicateParser.predicate("b == 2")]))
        try expect(
            PredicateParser.predicate("%@ > 2", arguments: [expression]),
            equals: PredicateParser.predicate("a + 1 > 2"))
        try expect(
            PredicateParser.expression("%@", arguments: [[expression, 2] as [Any]]),
            equals: .aggregate([expression, .constant(.integer(2))]))
        #expect(throws: ParseFailure.self) { try PredicateParser.predicate("%@ > 2", arguments: [predicate]) }
    }

    @Test func argumentsAreNeverParsed() throws {
        let hostile = "' OR TRUEPREDICATE OR name == '"
        try expect(
            PredicateParser.predicate("name == %@", arguments: [hostile]),
            equals: .comparison(.init(.keyPath("name"), op: .equalTo, right: .constant(.string(hostile)))))
    }

    @Test func tooFewArguments() {
        let failure = #expect(throws: ParseFailure.self) {
            try PredicateParser.predicate("a == %@ AND b == %d", arguments: [1])
        }
        expect(failure?.position, equals: 17)
        expect(failure?.length, equals: 2)
    }
}
