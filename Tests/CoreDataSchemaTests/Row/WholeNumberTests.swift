// Numbers beyond 64 bits for integer attributes.

import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct WholeNumberTests {
    @Test func numbersInRangeAreCut() throws {
        let cases: [(Any, Int64)] = [
            (NSNumber(value: 3.7), 3), (NSNumber(value: -3.7), -3), (NSNumber(value: Int64.max), .max),
            (NSNumber(value: Int64.min), .min), (NSNumber(value: -1), -1), (0.5, 0), (Float(2.5), 2),
            (Decimal(7.9), 7), (NSDecimalNumber(string: "9223372036854775807"), .max), (UInt8(5), 5),
            (NSNumber(value: true), 1), (-0x1p63, .min), (NSNumber(value: 0x1p62), 1 << 62),
            (NSDecimalNumber(string: "9007199254740993"), 9_007_199_254_740_993),
        ]
        for (value, number) in cases {
            expect(WholeNumber(value), equals: .inRange(number), "\(value) \(type(of: value))")
        }
        #expect(WholeNumber("5") == nil)
    }

    @Test func numbersBeyond64BitsAreKnown() throws {
        let large: [Any] = [
            1e30, NSNumber(value: 1e30), NSNumber(value: 0x1p63), NSNumber(value: UInt64.max),
            NSNumber(value: UInt64(1) << 63), UInt64.max, Double.infinity, Decimal(string: "1e30") ?? 0,
            NSDecimalNumber(string: "9223372036854775808"),
        ]
        for value in large { expect(WholeNumber(value), equals: .tooLarge, "\(value) \(type(of: value))") }
        for value in [-1e30, NSNumber(value: -1e30), -Double.infinity] as [Any] {
            expect(WholeNumber(value), equals: .tooSmall, "\(value)")
        }
        for value in [Double.nan, NSNumber(value: Double.nan)] as [Any] {
            expect(WholeNumber(value), equals: .notANumber, "\(value)")
        }
    }
}
