// Raw DEFLATE: round trips, limits, broken streams.

import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct DeflateTests {
    @Test(arguments: [0, 1, 1000, 300_000])
    func bytesSurvive(_ count: Int) throws {
        let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 ^ $0 >> 7) })
        try expect(Deflate.inflate(Deflate.deflate(data), limit: count), equals: data)
    }

    @Test func moreThanTheLimitThrows() throws {
        let bomb = try Deflate.deflate(Data(repeating: 0, count: 10_000_000))
        #expect(throws: ArchiveFailure("compressed bytes inflate to more than 1000000 bytes")) {
            try Deflate.inflate(bomb, limit: 1_000_000)
        }
    }

    @Test func everyTruncationThrows() throws {
        let data = try Deflate.deflate(Data("some text, some text, other text".utf8))
        for length in 0..<data.count {
            #expect(throws: ArchiveFailure.self) { try Deflate.inflate(data.prefix(length), limit: 1000) }
        }
    }

    @Test func aZlibHeaderIsNoRawStream() {
        #expect(throws: ArchiveFailure.self) {
            try Deflate.inflate(Data([0x78, 0x9C, 0xFF, 0xFF]), limit: 100)
        }
    }
}
