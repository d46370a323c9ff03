import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FunctionsTests {
    private func value(_ engine: SQLiteEngine, _ text: String, _ bindings: [SQLBinding] = []) throws
        -> SQLBinding?
    {
        try engine.fetchValues(SQLStatement(text, bindings: bindings)).first?.first
    }

    @Test func scalarsAndAggregatesAreKnown() throws {
        let engine = try SampleStore().create()
        let name = SQLFunction.Name.self
        try expect(
            value(engine, "SELECT \(name.uppercase.rawValue)(?)", [.text("straße")]), equals: .text("STRASSE")
        )
        try expect(value(engine, "SELECT \(name.length.rawValue)(?)", [.text("🙂a")]), equals: .integer(3))
        try expect(value(engine, "SELECT \(name.power.rawValue)(2, 10)"), equals: .double(1024))
        let numbers = "(SELECT 1 AS n UNION ALL SELECT 5 UNION ALL SELECT 30)"
        try expect(value(engine, "SELECT \(name.median.rawValue)(n) FROM \(numbers)"), equals: .double(5))
        try expect(
            value(engine, "SELECT \(name.median.rawValue)(n) FROM \(numbers) WHERE n > 99"), equals: .null)
        let groups = try engine.fetchValues(
            SQLStatement("SELECT \(name.median.rawValue)(n) FROM \(numbers) GROUP BY n > 1 ORDER BY n > 1"))
        expect(groups, equals: [[.double(1)], [.double(17.5)]])
    }

    @Test func collationsOrder() throws {
        let engine = try SampleStore().create()
        let words = "(SELECT 'b10' AS w UNION ALL SELECT 'B9' UNION ALL SELECT 'a')"
        let finder = SQLCollation.finderStyle.rawValue
        let ordered = try engine.fetchValues(
            SQLStatement("SELECT w FROM \(words) ORDER BY w COLLATE \(finder)"))
        expect(ordered, equals: [[.text("a")], [.text("B9")], [.text("b10")]])
        let noCase = SQLCollation.noCase.rawValue
        try expect(value(engine, "SELECT 'ÉTÉ' = 'été' COLLATE \(noCase)"), equals: .integer(1))
    }

    @Test(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
    func triggersOfDerivedAttributesRun() throws {
        let folder = try TemporaryFolder()
        let store = try folder.copy(ofStore: SharedFiles.url("stores/CoreDataPlus/SampleModel2_V1.sqlite"))
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: store.path)
        let engine = try SQLiteEngine(path: store.path, OpeningOptions(.readWrite))
        let book = try #require(
            try engine.fetchKeys(SQLStatement("SELECT Z_PK FROM ZBOOK LIMIT 1"), isPolymorphic: false)
                .primaryKeys.first)
        let before = try engine.fetchCount(
            SQLStatement("SELECT ZPAGESCOUNT FROM ZBOOK WHERE Z_PK = ?", bindings: [.integer(book)]))
        try engine.transaction {
            try engine.execute(
                SQLStatement("INSERT INTO ZPAGE (Z_OPT, ZBOOK) VALUES (1, ?)", bindings: [.integer(book)]))
        }
        let derived = engine.takeDerivedValues()
        expect(derived.map(\.key.primaryKey), equals: [book])
        expect(derived.map(\.property), equals: ["pagesCount"])
        expect(derived.map(\.value), equals: [.integer(Int64(before + 1))])
        #expect(engine.takeDerivedValues().isEmpty)
    }
}
