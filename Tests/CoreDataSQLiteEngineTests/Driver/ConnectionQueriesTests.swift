// Queries that somebody typed, even on a connection that could write.

import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ConnectionQueriesTests {
    @Test func queriesRun() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        try engine.insertSample(sample, 3)
        engine.connection.restrictToQueries(longestValue: 1000)
        for sql in [
            "SELECT COUNT(*) FROM ZPERSON", "VALUES (3)", "WITH n(i) AS (SELECT 3) SELECT i FROM n",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT MAX(i) FROM n",
        ] {
            try expect(engine.fetchValues(SQLStatement(sql)), equals: [[.integer(3)]])
        }
        try expect(engine.plan(of: SQLStatement("SELECT * FROM ZPERSON")).isEmpty, equals: false)
    }

    @Test(arguments: [
        "INSERT INTO ZPERSON (Z_PK) VALUES (9)", "UPDATE ZPERSON SET Z_OPT = 5", "DELETE FROM ZPERSON",
        "CREATE TABLE t (a)", "CREATE TEMP TABLE t (a)", "DROP TABLE ZPERSON", "PRAGMA user_version = 5",
        "PRAGMA user_version", "SELECT * FROM pragma_user_version", "ATTACH ':memory:' AS other", "BEGIN",
        "SAVEPOINT s", "REINDEX", "ANALYZE", "EXPLAIN DELETE FROM ZPERSON",
    ])
    func nothingElseIsCompiled(_ sql: String) throws {
        let engine = try SampleStore().create()
        engine.connection.restrictToQueries(longestValue: 1000)
        let failure = #expect(throws: EngineFailure.self) { try engine.fetchValues(SQLStatement(sql)) }
        expect(failure?.message.contains("not authorized"), equals: true, "\(failure?.message ?? "")")
    }

    @Test func longValuesAreRefused() throws {
        let engine = try SampleStore().create()
        engine.connection.restrictToQueries(longestValue: 1000)
        #expect(throws: EngineFailure.self) { try engine.fetchValues(SQLStatement("SELECT zeroblob(1001)")) }
        try expect(
            engine.fetchValues(SQLStatement("SELECT length(zeroblob(1000))")), equals: [[.integer(1000)]])
    }
}
