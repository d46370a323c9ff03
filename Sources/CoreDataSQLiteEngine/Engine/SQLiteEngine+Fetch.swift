// Fetches: rows, keys, counts and values.

package import CoreDataSQL
package import CoreDataSchema

/// Keys of fetched rows. Eight bytes a row where the table has one entity.
package struct FetchedKeys: Sendable {
    package var primaryKeys: ContiguousArray<Int64> = []
    /// Z_ENT of each row; empty where the table has one entity.
    package var entityNumbers: ContiguousArray<Int32> = []
}

extension SQLiteEngine {
    /// Fetches rows and hands them over in slabs of up to 256.
    ///
    /// Rows whose Z_ENT is no entity of the decoder, or whose Z_PK is not above 0, are left out.
    ///
    /// - Parameters:
    ///   - statement: its columns are those of `decoder` (`FetchDescription.Result.rows`).
    ///   - limit: how many rows the statement gives at most, 0 if it has no limit.
    package func fetchRows(
        _ statement: SQLStatement, decoder: RowDecoder, limit: Int = 0, into receive: (RowSlab) throws -> Void
    ) throws {
        try connection.withStatement(statement.text, bindings: statement.bindings) {
            let expected = limit > 0 ? min(limit, 64) : 16
            try decoder.run($0, files: files, expecting: expected, into: receive)
        }
    }

    /// The rows with these keys, in no particular order. Missing ones are left out.
    package func fetchRows(
        primaryKeys: [Int64], decoder: RowDecoder, into receive: (RowSlab) throws -> Void
    ) throws {
        var start = 0
        while start < primaryKeys.count {
            // Few sizes, so that few statements are prepared; spare parameters repeat a key.
            let list = decoder.selection(ofKeys: primaryKeys.count - start)
            let end = min(start + list.size, primaryKeys.count)
            try connection.withStatement(list.text) { statement in
                for place in 0..<list.size {
                    let key = primaryKeys[min(start + place, end - 1)]
                    try statement.bindInteger(key, at: Int32(place + 1))
                }
                try decoder.run(
                    statement, files: files, expecting: end - start, into: receive)
            }
            start = end
        }
    }

    /// The row with this key, in a slab of its own; `nil` if there is none.
    package func fetchRow(primaryKey: Int64, decoder: RowDecoder) throws -> RowSlab? {
        let statement = try rowStatement(decoder)
        try connection.beginLookUp()
        defer { statement.reset() }
        do {
            return try decoder.row(statement, primaryKey: primaryKey, files: files)
        } catch {
            connection.endLookUps()
            throw error
        }
    }

    private func rowStatement(_ decoder: RowDecoder) throws -> Statement {
        if let rowStatement, rowStatement.decoder === decoder { return rowStatement.statement }
        if let known = rowStatements[ObjectIdentifier(decoder)] {
            rowStatement = known
            return known.statement
        }
        if rowStatements.count > 200 { rowStatements.removeAll() }
        let made = (decoder, try connection.prepare(decoder.selection + " WHERE Z_PK = ?"))
        rowStatements[ObjectIdentifier(decoder)] = made
        rowStatement = made
        return made.1
    }

    /// The keys of the rows; the statement's columns are those of `FetchDescription.Result.keys`.
    package func fetchKeys(_ statement: SQLStatement, isPolymorphic: Bool) throws -> FetchedKeys {
        try connection.withStatement(statement.text, bindings: statement.bindings) {
            try $0.keys(isPolymorphic)
        }
    }

    /// The number in the first column of the first row.
    package func fetchCount(_ statement: SQLStatement) throws -> Int {
        Int(try connection.firstInteger(statement.text, bindings: statement.bindings) ?? 0)
    }

    /// All columns of all rows as they are stored.
    package func fetchValues(_ statement: SQLStatement) throws -> [[SQLBinding]] {
        try connection.withStatement(statement.text, bindings: statement.bindings) { statement in
            let columns = 0..<statement.columnCount
            var rows: [[SQLBinding]] = []
            while try statement.step() { rows.append(columns.map(statement.value)) }
            return rows
        }
    }
}
