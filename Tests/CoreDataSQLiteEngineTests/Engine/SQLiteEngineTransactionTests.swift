import CoreDataSQL
import CoreDataSQLiteEngine
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
        #expect(try engine.fetchCount(SQLStatement("SELECT COUNT(*) FROM ZPERSON")) == 0)
        try engine.transaction { try engine.execute(SQLStatement("INSERT INTO ZPERSON (Z_PK) VALUES (3)")) }
        #expect(try engine.fetchCount(SQLStatement("SELECT COUNT(*) FROM ZPERSON")) == 1)
    }

    @Test func readingSeesOneState() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        let other = try SQLiteEngine(path: sample.path, OpeningOptions(.readWrite))
        let count = SQLStatement("SELECT COUNT(*) FROM ZPERSON")
        try engine.reading {
            #expect(try engine.fetchCount(count) == 0)
            try other.execute(SQLStatement("INSERT INTO ZPERSON (Z_PK) VALUES (1)"))
            #expect(try engine.fetchCount(count) == 0)
        }
        #expect(try engine.fetchCount(count) == 1)
    }

    @Test func secondWriterIsBusy() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        var options = OpeningOptions(.readWrite)
        options.busyMilliseconds = 5
        let other = try SQLiteEngine(path: sample.path, options)
        try engine.transaction {
            let failure = #expect(throws: EngineFailure.self) { try other.transaction {} }
            #expect(failure?.kind == .busy)
        }
        try other.transaction {}
    }

    @Test func metadataAndModelCacheCanBeReplaced() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        #expect(try engine.metadataRow()?.propertyList == Data([0]))
        #expect(try engine.modelCache() == nil)
        try engine.writeMetadata(uuid: "U-2", propertyList: Data([1, 2]))
        try engine.writeModelCache(Data([3]))
        #expect(try engine.metadataRow()?.uuid == "U-2")
        #expect(try engine.metadataRow()?.propertyList == Data([1, 2]))
        #expect(try engine.modelCache() == Data([3]))
    }

    @Test func catalogIsTheFiles() throws {
        let catalog = try SampleStore().create().catalog()
        #expect(catalog.tables.keys.sorted() == ["ZPERSON", "Z_METADATA", "Z_MODELCACHE", "Z_PRIMARYKEY"])
        #expect(catalog.tables["ZPERSON"]?.first == .init(name: "Z_PK", type: "INTEGER", primaryKeyIndex: 1))
        #expect(catalog.indexes.map(\.name) == ["Z_Person_UNIQUE_text"])
        #expect(catalog.entityNumbers.map(\.name) == ["Person", "Boss"])
        #expect(catalog.entityNumbers.map(\.superNumber) == [0, 1])
    }
}
