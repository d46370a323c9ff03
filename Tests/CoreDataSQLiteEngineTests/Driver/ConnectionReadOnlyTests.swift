import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ConnectionReadOnlyTests {
    /// Reads everything and returns the number of rows in all tables.
    private func readAll(_ path: String) throws -> Int {
        let engine = try SQLiteEngine(path: path, OpeningOptions(.readOnly))
        defer { engine.close() }
        return try engine.catalog().tables.keys.sorted().reduce(0) { sum, table in
            try sum + engine.fetchValues(SQLStatement("SELECT * FROM \(quoted(identifier: table))")).count
        }
    }

    /// All files but the log's index, in which SQLite marks who reads.
    private func withoutIndex(_ folder: TemporaryFolder) throws -> [String: Data] {
        try folder.contents().filter { !$0.key.hasSuffix("-shm") }
    }

    @Test(
        .enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)),
        arguments: SharedFiles.paths(under: "stores", suffix: ".sqlite"))
    func realStoresStayAsTheyAre(path: String) throws {
        let folder = try TemporaryFolder()
        let store = try folder.copy(ofStore: SharedFiles.url(path))
        let before = try folder.contents()
        #expect(try readAll(store.path) > 0)
        try expect(folder.contents(), equals: before)
    }

    @Test(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
    func rowsOfTheLogAreSeen() throws {
        let folder = try TemporaryFolder()
        let store = try folder.copy(ofStore: SharedFiles.url("stores/DuckDuckGo/Bookmarks_V3.sqlite"))
        let withLog = try readAll(store.path)
        try FileManager.default.removeItem(atPath: store.path + "-wal")
        #expect(try readAll(store.path) < withLog)
    }

    @Test(.enabled(if: OtherProcess.isPossible, "needs the sqlite3 command"))
    func fileThatAnotherProcessWritesStaysAsItIs() throws {
        let sample = try SampleStore()
        try sample.create().close()
        let writer = try OtherProcess(sample.path)
        try writer.run("INSERT INTO ZPERSON (Z_PK, Z_ENT) VALUES (1, 1), (2, 1);")
        let before = try withoutIndex(sample.folder)
        expect(before.count, equals: 2)
        let reader = try SQLiteEngine(path: sample.path, OpeningOptions(.readOnly))
        try expect(sample.values(reader).count, equals: 2)
        try expect(withoutIndex(sample.folder), equals: before)
        // The writer's next change is seen.
        try writer.run("INSERT INTO ZPERSON (Z_PK, Z_ENT) VALUES (3, 1);")
        try expect(sample.values(reader).count, equals: 3)
        reader.close()
        writer.end()
    }

    /// A process that has the file open and wrote nothing yet, and one that comes later.
    @Test(.enabled(if: OtherProcess.isPossible, "needs the sqlite3 command"), arguments: [true, false])
    func laterWritesAreSeenOrToldOf(isThereBefore: Bool) throws {
        let sample = try SampleStore()
        try sample.create().close()
        let early = isThereBefore ? try OtherProcess(sample.path) : nil
        try early?.run("SELECT COUNT(*) FROM ZPERSON;")
        let reader = try SQLiteEngine(path: sample.path, OpeningOptions(.readOnly))
        defer { reader.close() }
        #expect(try sample.values(reader).count == 0 && !reader.isOutdated)
        let writer = try early ?? OtherProcess(sample.path)
        try writer.run("INSERT INTO ZPERSON (Z_PK, Z_ENT) VALUES (1, 1);")
        expect(reader.isOutdated, equals: !isThereBefore)
        try expect(sample.values(reader).count, equals: (isThereBefore ? 1 : 0))
        let anew = try SQLiteEngine(path: sample.path, OpeningOptions(.readOnly))
        #expect(try sample.values(anew).count == 1 && !anew.isOutdated)
        anew.close()
        writer.end()
    }

    @Test func logWithAStaleIndexStaysAsItIs() throws {
        let sample = try SampleStore()
        let writer = try sample.create()
        try writer.insertSample(sample, 40)
        // The remains of a process that dies: file, log and index.
        let folder = try TemporaryFolder()
        let copy = try folder.copy(ofStore: URL(fileURLWithPath: sample.path))
        let before = try withoutIndex(folder)
        let reader = try SQLiteEngine(path: copy.path, OpeningOptions(.readOnly))
        try expect(sample.values(reader).count, equals: 40)
        reader.close()
        try expect(withoutIndex(folder), equals: before)
    }

    @Test func hotJournalIsRolledBackInACopy() throws {
        let sample = try SampleStore()
        var options = OpeningOptions(.create)
        options.pragmas = [("journal_mode", "DELETE"), ("cache_spill", "1"), ("cache_size", "2")]
        let writer = try SQLiteEngine(path: sample.path, options)
        try writer.create(SampleStore.statements)
        try writer.insertSample(sample, 10)
        let folder = try TemporaryFolder()
        var before: [String: Data] = [:]
        let copy = folder.file("Sample.sqlite")
        #expect(throws: CancellationError.self) {
            try writer.transaction {
                // More than the cache holds, so that changed pages reach the file before the commit.
                try writer.execute(SQLStatement("UPDATE ZPERSON SET ZTEXT = Z_PK || hex(zeroblob(20000))"))
                for suffix in ["", "-journal"] {
                    try FileManager.default.copyItem(atPath: sample.path + suffix, toPath: copy.path + suffix)
                }
                before = try folder.contents()
                throw CancellationError()
            }
        }
        try #require(before.count == 2)
        let reader = try SQLiteEngine(path: copy.path, OpeningOptions(.readOnly))
        try expect(
            sample.values(reader).compactMap { $0["text"] }, equals: Array(repeating: .null, count: 10))
        reader.close()
        try expect(folder.contents(), equals: before)
    }

    @Test func writingIsRefused() throws {
        let sample = try SampleStore()
        try sample.create().close()
        let reader = try SQLiteEngine(path: sample.path, OpeningOptions(.readOnly))
        let failure = #expect(throws: EngineFailure.self) {
            try reader.execute(SQLStatement("DELETE FROM ZPERSON"))
        }
        expect(failure?.kind, equals: .readOnly)
        expect(failure?.sql, equals: "DELETE FROM ZPERSON")
    }

    @Test func pathMayHaveAnyCharacters() throws {
        let sample = try SampleStore()
        try sample.create().close()
        let odd = sample.folder.file("100% \"ä\"?#&.sqlite")
        try FileManager.default.moveItem(atPath: sample.path, toPath: odd.path)
        let reader = try SQLiteEngine(path: odd.path, OpeningOptions(.readOnly))
        try expect(reader.metadataRow()?.uuid, equals: "U-1")
    }
}
