import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

/// Rows that one statement reads from memory, beside the same rows bound one by one.
@Suite struct VirtualRowTableTests {
    private static func values(_ number: Int) throws -> [String: Value] {
        [
            "small": .integer(Int64(-number)), "medium": .integer(70_000), "large": .integer(.max),
            "flag": .bool(number % 4 == 0), "ratio": .double(0.5 + Double(number)),
            "born": .date(Date(timeIntervalSinceReferenceDate: 1.5)),
            "text": .string(
                number % 4 == 0 ? "Zoë \(number)" : "a text of more than fifteen bytes, \(number)"),
            "site": .url(try #require(URL(string: "https://example.org/\(number)"))),
            "token": .uuid(try #require(UUID(uuidString: "6BA7B810-9DAD-11D1-80B4-00C04FD430C8"))),
            "bytes": .data(Data(repeating: 7, count: number % 3)),
            "price": .decimal(Decimal(number) / 4), "photo": .data(Data([9, UInt8(number)])),
        ]
    }

    /// Rows in which every second is nil but for its unique text, some with a friend of another entity.
    private static func rows(_ sample: SampleStore, _ count: Int) throws -> [RowPointer] {
        let friend = try #require(sample.layout("Person").slot(named: "friend"))
        let boss = UInt64(try sample.layout("Boss").entityIndex)
        return try (0..<count).map { number in
            if number % 2 == 1 { return try sample.row([:]) }
            var values = try values(number)
            if number % 3 == 0 { values["friend"] = .integer(1) }
            let row = try sample.row(values)
            if number % 3 == 0 { row.words[friend.word + 1] = boss }
            if number % 5 == 0 { row.version = 7 }
            return row
        }
    }

    private static func stored(_ engine: SQLiteEngine) throws -> [[SQLBinding]] {
        try engine.fetchValues(
            SQLStatement(
                """
                SELECT *, typeof(ZRATIO), typeof(ZPRICE), typeof(ZTEXT), typeof(ZTOKEN), typeof(ZBYTES) \
                FROM ZPERSON ORDER BY Z_PK
                """))
    }

    @Test func valuesAreThoseThatBindingWrites() throws {
        let (fed, bound) = (try SampleStore(), try SampleStore())
        let (fedEngine, boundEngine) = (try fed.create(), try bound.create())
        let keys = (1...40).map { Int64($0) }
        try fedEngine.transaction {
            try fedEngine.insert(Self.rows(fed, 40), primaryKeys: keys, encoder: fed.encoder())
        }
        try boundEngine.transaction {
            for (row, key) in zip(try Self.rows(bound, 40), keys) {
                try boundEngine.insert([row], primaryKeys: [key], encoder: bound.encoder())
            }
        }
        let rows = try Self.stored(fedEngine)
        expect(rows.count, equals: 40)
        try expect(rows, equals: Self.stored(boundEngine))
        try expect(fed.values(fedEngine), equals: bound.values(boundEngine))
    }

    @Test func rowsOfSlabsAreInsertedToo() throws {
        let (source, target) = (try SampleStore(), try SampleStore())
        let (from, to) = (try source.create(), try target.create())
        let keys = (1...20).map { Int64($0) }
        try from.transaction {
            try from.insert(Self.rows(source, 20), primaryKeys: keys, encoder: source.encoder())
        }
        let decoder = try source.decoder()
        try from.fetchRows(SQLStatement(decoder.selection + " ORDER BY Z_PK"), decoder: decoder) { slab in
            let rows = (0..<slab.count).map { RowPointer(slab.row($0), slab: slab) }
            try to.transaction {
                try to.insert(
                    rows, primaryKeys: (0..<slab.count).map { slab.primaryKeys[$0] },
                    encoder: target.encoder())
            }
        }
        try expect(Self.stored(to), equals: Self.stored(from))
    }

    @Test func theSameStatementServesAgain() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        let encoder = try sample.encoder()
        for start in stride(from: 0, to: 60, by: 20) {
            let rows = try (0..<20).map { try sample.row(["large": .integer(Int64(start + $0))]) }
            let keys = (0..<20).map { Int64(start + $0 + 1) }
            try engine.transaction { try engine.insert(rows, primaryKeys: keys, encoder: encoder) }
        }
        try expect(sample.values(engine).map { $0["large"] }, equals: (0..<60).map { .integer($0) })
    }

    @Test func uniqueIndexIsNamedAndNothingStays() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        let failure = #expect(throws: EngineFailure.self) {
            try engine.transaction {
                let rows = try (0..<20).map { try sample.row(["text": .string("\(min($0, 15))")]) }
                try engine.insert(rows, primaryKeys: (1...20).map { Int64($0) }, encoder: sample.encoder())
            }
        }
        let violation = UniqueViolation(table: "ZPERSON", columns: ["ZTEXT"], index: "Z_Person_UNIQUE_text")
        expect(failure?.kind, equals: .unique(violation))
        try expect(engine.fetchCount(SQLStatement("SELECT COUNT(*) FROM ZPERSON")), equals: 0)
    }

    @Test func whyAValueCouldNotBeWrittenIsTold() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        // A file where the folder of large values should be.
        try FileManager.default.createDirectory(
            at: engine.externalFolder.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data([1]).write(to: engine.externalFolder)
        let large = Data(repeating: 1, count: 2_000_000)
        #expect {
            try engine.transaction {
                let rows = try (0..<10).map { _ in try sample.row(["photo": .data(large)]) }
                try engine.insert(rows, primaryKeys: (1...10).map { Int64($0) }, encoder: sample.encoder())
            }
        } throws: {
            !"\($0)".contains("a value couldn't be written")
        }
        try expect(engine.fetchCount(SQLStatement("SELECT COUNT(*) FROM ZPERSON")), equals: 0)
    }

    @Test func aTableOfTheFileIsNotTakenForRows() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        let columns = (0..<100).map { "c\($0)" }.joined(separator: ", ")
        try engine.execute(SQLStatement("CREATE TABLE CoreData_rows (\(columns))"))
        try engine.execute(SQLStatement("INSERT INTO CoreData_rows (c0) VALUES (77)"))
        #expect {
            try engine.transaction {
                let rows = try (0..<10).map { _ in try sample.row([:]) }
                try engine.insert(rows, primaryKeys: (1...10).map { Int64($0) }, encoder: sample.encoder())
            }
        } throws: {
            ($0 as? EngineFailure)?.kind == .schema
        }
        try expect(engine.fetchCount(SQLStatement("SELECT COUNT(*) FROM ZPERSON")), equals: 0)
    }

    /// Keys that SQLite may give itself, and such that it may not: not one after the other, below others, not ascending.
    private static let keys: [[Int64]] = {
        let run: [Int64] = Array(1...300)
        let doubled: [Int64] = run.map { $0 * 2 }
        let descending: [Int64] = run.reversed()
        let later: [Int64] = Array(500...799)
        return [run, doubled, descending, [7] + later, later, [1000] + run]
    }()

    @Test(arguments: Self.keys)
    func everyRowGetsItsKey(keys: [Int64]) throws {
        for hasTrigger in [false, true] {
            let sample = try SampleStore()
            let engine = try sample.create()
            // A row that others may have to stand before.
            try engine.execute(SQLStatement("INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (300000, 1, 1)"))
            if keys[0] == 500 { try engine.execute(SQLStatement("DELETE FROM ZPERSON")) }
            if hasTrigger {
                try engine.execute(SQLStatement("CREATE TABLE SEEN (KEY INTEGER)"))
                try engine.execute(
                    SQLStatement(
                        """
                        CREATE TRIGGER T BEFORE INSERT ON ZPERSON BEGIN \
                        INSERT INTO SEEN VALUES (NEW.Z_PK); END
                        """))
            }
            let rows = try keys.map { try sample.row(["large": .integer($0 * 10)]) }
            try engine.transaction {
                try engine.insert(rows, primaryKeys: keys, encoder: sample.encoder())
            }
            let stored = try engine.fetchValues(
                SQLStatement("SELECT Z_PK, ZLARGE FROM ZPERSON WHERE Z_PK < 300000 ORDER BY Z_PK"))
            expect(stored, equals: keys.sorted().map { [.integer($0), .integer($0 * 10)] })
            if !hasTrigger { continue }
            let seen = try engine.fetchValues(SQLStatement("SELECT KEY FROM SEEN ORDER BY KEY"))
            expect(seen, equals: keys.sorted().map { [.integer($0)] })
        }
    }
}
