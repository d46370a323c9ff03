import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct SQLiteEngineTransactionTests {
    @Test func whatThrowsLeavesNothing() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        #expect(throws: CancellationError.self) {
            try engine.transaction {
                try engine.execute(SQLStatement("INSERT INTO ZPERSON (Z_PK) VALUES (1)"))
                try engine.transaction {
                    try engine.execute(SQLStatement("INSERT INTO ZPERSON (Z_PK) VALUES (2)"))
                }
                throw CancellationError()
            }
        }
        try expect(engine.fetchCount(SQLStatement("SELECT COUNT(*) FROM ZPERSON")), equals: 0)
        try engine.transaction { try engine.execute(SQLStatement("INSERT INTO ZPERSON (Z_PK) VALUES (3)")) }
        try expect(engine.fetchCount(SQLStatement("SELECT COUNT(*) FROM ZPERSON")), equals: 1)
    }

    @Test func readingSeesOneState() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        let other = try SQLiteEngine(path: sample.path, OpeningOptions(.readWrite))
        let count = SQLStatement("SELECT COUNT(*) FROM ZPERSON")
        try engine.reading {
            try expect(engine.fetchCount(count), equals: 0)
            try other.execute(SQLStatement("INSERT INTO ZPERSON (Z_PK) VALUES (1)"))
            try expect(engine.fetchCount(count), equals: 0)
        }
        try expect(engine.fetchCount(count), equals: 1)
    }

    @Test func secondWriterIsBusy() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        var options = OpeningOptions(.readWrite)
        options.busyMilliseconds = 5
        let other = try SQLiteEngine(path: sample.path, options)
        try engine.transaction {
            let failure = #expect(throws: EngineFailure.self) { try other.transaction {} }
            expect(failure?.kind, equals: .busy)
        }
        try other.transaction {}
    }

    @Test func metadataAndModelCacheCanBeReplaced() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        try expect(engine.metadataRow()?.propertyList, equals: Data([0]))
        #expect(try engine.modelCache() == nil)
        try engine.writeMetadata(uuid: "U-2", propertyList: Data([1, 2]))
        try engine.writeModelCache(Data([3]))
        try expect(engine.metadataRow()?.uuid, equals: "U-2")
        try expect(engine.metadataRow()?.propertyList, equals: Data([1, 2]))
        try expect(engine.modelCache(), equals: Data([3]))
    }

    @Test func catalogIsTheFiles() throws {
        let catalog = try SampleStore().create().catalog()
        expect(
            catalog.tables.keys.sorted(), equals: ["ZPERSON", "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"])
        expect(
            catalog.tables["ZPERSON"]?.first, equals: .init(name: "Z_PK", type: "INTEGER", primaryKeyIndex: 1)
        )
        expect(catalog.indexes.map(\.name), equals: ["Z_Person_UNIQUE_text"])
        expect(catalog.entityNumbers.map(\.name), equals: ["Person", "Boss"])
        expect(catalog.entityNumbers.map(\.superNumber), equals: [0, 1])
    }
}
