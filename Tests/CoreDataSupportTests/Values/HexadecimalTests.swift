import CoreDataSupport
import CoreDataTestSupport
import Testing

@Suite struct HexadecimalTests {
    @Test func everyByteHasTwoDigits() {
        expect([0, 7, 15, 16, 0xAB, 255].hexadecimal, equals: "00070f10abff")
        #expect([UInt8]().hexadecimal.isEmpty)
        #expect((UInt8.min...UInt8.max).allSatisfy { UInt8([$0].hexadecimal, radix: 16) == $0 })
    }
}
