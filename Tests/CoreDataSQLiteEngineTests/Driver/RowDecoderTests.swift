import CoreDataSQL
import CoreDataSchema
import CoreDataSQLiteEngine
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct RowDecoderTests {
    /// Puts an SQL literal into a column and reads the property.
    private func decoded(_ property: String, _ literal: String) throws -> Value? {
        let sample = try SampleStore()
        let engine = try sample.create()
        let column = quoted(identifier: "Z" + property.uppercased())
        try engine.execute(SQLStatement("DROP INDEX Z_Person_UNIQUE_text"))
        // Without affinity, so that the column holds just what the literal is.
        try engine.execute(SQLStatement("ALTER TABLE ZPERSON DROP COLUMN \(column)"))
        try engine.execute(SQLStatement("ALTER TABLE ZPERSON ADD COLUMN \(column)"))
        try engine.execute(
            SQLStatement("INSERT INTO ZPERSON (Z_PK, Z_ENT, \(column)) VALUES (1, 1, \(literal))"))
        return try sample.values(engine).first?[property]
    }

    @Test(arguments: [
        ("large", "'abc'", Value.integer(0)), ("large", "x'3132'", .integer(12)),
        ("large", "1.9", .integer(1)),
        ("large", "1e300", .integer(.max)), ("small", "70000", .integer(4464)),
        ("medium", "4294967297", .integer(1)),
        ("large", "NULL", .null), ("flag", "17", .bool(true)), ("flag", "'x'", .bool(false)),
        ("flag", "NULL", .null),
        ("ratio", "'0.5'", .double(0.5)), ("ratio", "9e999", .double(.infinity)), ("ratio", "0", .double(0)),
        ("ratio", "NULL", .null),
    ])
    func numbersConvertAsSQLiteDoes(property: String, literal: String, expected: Value) throws {
        try expect(decoded(property, literal), equals: expected)
    }

    @Test(arguments: [
        ("text", "''", Value.string("")), ("text", "12", .string("12")),
        ("text", "x'61FF62'", .string("a\u{FFFD}b")),
        ("text", "NULL", .null), ("text", "x''", .string("")), ("bytes", "''", .data(Data())),
        ("bytes", "x''", .data(Data())), ("bytes", "'ab'", .data(Data("ab".utf8))), ("bytes", "NULL", .null),
        ("token", "x'00'", .null), ("token", "'no'", .null), ("site", "NULL", .null),
        (
            "token", "'00000000-0000-0000-0000-000000000001'",
            .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1)))
        ),
    ])
    func textsAndBytesOfTheWrongKindAreTolerated(property: String, literal: String, expected: Value) throws {
        try expect(decoded(property, literal), equals: expected)
    }

    @Test(
        arguments: [
            ("10", Decimal(10)), ("9223372036854775807", Decimal(Int64.max)),
            ("10.11", Decimal(string: "10.11")),
            ("3.3333333332999993", Decimal(string: "3.3333333332999993")),
            ("'12.50'", Decimal(string: "12.5")),
            ("-0.1", Decimal(string: "-0.1")), ("1e-7", Decimal(string: "0.0000001")), ("9e999", nil),
            ("'ten'", nil),
            ("x'31'", nil), ("1e300", nil),
        ] as [(String, Decimal?)])
    func decimalIsWhatIsStored(literal: String, expected: Decimal?) throws {
        #expect(try decoded("price", literal) == expected.map(Value.decimal) ?? .null)
    }

    @Test func largeCellsKeepTheirBytes() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        let text = String(repeating: "ü", count: 100_000)
        let bytes = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0) })
        let small = String(repeating: "x", count: 60_000)
        let rows = try [text, small].map { try sample.row(["text": .string($0), "bytes": .data(bytes)]) }
        try engine.transaction { try engine.insert(rows, primaryKeys: [1, 2], encoder: sample.encoder()) }
        let values = try sample.values(engine)
        expect(values.map { $0["text"] }, equals: [.string(text), .string(small)])
        expect(values.map { $0["bytes"] }, equals: [.data(bytes), .data(bytes)])
    }

    @Test func targetTellsItsEntity() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        try engine.execute(
            SQLStatement(
                """
                INSERT INTO ZPERSON (Z_PK, Z_ENT, ZFRIEND, Z1_FRIEND) VALUES \
                (1, 1, 2, 2), (2, 2, 1, 1), (3, 1, NULL, NULL), (4, 1, 1, 99), (5, 1, 0, 1), (6, 1, -3, 1)
                """))
        let decoder = try sample.decoder()
        let friend = try #require(sample.layout("Person").slot(named: "friend"))
        var seen: [[Int?]] = []
        try engine.fetchRows(SQLStatement(decoder.selection + " ORDER BY Z_PK"), decoder: decoder) { slab in
            for number in 0..<slab.count {
                let row = RowPointer(slab.row(number), slab: slab)
                let isNull = row.isNull(friend.index)
                seen.append(isNull ? [nil] : [Int(row.words[friend.word]), Int(row.words[friend.word + 1])])
                if isNull { #expect(row.words[friend.word] == 0 && row.words[friend.word + 1] == 0) }
            }
        }
        let (person, boss) = (try sample.layout("Person").entityIndex, try sample.layout("Boss").entityIndex)
        expect(seen, equals: [[2, boss], [1, person], [nil], [1, person], [nil], [nil]])
    }

    @Test func rowsThatNoStoreMakesAreLeftOut() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        try engine.execute(
            SQLStatement(
                "INSERT INTO ZPERSON (Z_PK, Z_ENT) VALUES (-1, 1), (0, 1), (1, 77), (2, NULL), (3, 1), (4, 2)"
            ))
        try expect(sample.values(engine).count, equals: 2)
        try expect(sample.values(engine, entity: "Boss").count, equals: 1)
        let keys = try engine.fetchKeys(SQLStatement("SELECT Z_PK FROM ZPERSON"), isPolymorphic: false)
        expect(keys.primaryKeys, equals: [1, 2, 3, 4])
    }
}
