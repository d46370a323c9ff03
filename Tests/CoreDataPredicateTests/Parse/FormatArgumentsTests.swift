// The result of each % specifier for its argument.

import CoreDataPredicate
import CoreDataSupport
import Foundation
import Testing

@Suite struct FormatArgumentsTests {
    @Test(arguments: ["d", "i", "u", "D", "ld", "lu", "lld", "llu", "qi", "qu", "hd", "hhd", "zd", "x", "li"])
    func integers(specifier: String) throws {
        for argument in [7 as Int, Int16(7), UInt64(7), NSNumber(value: 7), 7.9] as [Any] {
            #expect(
                try PredicateParser.expression("%\(specifier)", arguments: [argument])
                    == .constant(.integer(7)))
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
            #expect(
                try PredicateParser.expression("%\(specifier)", arguments: [argument])
                    == .constant(.double(2)))
        }
    }

    @Test func charactersAndStrings() throws {
        #expect(try PredicateParser.expression("%c", arguments: ["x"]) == .constant(.string("x")))
        #expect(try PredicateParser.expression("%c", arguments: [65]) == .constant(.integer(65)))
        #expect(try PredicateParser.expression("%s", arguments: ["abc"]) == .constant(.string("abc")))
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
            #expect(try PredicateParser.expression("%@", arguments: [argument]) == .constant(value))
        }
    }

    @Test func keyPaths() throws {
        func read(_ format: String, _ path: String) throws -> ExpressionTree {
            try PredicateParser.expression(format, arguments: [path])
        }
        #expect(try read("%K", "boss.name") == .keyPath("boss.name"))
        #expect(try read("%K", "in") == .keyPath("in"))
        #expect(try read("%K", "SELF") == .evaluatedObject)
        #expect(try read("%K", "self.name") == .keyPath("name"))
        #expect(try read("%K.@count", "children") == .keyPath("children.@count"))
        #expect(try read("boss.%K", "name") == .keyPath("boss.name"))
        #expect(try read("$x.%K", "name") == .keyPath(.variable("x"), "name"))
        #expect(try read("%K", "first name) OR TRUEPREDICATE") == .keyPath("first name) OR TRUEPREDICATE"))
        #expect(throws: ParseFailure.self) { try PredicateParser.expression("%K", arguments: [1]) }
        #expect(throws: ParseFailure.self) { try PredicateParser.expression("%K", arguments: [""]) }
    }

    @Test func trees() throws {
        let predicate = try PredicateParser.predicate("a == 1")
        let expression = try PredicateParser.expression("a + 1")
        #expect(
            try PredicateParser.predicate("%@ AND b == 2", arguments: [predicate])
                == .and([predicate, try PredicateParser.predicate("b == 2")]))
        #expect(
            try PredicateParser.predicate("%@ > 2", arguments: [expression])
                == PredicateParser.predicate("a + 1 > 2"))
        #expect(
            try PredicateParser.expression("%@", arguments: [[expression, 2] as [Any]])
                == .aggregate([expression, .constant(.integer(2))]))
        #expect(throws: ParseFailure.self) { try PredicateParser.predicate("%@ > 2", arguments: [predicate]) }
    }

    @Test func argumentsAreNeverParsed() throws {
        let hostile = "' OR TRUEPREDICATE OR name == '"
        #expect(
            try PredicateParser.predicate("name == %@", arguments: [hostile])
                == .comparison(.init(.keyPath("name"), op: .equalTo, right: .constant(.string(hostile)))))
    }

    @Test func tooFewArguments() {
        let failure = #expect(throws: ParseFailure.self) {
            try PredicateParser.predicate("a == %@ AND b == %d", arguments: [1])
        }
        #expect(failure?.position == 17)
        #expect(failure?.length == 2)
    }
}
