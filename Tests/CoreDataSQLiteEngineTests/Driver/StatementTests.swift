import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct StatementTests {
    @Test func everyStorageClassComesBackAsItWas() throws {
        let engine = try SampleStore().create()
        let values: [SQLBinding] = [
            .null, .integer(.min), .integer(0), .double(0.1), .double(-.infinity), .text(""), .text("a\0b"),
            .text("Ünïcode 🙂"), .blob(Data()), .blob(Data([0, 255])),
        ]
        let marks = values.map { _ in "?" }.joined(separator: ", ")
        try expect(engine.fetchValues(SQLStatement("SELECT \(marks)", bindings: values)), equals: [values])
    }

    @Test func traceTellsTextBindingsAndTime() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        var events: [TraceEvent] = []
        engine.trace = { events.append($0) }
        _ = try engine.fetchCount(SQLStatement("SELECT ? + 1", bindings: [.integer(4)]))
        try engine.execute("INSERT INTO ZPERSON (Z_PK) VALUES (?)", each: [[.integer(1)], [.integer(2)]])
        engine.trace = nil
        _ = try engine.fetchCount(SQLStatement("SELECT 1"))
        expect(
            events.map(\.sql),
            equals: ["SELECT ? + 1"]
                + Array(repeating: "INSERT INTO ZPERSON (Z_PK) VALUES (?)", count: 2))
        expect(events.map(\.bindings), equals: [[.integer(4)], [.integer(1)], [.integer(2)]])
        #expect(events.allSatisfy { $0.duration > .zero })
    }

    @Test func wrongTextIsASchemaFailureWithItsText() throws {
        let engine = try SampleStore().create()
        let failure = #expect(throws: EngineFailure.self) {
            try engine.fetchValues(SQLStatement("SELECT ZNOTHING FROM ZPERSON"))
        }
        expect(failure?.kind, equals: .schema)
        expect(failure?.sql, equals: "SELECT ZNOTHING FROM ZPERSON")
        expect(failure?.message.contains("ZNOTHING"), equals: true)
        expect(failure?.path, equals: engine.path)
    }

    @Test func closedEngineThrows() throws {
        let engine = try SampleStore().create()
        engine.close()
        #expect(throws: EngineFailure.self) { try engine.fetchCount(SQLStatement("SELECT 1")) }
    }

    @Test func cacheForgetsTheTextsThatAreNotUsed() throws {
        let sample = try SampleStore()
        var options = OpeningOptions(.create)
        options.statementCapacity = 10
        let engine = try SQLiteEngine(path: sample.path, options)
        for number in 0..<100 {
            _ = try engine.fetchCount(SQLStatement("SELECT \(number)"))
            _ = try engine.fetchCount(SQLStatement("SELECT 'often'"))
        }
        #expect(engine.connection.cachedStatementCount <= 10)
        #expect(engine.connection.hasCachedStatement("SELECT 'often'"))
        #expect(!engine.connection.hasCachedStatement("SELECT 0"))
    }
}
