// The identity map finds what was put into it, whatever its size was before.

import CoreDataTestSupport
import Testing

@testable import CoreDataSchema

@Suite struct KeyPagesTests {
    /// The same as a dictionary does, in any order of events, with keys beside each other and far apart.
    @Test(arguments: 0..<8) func itIsADictionary(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var pages = KeyPages()
        var expected: [Int64: UnsafeMutableRawPointer] = [:]
        let reach: Int64 = seed % 2 == 0 ? 200 : 1 << 40
        for _ in 0..<4_000 {
            let key = Int64.random(in: -reach...reach, using: &random) | 1
            let place = try #require(
                UnsafeMutableRawPointer(bitPattern: Int.random(in: 1...99, using: &random)))
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let known = expected.randomElement(using: &random)
                pages.remove(known?.key ?? key, address: known?.value ?? place)
                expected[known?.key ?? key] = nil
            case 1:
                pages.remove(key, address: place)
                if expected[key] == place { expected[key] = nil }
            default:
                pages.insert(key, address: place)
                expected[key] = place
            }
        }
        expect(pages.count, equals: expected.count)
        for (key, place) in expected {
            let (found, beside) = (pages.find(key), pages.find(key ^ 1))
            #expect(found == place && beside == nil)
        }
        var all: [UnsafeMutableRawPointer] = []
        pages.forEach { all.append($0) }
        expect(all.sorted(), equals: expected.values.sorted())
        pages.removeAll()
        expect(pages.count, equals: 0)
        for key in expected.keys {
            let found = pages.find(key)
            #expect(found == nil)
        }
    }
}
