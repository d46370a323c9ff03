// The sizes of cache and log follow the file's.

import CoreDataSQL
@testable import CoreDataSQLiteEngine
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ConnectionCacheTests {
    private static let megabyte: Int64 = 1 << 20
    private let sample: SampleStore

    init() throws { sample = try SampleStore() }

    private static let much: Int64 = 64 << 30

    @Test func smallFilesNeedNoMoreThanTheBeginning() {
        for size in [0, 1, 7] {
            let room = WritingRoom(forFile: Int64(size) * Self.megabyte, memory: Self.much)
            #expect(room.cache == WritingRoom.smallestCache && room.logPages == 1000)
        }
    }

    @Test func theRoomGrowsWithTheFileUpToABound() {
        let middle = WritingRoom(forFile: 40 * Self.megabyte, memory: Self.much)
        #expect(middle.cache == 40 * 1024 && middle.logPages == 40 * 256)
        let large = WritingRoom(forFile: 5000 * Self.megabyte, memory: Self.much)
        #expect(large.cache == 128_000 && large.logPages == 16_000)
    }

    @Test func aMachineWithLittleMemoryGivesLittle() {
        expect(WritingRoom(forFile: 5000 * Self.megabyte, memory: 1 << 30).cache, equals: 16 * 1024)
        expect(
            WritingRoom(forFile: 5000 * Self.megabyte, memory: 1 << 20).cache,
            equals: WritingRoom.smallestCache)
        #expect(WritingRoom.memory > 0)
    }

    private func cache(_ engine: SQLiteEngine) throws -> Int64? {
        try engine.connection.firstInteger("PRAGMA cache_size")
    }

    /// Makes the file larger by 30 MB.
    private func grow(_ engine: SQLiteEngine) throws {
        try engine.transaction {
            try engine.execute(SQLStatement("CREATE TABLE IF NOT EXISTS filling (content)"))
            for _ in 0..<30 {
                try engine.execute(SQLStatement("INSERT INTO filling VALUES (zeroblob(1048576))"))
            }
        }
    }

    @Test func whoWritesToALargeFileGetsALargerCache() throws {
        let engine = try sample.create()
        engine.connection.followFileSize(except: [])
        try grow(engine)
        try expect(cache(engine), equals: -WritingRoom.smallestCache)
        let whileReading = try engine.reading { try cache(engine) }
        expect(whileReading, equals: -WritingRoom.smallestCache)
        try engine.transaction {}
        let grown = try #require(try cache(engine))
        #expect(-40_000 ... -30_000 ~= grown)
        try grow(engine)
        try engine.transaction {}
        #expect(try #require(try cache(engine)) < -60_000)
    }

    /// Inserts rows that take about 4 KB each.
    private func insert(_ count: Int, after key: Int64 = 0, into engine: SQLiteEngine) throws {
        let row = try sample.row(["bytes": .data(Data(count: 4000))])
        try engine.insert(
            Array(repeating: row, count: count), primaryKeys: Array(key + 1...key + Int64(count)),
            encoder: sample.encoder())
    }

    @Test func theCacheGrowsWithTheRowsOfOneTransaction() throws {
        let engine = try sample.create()
        engine.connection.followFileSize(except: [])
        try engine.transaction {
            try insert(4000, into: engine)
            try expect(cache(engine), equals: -WritingRoom.smallestCache, "it isn't asked for so few rows")
            try insert(1000, after: 4000, into: engine)
            #expect(-30_000 ... -20_000 ~= (try #require(try cache(engine))))
            try insert(5000, after: 5000, into: engine)
            #expect(try #require(try cache(engine)) < -40_000)
        }
    }

    @Test func aLongInsertionIsWrittenInPartsAndWhole() throws {
        let engine = try sample.create()
        engine.connection.followFileSize(except: [])
        try engine.transaction {
            try insert(20_001, into: engine)
            #expect(try #require(try cache(engine)) < -WritingRoom.smallestCache)
        }
        let rows = SQLStatement("SELECT COUNT(*), MIN(Z_PK), MAX(Z_PK) FROM ZPERSON")
        try expect(engine.fetchValues(rows), equals: [[.integer(20_001), .integer(1), .integer(20_001)]])
    }

    @Test func whatIsTakenBackTakesTheCacheWithIt() throws {
        let engine = try sample.create()
        engine.connection.followFileSize(except: [])
        #expect(throws: CocoaError.self) {
            try engine.transaction {
                try insert(5000, into: engine)
                throw CocoaError(.userCancelled)
            }
        }
        #expect(try #require(try cache(engine)) < -WritingRoom.smallestCache)
        try engine.transaction {}
        try expect(cache(engine), equals: -WritingRoom.smallestCache)
    }

    @Test func rowsLeaveAClientsOwnSizeAlone() throws {
        let engine = try sample.create()
        try engine.execute(SQLStatement("PRAGMA cache_size = -555"))
        engine.connection.followFileSize(except: ["cache_size"])
        try engine.transaction { try insert(5000, into: engine) }
        try expect(cache(engine), equals: -555)
    }

    @Test func aClientsOwnSizeStays() throws {
        let engine = try sample.create()
        try engine.execute(SQLStatement("PRAGMA cache_size = -555"))
        engine.connection.followFileSize(except: ["CACHE_SIZE"])
        try grow(engine)
        try engine.transaction {}
        try expect(cache(engine), equals: -555)
    }
}
