import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct DecimalExactTests {
    @Test func floatingPointNumbersHaveTheirShortestForm() {
        expect(Decimal(shortest: 19.99), equals: Decimal(string: "19.99"))
        expect(Decimal(shortest: Float(0.1)), equals: Decimal(string: "0.1"))
        expect(Decimal(shortest: -0.0), equals: 0)
        #expect(Decimal(shortest: Double.nan) == nil && Decimal(shortest: Double.infinity) == nil)
        #expect(Decimal(shortest: 1e300) == nil)
    }

    @Test func boxesGiveWhatTheyHold() {
        expect(Decimal(exactly: NSNumber(value: 5_000_000_093)), equals: 5_000_000_093)
        expect(Decimal(exactly: NSNumber(value: UInt64.max)), equals: Decimal(UInt64.max))
        expect(Decimal(exactly: NSNumber(value: true)), equals: 1)
        expect(Decimal(exactly: NSNumber(value: Float(2.5))), equals: Decimal(string: "2.5"))
        expect(Decimal(exactly: NSDecimalNumber(string: "1.10")), equals: Decimal(string: "1.1"))
    }
}
