import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct NumericConversionTests {
    /// All that is inferred, and nothing beside it.
    @Test func whatIsConvertedToWhat() {
        let integers: Set<AttributeType> = [.integer16, .integer32, .integer64]
        let floating: Set<AttributeType> = [.float, .double]
        for source in AttributeType.allCases {
            for destination in AttributeType.allCases where source != destination {
                let isAllowed =
                    integers.contains(destination) && (integers.contains(source) || source == .boolean)
                    || floating.contains(destination) && integers.union(floating).contains(source)
                    || destination == .decimal && integers.union(floating).contains(source)
                let conversion = NumericConversion(from: source, to: destination)
                expect((conversion != nil), equals: isAllowed, "\(source) to \(destination)")
            }
            #expect(NumericConversion(from: source, to: source) == nil)
        }
    }

    @Test(
        arguments: [
            (.boolean, .integer16, .bool(true), .integer(1)),
            (.integer64, .integer16, .integer(-32768), .integer(-32768)),
            (.integer64, .integer16, .integer(32768), nil),
            (.integer32, .integer16, .integer(-32769), nil),
            (.integer64, .integer32, .integer(1 << 31), nil),
            (.integer64, .integer32, .integer((1 << 31) - 1), .integer((1 << 31) - 1)),
            (.integer32, .integer64, .integer(-5), .integer(-5)),
            (.integer64, .float, .integer(16_777_217), .double(16_777_216)),
            (.integer64, .double, .integer(7), .double(7)),
            (.integer64, .decimal, .integer(.max), .decimal(Decimal(string: "9223372036854775807") ?? 0)),
            (.double, .float, .double(0.1), .double(Double(Float(0.1)))),
            (.double, .float, .double(1e39), nil), (.double, .float, .double(.infinity), .double(.infinity)),
            (.float, .double, .double(Double(Float(0.1))), .double(Double(Float(0.1)))),
            (.double, .decimal, .double(19.99), .decimal(Decimal(string: "19.99") ?? 0)),
            (.float, .decimal, .double(Double(Float(19.99))), .decimal(Decimal(string: "19.99") ?? 0)),
            (.double, .decimal, .double(.infinity), nil), (.double, .decimal, .double(1e200), nil),
            (.integer16, .double, .string("7"), nil), (.integer16, .double, .null, .null),
        ] as [(AttributeType, AttributeType, Value, Value?)])
    func values(case: (from: AttributeType, to: AttributeType, value: Value, expected: Value?)) throws {
        let conversion = try #require(NumericConversion(from: `case`.from, to: `case`.to))
        expect(conversion.converted(`case`.value), equals: `case`.expected)
        if `case`.expected == nil, `case`.value != .string("7") { #expect(conversion.isNarrowing) }
    }
}
