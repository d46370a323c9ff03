import CoreDataSQL
import CoreDataSQLiteEngine
import Testing

@Suite struct SQLiteEngineMaintenanceTests {
    @Test func damagesAreFound() throws {
        let sample = try SampleStore()
        let engine = try sample.create()
        try engine.execute(SQLStatement("INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 7)"))
        try engine.execute(SQLStatement("CREATE INDEX DAMAGED ON ZPERSON (Z_ENT)"))
        #expect(try engine.damages().isEmpty)
        // The index now claims to hold another column than it does.
        try engine.execute(SQLStatement("PRAGMA writable_schema = ON"))
        try engine.execute(
            SQLStatement(
                "UPDATE sqlite_master SET sql = 'CREATE INDEX DAMAGED ON ZPERSON (Z_OPT)' WHERE name = 'DAMAGED'"
            ))
        engine.close()
        let reopened = try SQLiteEngine(path: sample.path, OpeningOptions(.readOnly))
        let damages = try reopened.damages()
        #expect(damages.count == 1 && damages[0].contains("DAMAGED"))
    }
}
