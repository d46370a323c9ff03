import CoreDataSQL
import CoreDataSchema
import CoreDataSQLiteEngine
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct SQLiteEngineSaveTests {
    private let everything: [String: Value] = [
        "small": .integer(-7), "medium": .integer(70_000), "large": .integer(.max), "flag": .bool(true),
        "ratio": .double(0.1), "born": .date(Date(timeIntervalSinceReferenceDate: 1.5)),
        "text": .string("Zoë"),
        "site": .url(URL(string: "https://example.org/a") ?? URL(fileURLWithPath: "/")),
        "token": .uuid(UUID()), "bytes": .data(Data([0, 1, 2])),
        "price": .decimal(Decimal(string: "10.11") ?? 0),
        "photo": .data(Data([9, 8])),
    ]

    @Test func whatIsInsertedIsFetched() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        let row = try sample.row(everything)
        let empty = try sample.row([:])
        try engine.transaction {
            try engine.insert([row, empty], primaryKeys: [1, 2], encoder: sample.encoder())
        }
        let rows = try sample.values(engine)
        try #require(rows.count == 2)
        for (name, value) in everything { expect(rows[0][name], equals: value, "\(name)") }
        expect(rows[0]["friend"], equals: .null)
        #expect(rows[1].values.allSatisfy { $0 == .null })
        expect(rows[1].count, equals: 13)
    }

    @Test func storageClassesAreApples() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        var values = everything
        values["friend"] = .integer(1)
        let row = try sample.row(values)
        let friend = try #require(sample.layout("Person").slot(named: "friend"))
        row.words[friend.word + 1] = UInt64(try sample.layout("Boss").entityIndex)
        try engine.transaction { try engine.insert([row], primaryKeys: [1], encoder: sample.encoder()) }
        let stored = try engine.fetchValues(
            SQLStatement(
                "SELECT ZBORN, ZFLAG, ZTOKEN, ZSITE, ZPRICE, ZPHOTO, Z1_FRIEND, Z_ENT, Z_OPT FROM ZPERSON"))
        guard case .uuid(let token)? = everything["token"] else { return }
        let bytes = withUnsafeBytes(of: token.uuid) { Data($0) }
        #expect(
            stored == [
                [
                    .double(1.5), .integer(1), .blob(bytes), .text("https://example.org/a"), .double(10.11),
                    .blob(Data([1, 9, 8])), .integer(2), .integer(1), .integer(1),
                ]
            ])
    }

    @Test func manyRowsGoInWithFewStatements() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        var runs = 0
        engine.trace = { if $0.sql.hasPrefix("INSERT") { runs += 1 } }
        let rows = try (0..<100).map { try sample.row(["large": .integer(Int64($0))]) }
        try engine.transaction {
            try engine.insert(rows, primaryKeys: (1...100).map { Int64($0) }, encoder: sample.encoder())
        }
        #expect(runs < 10)
        try expect(sample.values(engine).map { $0["large"] }, equals: (0..<100).map { .integer($0) })
    }

    @Test func updateWritesOnlyTheChangedSlotsOfTheExpectedVersion() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        let encoder = try sample.encoder()
        let large = try #require(encoder.layout.slot(named: "large")).index
        let conflicts = try engine.transaction {
            try engine.insert(
                [sample.row(["text": .string("a"), "large": .integer(1)])], primaryKeys: [1], encoder: encoder
            )
            let new = try sample.row(["large": .integer(2)])
            let update = RowUpdate(primaryKey: 1, row: new, slots: SlotSet([large]), version: 1)
            // The second finds version 2, the third no row.
            let missing = RowUpdate(primaryKey: 9, row: new, slots: SlotSet([large]), version: 1)
            return try engine.update([update, update, missing], encoder: encoder)
        }
        expect(conflicts, equals: [1, 2])
        let row = try sample.values(engine)[0]
        expect(row["text"], equals: .string("a"))
        expect(row["large"], equals: .integer(2))
        try expect(engine.fetchCount(SQLStatement("SELECT Z_OPT FROM ZPERSON")), equals: 2)
    }

    @Test func deleteTellsWhichRowsWereNotThere() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        let encoder = try sample.encoder()
        let conflicts = try engine.transaction {
            try engine.insert([sample.row([:]), sample.row([:])], primaryKeys: [1, 2], encoder: encoder)
            return try engine.delete(primaryKeys: [1, 2, 3], versions: [1, 5, 1], encoder: encoder)
        }
        expect(conflicts, equals: [1, 2])
        try expect(
            engine.fetchKeys(SQLStatement("SELECT Z_PK FROM ZPERSON"), isPolymorphic: false).primaryKeys,
            equals: [2])
    }

    @Test func uniqueIndexIsNamed() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        let failure = #expect(throws: EngineFailure.self) {
            try engine.transaction {
                let row = try sample.row(["text": .string("same")])
                try engine.insert([row, row], primaryKeys: [1, 2], encoder: sample.encoder())
            }
        }
        let violation = UniqueViolation(table: "ZPERSON", columns: ["ZTEXT"], index: "Z_Person_UNIQUE_text")
        expect(failure?.kind, equals: .unique(violation))
        try expect(engine.fetchCount(SQLStatement("SELECT COUNT(*) FROM ZPERSON")), equals: 0)
    }

    @Test func keysFollowEachOtherAndSkipThoseInUse() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        try expect(engine.takeKeys(3, rootNumber: 1, table: "ZPERSON"), equals: 1)
        try expect(engine.takeKeys(1, rootNumber: 1, table: "ZPERSON"), equals: 4)
        try engine.execute(SQLStatement("INSERT INTO ZPERSON (Z_PK) VALUES (100)"))
        try expect(engine.takeKeys(1, rootNumber: 1, table: "ZPERSON"), equals: 101)
        try engine.execute(SQLStatement("UPDATE Z_PRIMARYKEY SET Z_MAX = ?", bindings: [.integer(.max)]))
        #expect { try engine.takeKeys(1, rootNumber: 1, table: "ZPERSON") } throws: {
            ($0 as? EngineFailure)?.kind == .full
        }
    }
}
