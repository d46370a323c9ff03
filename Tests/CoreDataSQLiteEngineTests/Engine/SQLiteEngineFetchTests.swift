import CoreDataSQL
import CoreDataSchema
import CoreDataSQLiteEngine
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct SQLiteEngineFetchTests {
    private func filled(_ sample: SampleStore, _ count: Int) throws -> SQLiteEngine {
        let engine = try sample.create()
        try engine.execute(
            SQLStatement(
                """
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(count)) \
                INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZLARGE, ZTEXT) SELECT i, 1 + i % 2, 1, i * 10, 'name ' || i FROM n
                """))
        return engine
    }

    @Test func rowsComeInOrderOverManySlabs() throws {
        let sample = try SampleStore()
        let engine = try filled(sample, 1000)
        let decoder = try sample.decoder()
        let text = try #require(sample.layout("Person").slot(named: "text"))
        var slabs: [RowSlab] = []
        try engine.fetchRows(SQLStatement(decoder.selection + " ORDER BY Z_PK DESC"), decoder: decoder) {
            slabs.append($0)
        }
        #expect(slabs.allSatisfy { $0.count <= RowSlab.capacity })
        let names = slabs.flatMap { slab in
            (0..<slab.count).map { RowPointer(slab.row($0), slab: slab).string(text) }
        }
        expect(names, equals: (1...1000).reversed().map { "name \($0)" })
        let entities = slabs.flatMap { slab in (0..<slab.count).map { slab.entities[$0] } }
        let boss = Int32(try sample.layout("Boss").entityIndex)
        expect(entities.filter { $0 == boss }.count, equals: 500)
    }

    @Test func slabThatNobodyKeepsIsFilledAgain() throws {
        let sample = try SampleStore()
        let engine = try filled(sample, 2000)
        let decoder = try sample.decoder()
        var keys: [Int64] = []
        try engine.fetchRows(SQLStatement(decoder.selection + " ORDER BY Z_PK"), decoder: decoder) { slab in
            keys += (0..<slab.count).map { slab.primaryKeys[$0] }
        }
        expect(keys, equals: (1...2000).map { Int64($0) })
    }

    @Test(arguments: [0, 1, 8, 9, 499, 501, 1200]) func rowsByKeys(count: Int) throws {
        let sample = try SampleStore()
        let engine = try filled(sample, 1500)
        var found: Set<Int64> = []
        var total = 0
        try engine.fetchRows(primaryKeys: (0..<count).map { Int64($0 + 1) }, decoder: sample.decoder()) {
            slab in
            for number in 0..<slab.count { found.insert(slab.primaryKeys[number]) }
            total += slab.count
        }
        expect(found, equals: Set((0..<count).map { Int64($0 + 1) }))
        expect(total, equals: count)
    }

    /// The expected number of rows only tells how much room to make.
    @Test(arguments: [0, 1, 5, 64, 65, 1000]) func rowsWithALimit(limit: Int) throws {
        let sample = try SampleStore()
        let engine = try filled(sample, 700)
        let decoder = try sample.decoder()
        let text = try #require(sample.layout("Person").slot(named: "text"))
        var names: [Value] = []
        try engine.fetchRows(
            SQLStatement(decoder.selection + " ORDER BY Z_PK LIMIT 600"), decoder: decoder, limit: limit
        ) { slab in
            names += (0..<slab.count).map { RowPointer(slab.row($0), slab: slab).value(text) }
        }
        expect(names, equals: (1...600).map { .string("name \($0)") })
    }

    @Test func oneRowByKey() throws {
        let sample = try SampleStore()
        let engine = try filled(sample, 10)
        let decoder = try sample.decoder()
        let slab = try #require(try engine.fetchRow(primaryKey: 7, decoder: decoder))
        let large = try #require(sample.layout("Person").slot(named: "large"))
        expect(RowPointer(slab.row(0), slab: slab).value(large), equals: .integer(70))
        #expect(try engine.fetchRow(primaryKey: 11, decoder: decoder) == nil)
    }

    @Test func onlyAskedPropertiesAreRead() throws {
        let sample = try SampleStore()
        let engine = try filled(sample, 1)
        let decoder = try sample.decoder(properties: ["large"])
        expect(decoder.columns, equals: ["ZLARGE"])
        let slab = try #require(try engine.fetchRow(primaryKey: 1, decoder: decoder))
        let layout = try sample.layout("Boss")
        let row = RowPointer(slab.row(0), slab: slab)
        try expect(row.value(#require(layout.slot(named: "large"))), equals: .integer(10))
        try expect(row.value(#require(layout.slot(named: "text"))), equals: .null)
    }

    @Test func keysAndCountsAndValues() throws {
        let sample = try SampleStore()
        let engine = try filled(sample, 4)
        let keys = try engine.fetchKeys(
            SQLStatement("SELECT Z_ENT, Z_PK FROM ZPERSON ORDER BY Z_PK"), isPolymorphic: true)
        expect(keys.primaryKeys, equals: [1, 2, 3, 4])
        expect(keys.entityNumbers, equals: [2, 1, 2, 1])
        try expect(
            engine.fetchCount(
                SQLStatement("SELECT COUNT(*) FROM ZPERSON WHERE Z_PK > ?", bindings: [.integer(1)])),
            equals: 3)
        try expect(
            engine.fetchValues(SQLStatement("SELECT Z_PK, ZTEXT, NULL FROM ZPERSON WHERE Z_PK = 1")),
            equals: [[.integer(1), .text("name 1"), .null]])
    }

    @Test func nestedFetchOfTheSameTextHasItsOwnStatement() throws {
        let sample = try SampleStore()
        let engine = try filled(sample, 3)
        let statement = SQLStatement("SELECT Z_PK FROM ZPERSON ORDER BY Z_PK")
        let decoder = try sample.decoder()
        var inner: [Int] = []
        let outer = SQLStatement(decoder.selection + " ORDER BY Z_PK")
        try engine.fetchRows(outer, decoder: decoder) { _ in
            inner.append(try engine.fetchKeys(statement, isPolymorphic: false).primaryKeys.count)
            try engine.fetchRows(outer, decoder: decoder) { inner.append($0.count) }
        }
        expect(inner, equals: [3, 3])
    }
}
