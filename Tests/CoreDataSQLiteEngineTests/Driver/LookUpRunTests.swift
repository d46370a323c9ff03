// Look-ups by key that share a read transaction, and never show anything but what the file holds.

import CoreDataSQL
import CoreDataSchema
import CoreDataSQLiteEngine
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct LookUpRunTests {
    private let sample: SampleStore
    private let engine: SQLiteEngine
    private let decoder: RowDecoder

    init() throws {
        sample = try SampleStore()
        engine = try sample.create()
        try engine.insertSample(sample, 9)
        decoder = try sample.decoder()
        try engine.connection.permitLookUpRuns()
    }

    /// The value of `large` in the row with this key; `nil` if there is no such row.
    @discardableResult
    private func large(_ key: Int64, _ engine: SQLiteEngine? = nil) throws -> Int64? {
        let slot = try #require(try sample.layout("Person").slot(named: "large"))
        return try (engine ?? self.engine).fetchRow(primaryKey: key, decoder: decoder).map { slab in
            Int64(bitPattern: slab.row(0)[slot.word])
        }
    }

    private func lookUp(_ count: Int) throws {
        for number in 0..<count {
            try expect(large(Int64(number % 9) + 1), equals: Int64(number % 9 + 1) * 10)
        }
    }

    private func change(_ key: Int, to value: Int, in database: PlainDatabase) throws {
        try database.rows("UPDATE ZPERSON SET ZLARGE = \(value) WHERE Z_PK = \(key)")
    }

    /// Indicates whether somebody reads, so that the log can't be emptied.
    private func isRead(_ database: PlainDatabase) throws -> Bool {
        try database.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == .integer(1)
    }

    @Test func theSecondLookUpBeginsATransactionForAll() throws {
        try large(1)
        #expect(!engine.connection.isLookingUp)
        try lookUp(500)
        #expect(engine.connection.isLookingUp)
        expect(engine.connection.lookUpTransactions, equals: 1)
        engine.connection.endLookUps()
        #expect(!engine.connection.isLookingUp)
    }

    @Test func aTransactionServesAThousandLookUps() throws {
        try lookUp(3500)
        expect(engine.connection.lookUpTransactions, equals: 4)
    }

    @Test func eachCommitOfAnotherConnectionIsSeenAtOnce() throws {
        try lookUp(5)
        let other = try PlainDatabase(URL(fileURLWithPath: sample.path))
        for value in 1...20 {
            try change(3, to: value, in: other)
            try expect(large(3), equals: Int64(value))
            try expect(large(4), equals: 40)
        }
        try other.rows("DELETE FROM ZPERSON WHERE Z_PK = 3")
        #expect(try large(3) == nil)
    }

    @Test func aCommitAfterTheLogStartedOverIsSeen() throws {
        let other = try PlainDatabase(URL(fileURLWithPath: sample.path))
        for value in 1...20 {
            engine.connection.endLookUps()
            #expect(try !isRead(other))
            try change(1, to: 7, in: other)
            try expect(large(1), equals: 7)
            try expect(large(2), equals: (value == 1 ? 20 : Int64(value - 1)))
            #expect(engine.connection.isLookingUp)
            try change(2, to: value, in: other)
            try expect(large(2), equals: Int64(value))
        }
    }

    @Test(.enabled(if: OtherProcess.isPossible)) func commitsOfAnotherProcessAreSeenAtOnce() throws {
        let process = try OtherProcess(sample.path)
        defer { process.end() }
        try lookUp(5)
        for value in 1...20 {
            try process.run("UPDATE ZPERSON SET ZLARGE = \(value) WHERE Z_PK = 5;")
            try expect(large(5), equals: Int64(value))
        }
        #expect(engine.connection.lookUpTransactions > 10)
    }

    @Test func whatIsNotCommittedYetIsNotSeen() throws {
        try lookUp(5)
        let other = try PlainDatabase(URL(fileURLWithPath: sample.path))
        try other.rows("BEGIN IMMEDIATE")
        try change(1, to: 1, in: other)
        try expect(large(1), equals: 10)
        try other.rows("COMMIT")
        try expect(large(1), equals: 1)
    }

    @Test func anyOtherStatementEndsTheTransaction() throws {
        try lookUp(5)
        let other = try PlainDatabase(URL(fileURLWithPath: sample.path))
        #expect(try isRead(other))
        try expect(engine.fetchCount(SQLStatement("SELECT COUNT(*) FROM ZPERSON")), equals: 9)
        #expect(!engine.connection.isLookingUp)
        #expect(try !isRead(other))
        try large(1)
        #expect(!engine.connection.isLookingUp)
    }

    @Test func aSaveFollowsLookUps() throws {
        try lookUp(5)
        try engine.transaction {
            try engine.execute(SQLStatement("UPDATE ZPERSON SET ZLARGE = 5 WHERE Z_PK = 1"))
            // Inside a transaction there is none to begin.
            try expect(large(1), equals: 5)
            try expect(large(2), equals: 20)
            #expect(!engine.connection.isLookingUp)
        }
        let other = try PlainDatabase(URL(fileURLWithPath: sample.path))
        try expect(other.rows("SELECT ZLARGE FROM ZPERSON WHERE Z_PK = 1"), equals: [[.integer(5)]])
    }

    @Test func noTransactionBeginsWhileAStatementRuns() throws {
        let other = try PlainDatabase(URL(fileURLWithPath: sample.path))
        try engine.connection.withStatement("SELECT Z_PK FROM ZPERSON") { statement in
            try statement.step()
            try change(1, to: 1, in: other)
            for _ in 0..<3 { try expect(large(1), equals: 10) }
            #expect(!engine.connection.isLookingUp)
        }
        try expect(large(1), equals: 1)
    }

    @Test func aLookUpThatFailsEndsTheTransaction() throws {
        try lookUp(5)
        try PlainDatabase(URL(fileURLWithPath: sample.path)).rows("ALTER TABLE ZPERSON RENAME TO ZBOSS")
        #expect(throws: EngineFailure.self) { try large(1) }
        #expect(!engine.connection.isLookingUp)
    }

    @Test(arguments: [[("journal_mode", "DELETE")], [("locking_mode", "EXCLUSIVE")]])
    func onlyASharedLogHasThem(_ pragmas: [(String, String)]) throws {
        let sample = try SampleStore()
        var options = OpeningOptions(.create)
        options.pragmas = pragmas
        let engine = try SQLiteEngine(path: sample.path, options)
        try engine.create(SampleStore.statements)
        try engine.insertSample(sample, 3)
        try engine.connection.permitLookUpRuns()
        for _ in 0..<5 { try expect(large(3, engine), equals: 30) }
        #expect(!engine.connection.isLookingUp)
    }

    @Test func theBeginningIsTold() throws {
        var told = 0
        engine.connection.whenLookUpsBegin = { told += 1 }
        try lookUp(1001)
        expect(told, equals: 2)
    }

    @Test func noTraceIsToldOfTheTransaction() throws {
        var statements: [String] = []
        engine.connection.trace = { statements.append($0.sql) }
        try lookUp(4)
        engine.connection.endLookUps()
        expect(statements, equals: Array(repeating: decoder.selection + " WHERE Z_PK = ?", count: 4))
    }
}
