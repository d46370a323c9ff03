// Strings that are kept for the next reading never show anything but the text that is there.

@testable import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct KeptTextsTests {
    /// Runs a closure on memory with a text, and gives it a way to put another text in the same place.
    private func withMemory(_ body: (_ read: () -> String, _ write: (String) -> Void) -> Void) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 512, alignment: 8)
        defer { memory.deallocate() }
        let kept = KeptTexts()
        var count = 0
        body(
            { kept.text(UnsafeRawBufferPointer(rebasing: memory[..<count])) },
            { text in
                count = text.utf8.count
                memory.copyBytes(from: text.utf8)
            })
    }

    @Test func aTextIsTheSameHoweverOftenItIsRead() {
        withMemory { read, write in
            write("Defender no. 100001")
            for _ in 0..<5 { expect(read(), equals: "Defender no. 100001") }
        }
    }

    @Test(arguments: [16, 17, 23, 24, 25, 31, 32, 33, 64, 200, 255])
    func eachByteCounts(length: Int) {
        #expect(KeptTexts.keeps(length: length))
        withMemory { read, write in
            let bytes = (0..<length).map { UInt8(65 + $0 % 26) }
            for place in 0..<length {
                write(String(decoding: bytes, as: UTF8.self))
                for _ in 0..<3 { expect(read(), equals: String(decoding: bytes, as: UTF8.self)) }
                var other = bytes
                other[place] = 0x2A
                write(String(decoding: other, as: UTF8.self))
                for _ in 0..<3 { expect(read(), equals: String(decoding: other, as: UTF8.self)) }
            }
        }
    }

    @Test func aLongerOrShorterTextAtAnAddressIsAnother() {
        withMemory { read, write in
            for text in [
                "Defender no. 100001", "Defender no. 1000012", "Defender no. 10000", "Défenseur n° 100001",
            ] {
                write(text)
                for _ in 0..<3 { expect(read(), equals: text) }
            }
        }
    }

    @Test func shortAndLongTextsAreNotKept() {
        #expect(!KeptTexts.keeps(length: 0) && !KeptTexts.keeps(length: 15))
        #expect(!KeptTexts.keeps(length: 256) && !KeptTexts.keeps(length: 1 << 20))
    }

    @Test func moreTextsThanThereArePlaces() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 20 * 5000, alignment: 8)
        defer { memory.deallocate() }
        let kept = KeptTexts()
        func text(_ number: Int) -> String { "text no. \(10_000_000 + number)xyz" }
        for number in 0..<5000 {
            UnsafeMutableRawBufferPointer(rebasing: memory[(number * 20)..<((number + 1) * 20)])
                .copyBytes(from: text(number).utf8)
        }
        for _ in 0..<3 {
            for number in 0..<5000 {
                let bytes = UnsafeRawBufferPointer(rebasing: memory[(number * 20)..<((number + 1) * 20)])
                expect(kept.text(bytes), equals: text(number))
            }
        }
    }

    // MARK: Objects

    private func title(_ number: Int) -> String { "a title of many letters, no. \(number)" }

    @Test func objectsShowWhatTheStoreHolds() throws {
        let stack = try TestStack()
        let (writer, reader) = (stack.context, stack.another())
        try writer.run { () throws in
            _ = writer.make("Note", ["text": title(0)])
            try writer.save()
        }
        let note = try reader.run { () throws in try #require(try reader.all("Note").first) }
        for number in 1...50 {
            // Read often enough to be kept.
            reader.performAndWait { for _ in 0..<3 { expect(note.text("text"), equals: title(number - 1)) } }
            try writer.run { () throws in
                try writer.all("Note").first?.setValue(title(number), forKey: "text")
                try writer.save()
            }
            reader.performAndWait { reader.refresh(note, mergeChanges: number % 2 == 0) }
            reader.performAndWait { for _ in 0..<3 { expect(note.text("text"), equals: title(number)) } }
        }
    }

    @Test func aChangeShowsAtOnceAndIsTakenBack() throws {
        let stack = try TestStack()
        let context = stack.another()
        try stack.context.run { () throws in
            _ = stack.context.make("Note", ["text": title(1)])
            try stack.context.save()
        }
        try context.run { () throws in
            let note = try #require(try context.all("Note").first)
            for _ in 0..<3 { expect(note.text("text"), equals: title(1)) }
            note.setValue(title(2), forKey: "text")
            for _ in 0..<3 { expect(note.text("text"), equals: title(2)) }
            context.rollback()
            for _ in 0..<3 { expect(note.text("text"), equals: title(1)) }
            note.setValue(nil, forKey: "text")
            #expect(note.value(forKey: "text") == nil)
        }
    }

    @Test func objectsThatOutliveTheirContextKeepTheirTexts() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            for number in 0..<20 { _ = stack.context.make("Note", ["text": title(number)]) }
            try stack.context.save()
        }
        var context: NSManagedObjectContext? = stack.another()
        let notes = try #require(context).run { () throws in
            let notes = try #require(context).all("Note", sort: "text")
            for note in notes { for _ in 0..<3 { _ = note.text("text") } }
            return notes
        }
        context = nil
        expect(Set(notes.map { $0.text("text") }), equals: Set((0..<20).map(title)))
    }
}
