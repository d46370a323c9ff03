// Engines that go on reading one state of a file.

import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct SQLiteEngineGenerationTests {
    private let count = SQLStatement("SELECT COUNT(*) FROM Z_MODELCACHE")

    private func add(_ engine: SQLiteEngine, bytes: Int = 10) throws {
        try engine.execute(
            SQLStatement(
                "INSERT INTO Z_MODELCACHE VALUES (?)", bindings: [.blob(Data(repeating: 1, count: bytes))]))
    }

    @Test func aPinnedEngineReadsWhatWas() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        let pinned = try #require(try engine.pinned())
        try add(engine)
        try expect(pinned.fetchCount(count), equals: 0)
        try expect(pinned.reading { try pinned.fetchCount(count) }, equals: 0)
        try expect(engine.fetchCount(count), equals: 1)
        #expect(pinned.isPinned)
        pinned.close()
        #expect(!pinned.isPinned)
    }

    @Test func aPinnedEngineCannotWrite() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        let pinned = try #require(try engine.pinned())
        #expect(throws: EngineFailure.self) { try add(pinned) }
        try expect(engine.fetchCount(count), equals: 0)
    }

    @Test func aFileWithoutALogIsNotPinned() throws {
        let sample = try SampleStore()
        var options = OpeningOptions(.create)
        options.pragmas = [("journal_mode", "DELETE")]
        let engine = try SQLiteEngine(path: sample.path, options)
        #expect(try engine.pinned() == nil)
    }

    @Test func theMarkTellsOfOwnWritesAndOfOthers() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        let first = try engine.stateMark()
        try expect(engine.stateMark(), equals: first)
        try add(engine)
        let second = try engine.stateMark()
        #expect(second != first)
        let other = try SQLiteEngine(path: sample.path, OpeningOptions(.readWrite))
        try expect(engine.stateMark(), equals: second)
        try add(other)
        #expect(try engine.stateMark() != second)
    }

    @Test func theLogShrinksWhenNobodyReads() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        let pinned = try #require(try engine.pinned())
        try add(engine, bytes: 100_000)
        try engine.shrinkLog()
        #expect(engine.logSize > 100_000, "somebody reads, and is not waited for")
        pinned.close()
        try engine.shrinkLog()
        expect(engine.logSize, equals: 0)
        try expect(engine.fetchCount(count), equals: 1)
    }
}
