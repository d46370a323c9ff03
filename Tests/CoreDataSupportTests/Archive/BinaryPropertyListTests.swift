// Binary property lists: what we write reads back, Foundation reads it too, and broken bytes throw.

import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct BinaryPropertyListTests {
    static let everything = PropertyList.dictionary([
        .init("text", value: .string("plain")), .init("unicode", value: .string("häß 🎈")),
        .init("long", value: .string(String(repeating: "x", count: 300))),
        .init(
            "numbers", value: .array([0, 1, -1, 255, 256, 65_536, 1 << 40, .max, .min].map { .integer($0) })),
        .init("reals", value: .array([.real(0), .real(-1.5), .real(.infinity)])),
        .init("date", value: .date(Date(timeIntervalSinceReferenceDate: 12.5))),
        .init("data", value: .data(Data(0...255))), .init("yes", value: .bool(true)),
        .init("no", value: .bool(false)),
        .init("uids", value: .array([.uid(0), .uid(255), .uid(256), .uid(70_000)])),
        .init("set", value: .set([.integer(1), .string("a")])), .init("empty", value: .array([])),
        .init("many", value: .array((0..<400).map { .integer($0) })),
        .init("nested", value: .dictionary([.init("k", value: .null)])),
    ])

    @Test func everyKindSurvives() throws {
        let data = BinaryPropertyListWriter.data(for: Self.everything)
        try expect(BinaryPropertyListReader.read(data), equals: Self.everything)
    }

    @Test func foundationReadsOurs() throws {
        let data = BinaryPropertyListWriter.data(
            for: .dictionary([.init("a", value: .array([.integer(-5), .string("é"), .real(2.5)]))]))
        let list = try PropertyListSerialization.propertyList(from: data, format: nil)
        let array = try #require((list as? [String: Any])?["a"] as? [Any])
        expect(array[0] as? Int, equals: -5)
        expect(array[1] as? String, equals: "é")
        expect(array[2] as? Double, equals: 2.5)
    }

    @Test func weReadFoundations() throws {
        let list: [String: Any] = ["k": ["ü", 1, true, Data([1, 2])] as [Any]]
        let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        let read = try BinaryPropertyListReader.read(data)
        expect(read["k"]?.elements, equals: [.string("ü"), .integer(1), .bool(true), .data(Data([1, 2]))])
    }

    @Test func everyTruncationThrows() {
        let data = BinaryPropertyListWriter.data(for: Self.everything)
        for length in 0..<data.count {
            #expect(throws: ArchiveFailure.self) { try BinaryPropertyListReader.read(data.prefix(length)) }
        }
    }

    @Test func changedBytesNeverTrap() {
        let data = BinaryPropertyListWriter.data(for: Self.everything)
        var random = SeededGenerator(seed: 1)
        var outcomes = 0
        for _ in 0..<3000 {
            var broken = data
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                broken[Int.random(in: 0..<broken.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            _ = try? BinaryPropertyListReader.read(broken)
            outcomes += 1
        }
        expect(outcomes, equals: 3000)
    }

    @Test func anArrayThatContainsItselfThrows() {
        // One object, an array of one element: itself.
        var bytes = Array("bplist00".utf8) + [0xA1, 0x00, 0x08]
        bytes += [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 1]
        bytes += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, 10]
        #expect(throws: ArchiveFailure("property list is nested too deep, or in a circle")) {
            try BinaryPropertyListReader.read(Data(bytes))
        }
    }

    @Test func sharedArraysCantMultiplyWithoutBound() {
        // Twenty arrays, each holding the next one fifteen times.
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for index in 0..<11 {
            offsets.append(UInt8(bytes.count))
            bytes += [0xAE] + [UInt8](repeating: UInt8(index + 1), count: 14)
        }
        offsets.append(UInt8(bytes.count))
        bytes.append(0x09)
        let table = UInt8(bytes.count)
        bytes += offsets + [0, 0, 0, 0, 0, 0, 1, 1] + [0, 0, 0, 0, 0, 0, 0, 12]
        bytes += [0, 0, 0, 0, 0, 0, 0, 0] + [0, 0, 0, 0, 0, 0, 0, table]
        #expect(throws: ArchiveFailure("property list is too large")) {
            try BinaryPropertyListReader.read(Data(bytes))
        }
    }
}
