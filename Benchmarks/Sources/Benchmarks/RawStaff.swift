// Companies and people in plain SQLite, for W3 to W7. Don't change it, or old numbers no longer compare.

import CRawSQLite
import Foundation

/// The tables as the framework lays them out, with cached statements over all columns.
struct RawStaff {
    static let columns = "Z_PK, Z_OPT, ZACTIVE, ZAGE, ZCOMPANY, ZBORN, ZSALARY, ZEMAIL, ZNAME"
    /// SQLite copies what it is given.
    private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    let database: RawSQLite

    init(path: String) throws {
        database = try RawSQLite(path: path)
    }

    func makeTables() {
        database.run(
            "CREATE TABLE ZCOMPANY (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR)")
        database.run(
            """
            CREATE TABLE ZPERSON (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZACTIVE INTEGER, \
            ZAGE INTEGER, ZCOMPANY INTEGER, ZBORN TIMESTAMP, ZSALARY FLOAT, ZEMAIL VARCHAR, ZNAME VARCHAR)
            """)
        database.run("CREATE INDEX ZPERSON_ZCOMPANY_INDEX ON ZPERSON (ZCOMPANY)")
        database.run("CREATE INDEX Z_Person_byAge ON ZPERSON (ZAGE COLLATE BINARY ASC)")
    }

    func insert() throws {
        database.run("BEGIN")
        let company = try database.statement("INSERT INTO ZCOMPANY VALUES (?, 1, 1, ?)")
        for number in 0..<Staff.companyCount {
            sqlite3_bind_int64(company, 1, Int64(number + 1))
            sqlite3_bind_text(company, 2, Staff.companyName(number), -1, Self.copied)
            sqlite3_step(company)
            sqlite3_reset(company)
        }
        let person = try database.statement("INSERT INTO ZPERSON VALUES (?, 2, 1, ?, ?, ?, ?, ?, ?, ?)")
        for (row, values) in Staff.people.enumerated() {
            sqlite3_bind_int64(person, 1, Int64(row + 1))
            sqlite3_bind_int64(person, 2, values.active ? 1 : 0)
            sqlite3_bind_int64(person, 3, Int64(values.age))
            sqlite3_bind_int64(person, 4, Int64(values.company + 1))
            sqlite3_bind_double(person, 5, values.born.timeIntervalSinceReferenceDate)
            sqlite3_bind_double(person, 6, values.salary)
            sqlite3_bind_text(person, 7, values.email, -1, Self.copied)
            sqlite3_bind_text(person, 8, values.name, -1, Self.copied)
            sqlite3_step(person)
            sqlite3_reset(person)
        }
        database.run("COMMIT")
    }

    /// Reads the current row. All columns are read, whatever is wanted of them.
    @inline(__always)
    private func row(_ select: OpaquePointer) -> Row {
        let emailBytes = sqlite3_column_text(select, 7) == nil ? 0 : sqlite3_column_bytes(select, 7)
        let nameBytes = sqlite3_column_text(select, 8) == nil ? 0 : sqlite3_column_bytes(select, 8)
        let numbers =
            sqlite3_column_int64(select, 0) &+ sqlite3_column_int64(select, 1)
            &+ sqlite3_column_int64(select, 2) &+ sqlite3_column_int64(select, 4)
        let negative = sqlite3_column_double(select, 5) + sqlite3_column_double(select, 6) < 0
        return Row(
            age: sqlite3_column_int64(select, 3), nameBytes: Int64(nameBytes),
            other: numbers &+ Int64(emailBytes) &+ (negative ? 1 : 0))
    }

    /// Runs a statement over `columns`.
    @inline(__always)
    func read(_ select: OpaquePointer, _ each: (Row) -> Void) {
        var other: Int64 = 0
        while sqlite3_step(select) == SQLITE_ROW {
            let row = row(select)
            other &+= row.other
            each(row)
        }
        sqlite3_reset(select)
        precondition(other >= 0, "Everything was read.")
    }

    /// Returns the places of all people, which a change needs.
    func everybody() throws -> [Place] {
        let select = try database.statement("SELECT Z_PK, Z_OPT, ZAGE, ZSALARY FROM ZPERSON")
        var places: [Place] = []
        while sqlite3_step(select) == SQLITE_ROW {
            places.append(
                Place(
                    key: sqlite3_column_int64(select, 0), version: sqlite3_column_int64(select, 1),
                    age: sqlite3_column_int64(select, 2), salary: sqlite3_column_double(select, 3)))
        }
        sqlite3_reset(select)
        return places
    }

    struct Place {
        let key: Int64
        let version: Int64
        let age: Int64
        let salary: Double
    }

    /// The wanted values of a person whose row was read.
    struct Row {
        let age: Int64
        let nameBytes: Int64
        /// Made of everything else.
        let other: Int64
    }
}
