import CoreDataSupport
import Foundation
import Testing

@Suite struct DecimalExactTests {
    @Test func floatingPointNumbersHaveTheirShortestForm() {
        #expect(Decimal(shortest: 19.99) == Decimal(string: "19.99"))
        #expect(Decimal(shortest: Float(0.1)) == Decimal(string: "0.1"))
        #expect(Decimal(shortest: -0.0) == 0)
        #expect(Decimal(shortest: Double.nan) == nil && Decimal(shortest: Double.infinity) == nil)
        #expect(Decimal(shortest: 1e300) == nil)
    }

    @Test func boxesGiveWhatTheyHold() {
        #expect(Decimal(exactly: NSNumber(value: 5_000_000_093)) == 5_000_000_093)
        #expect(Decimal(exactly: NSNumber(value: UInt64.max)) == Decimal(UInt64.max))
        #expect(Decimal(exactly: NSNumber(value: true)) == 1)
        #expect(Decimal(exactly: NSNumber(value: Float(2.5))) == Decimal(string: "2.5"))
        #expect(Decimal(exactly: NSDecimalNumber(string: "1.10")) == Decimal(string: "1.1"))
    }
}
