// Stores as tools ask for them before they open one.

public import CoreData
import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataStores
import Foundation

extension PostgreSQLStore {
    /// Returns whether a store has a persistent history, so that it has to be opened with `NSPersistentHistoryTrackingKey` to
    /// be written to.
    ///
    /// - Parameter description: the store, as `NSPersistentStoreDescription(postgreSQL:)` describes it.
    /// - Throws: `NSFileReadNoSuchFileError` if there is no store; the errors of opening one.
    public static func keepsHistory(_ description: NSPersistentStoreDescription) throws -> Bool {
        guard let url = description.url else { return false }
        return try PostgreSQLRowStore.keepsHistory(at: url, description.options)
    }

    /// Runs one SQL statement that only reads in the database of a store, with the store's schema as search path.
    ///
    /// The transaction can't write, and only what begins as a query is run: `SELECT`, `WITH`, `VALUES`, `TABLE`, `SHOW` or
    /// `EXPLAIN`. Others might do what no transaction keeps them from, as `COPY … TO PROGRAM` does. Values of types other than numbers, texts, truth values and bytes come as the server
    /// words them.
    ///
    /// ```swift
    /// let description = NSPersistentStoreDescription(postgreSQL: "postgresql://db.example/library")
    /// try PostgreSQLStore.readSQL("SELECT title FROM book", in: description) { row in print(row) }
    /// ```
    ///
    /// - Parameters:
    ///   - sql: a single statement, without parameters.
    ///   - description: the store, as `NSPersistentStoreDescription(postgreSQL:)` describes it.
    ///   - isStopped: asked from time to time; the server ends the statement once it says so.
    ///   - receiveColumns: gets the columns' names, once, before the first row.
    ///   - receiveRow: gets a row's values, in the order of the columns.
    /// - Throws: `NSSQLiteError` (134180) for what the server can't or doesn't run, a statement that would write among it, and
    ///   the errors of opening a store. An error of the closures passes through and ends the reading.
    public static func readSQL(
        _ sql: String, in description: NSPersistentStoreDescription,
        stoppedWhen isStopped: @escaping () -> Bool = { false },
        columns receiveColumns: ([String]) throws -> Void = { _ in },
        row receiveRow: ([SQLValue]) throws -> Void
    ) throws {
        guard PostgreSQLCatalogue.isQuery(sql) else {
            try PostgreSQLRowStore.mapping(description.url, occasion: .fetching) {
                throw ServerFailure(
                    .other, message: "A query begins with SELECT, WITH, VALUES, TABLE, SHOW or EXPLAIN.",
                    sql: sql)
            }
            return
        }
        let connection = try PostgreSQLRowStore.mapping(description.url, occasion: .opening) {
            try PostgreSQLOptions(description.options).briefConnection(to: description.url)
        }
        defer { connection.close() }
        var ownError: (any Error)?
        func passing(_ body: () throws -> Void) throws {
            do { try body() } catch {
                ownError = error
                throw error
            }
        }
        do {
            try connection.stopping(when: isStopped) {
                try connection.readText(
                    sql, columns: { names in try passing { try receiveColumns(names) } },
                    row: { values in try passing { try receiveRow(values.map(SQLValue.init)) } })
            }
        } catch {
            if let ownError { throw ownError }
            try PostgreSQLRowStore.mapping(description.url, occasion: .fetching) { throw error }
        }
    }
}
