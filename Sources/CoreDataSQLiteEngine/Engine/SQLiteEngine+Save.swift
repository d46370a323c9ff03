// Inserts, updates and deletes of rows. All run inside a transaction of the caller's.

package import CoreDataSQL
package import CoreDataSchema

extension SQLiteEngine {
    /// Inserts rows, each with the primary key at the same place of `primaryKeys`. Z_OPT becomes the row's
    /// version, 1 where that is 0.
    package func insert(_ rows: [RowPointer], primaryKeys: [Int64], encoder: RowEncoder) throws {
        if rows.count <= Self.partRows {
            try insertPart(rows, primaryKeys: primaryKeys, encoder: encoder)
            return try connection.fitRoom(afterRows: rows.count)
        }
        for start in stride(from: 0, to: rows.count, by: Self.partRows) {
            let range = start..<min(start + Self.partRows, rows.count)
            try insertPart(Array(rows[range]), primaryKeys: Array(primaryKeys[range]), encoder: encoder)
            try connection.fitRoom(afterRows: range.count)
        }
    }

    private func insertPart(_ rows: [RowPointer], primaryKeys: [Int64], encoder: RowEncoder) throws {
        // A log of statements shows what is bound, so there everything is.
        if rows.count >= Self.fedRows, let text = encoder.insertFed, connection.trace == nil {
            let text = rows.allSatisfy { $0.words[0] <= 1 } ? text.new : text.any
            let table = encoder.table.table
            let isRun = try rows.count >= Self.runRows && areNext(primaryKeys, in: table)
            try connection.virtualRowTable().show(
                rows, keys: primaryKeys, isRun: isRun, encoder: encoder, writer: writer
            ) {
                try connection.withStatement(text) { try $0.run() }
            }
            if isRun && connection.lastInsertedKey != primaryKeys.last {
                throw EngineFailure(.schema, message: "Z_PK of \(table) isn't the table's key.", path: path)
            }
            return
        }
        var start = 0
        while start < rows.count {
            let size = rows.count - start < encoder.rowsPerInsert ? 1 : encoder.rowsPerInsert
            try connection.withStatement(encoder.insertText(rows: size)) { statement in
                while rows.count - start >= size {
                    let range = start..<start + size
                    try bind(rows, keys: primaryKeys, range: range, encoder: encoder, to: statement)
                    try statement.run()
                    start += size
                }
            }
        }
    }

    /// The number of rows between which the cache may grow, as it can't while a statement runs.
    private static let partRows = 20_000
    /// The number of rows from which the statement that reads them from memory is worth its beginning.
    private static let fedRows = 8
    /// The number of rows from which a look at the table is worth it.
    private static let runRows = 200

    /// Returns whether keys are those that SQLite would give rows without key, one after the other: a row
    /// that has none needs no search for its place. Triggers might see such a row before it has its key.
    private func areNext(_ keys: [Int64], in table: String) throws -> Bool {
        guard let first = keys.first, first > 0, keys.indices.allSatisfy({ keys[$0] == first &+ Int64($0) }),
            try connection.firstInteger("SELECT MAX(Z_PK) FROM \(quoted(identifier: table))") ?? 0 < first
        else { return false }
        let triggers =
            "SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger' AND tbl_name = ? COLLATE NOCASE"
        return try connection.firstInteger(triggers, bindings: [.text(table)]) == 0
    }

    private func bind(
        _ rows: [RowPointer], keys: [Int64], range: Range<Int>, encoder: RowEncoder, to statement: Statement
    ) throws {
        var parameter: Int32 = 1
        let entity = Int64(encoder.table.number)
        for position in range {
            let row = rows[position]
            try statement.bindInteger(keys[position], at: parameter)
            try statement.bindInteger(entity, at: parameter + 1)
            try statement.bindInteger(max(1, row.version), at: parameter + 2)
            parameter = try encoder.bind(
                row, cells: encoder.cells, to: statement, from: parameter + 3, writer: writer)
        }
    }

    /// Writes changed slots and raises Z_OPT by one. Returns the positions of the updates that found no row with
    /// their key and version.
    package func update(_ updates: [RowUpdate], encoder: RowEncoder) throws -> [Int] {
        var conflicts: [Int] = []
        var position = 0
        while position < updates.count {
            let slots = updates[position].slots
            let steps = encoder.steps(slots)
            let cells = steps.map(\.cell)
            let external = encoder.externalText(steps.filter { $0.slot.kind == .externalData })
            try connection.withStatement(encoder.updateText(slots, steps: steps)) { statement in
                while position < updates.count, updates[position].slots == slots {
                    try dropExternal(
                        external, primaryKey: updates[position].primaryKey, version: updates[position].version
                    )
                    try bind(updates[position], cells: cells, encoder: encoder, to: statement)
                    try statement.run()
                    if connection.changeCount == 0 { conflicts.append(position) }
                    position += 1
                }
            }
        }
        return conflicts
    }

    private func bind(
        _ update: RowUpdate, cells: [EncodeCell], encoder: RowEncoder, to statement: Statement
    ) throws {
        let next = try encoder.bind(update.row, cells: cells, to: statement, from: 1, writer: writer)
        try statement.bindInteger(RowVersion.next(after: update.version), at: next)
        try statement.bindInteger(update.primaryKey, at: next + 1)
        try statement.bindInteger(update.version, at: next + 2)
    }

    /// Deletes rows, each only if it has the version at the same place of `versions`. Returns the positions of
    /// those that were not there.
    ///
    /// - Parameter versions: `RowVersion.any` for a row that is deleted as it is, if there is one.
    package func delete(primaryKeys: [Int64], versions: [Int64], encoder: RowEncoder) throws -> [Int] {
        var conflicts: [Int] = []
        var position = 0
        while position < primaryKeys.count {
            let part = RowsToDelete(primaryKeys, versions: versions, from: position)
            if part.isRun, try deleteRun(primaryKeys[part.rows], of: versions[position], encoder) {
                position = part.rows.upperBound
                continue
            }
            let guarded = versions[position] != RowVersion.any
            let external = encoder.externalText(encoder.externalSteps, guarded: guarded)
            try connection.withStatement(encoder.deleteText(guarded: guarded)) { statement in
                while position < part.rows.upperBound {
                    let key = primaryKeys[position]
                    try dropExternal(external, primaryKey: key, version: guarded ? versions[position] : nil)
                    try statement.bindInteger(key, at: 1)
                    if guarded { try statement.bindInteger(versions[position], at: 2) }
                    try statement.run()
                    if guarded, connection.changeCount == 0 { conflicts.append(position) }
                    position += 1
                }
            }
        }
        return conflicts
    }

    /// Deletes rows by one statement; `false`, and nothing is deleted, if not all of them are there with the version, or if their
    /// cells may refer to files.
    private func deleteRun(
        _ keys: ArraySlice<Int64>, of version: Int64, _ encoder: RowEncoder
    ) throws -> Bool {
        guard encoder.externalSteps.isEmpty, let first = keys.first, let last = keys.last else {
            return false
        }
        let bindings = [first, last, version].map(SQLBinding.integer)
        guard try connection.firstInteger(encoder.run.count, bindings: bindings) == Int64(keys.count) else {
            return false
        }
        try connection.withStatement(encoder.run.delete, bindings: bindings) { try $0.run() }
        return true
    }

    /// Notes the files that a row's cells refer to before the cells go.
    private func dropExternal(_ text: String?, primaryKey: Int64, version: Int64?) throws {
        guard let text else { return }
        let bindings = [primaryKey, version].compactMap { $0.map(SQLBinding.integer) }
        try connection.withStatement(text, bindings: bindings) { statement in
            guard try statement.step() else { return }
            for column in 0..<statement.columnCount {
                if let cell = statement.blob(column) { writer.drop(cell) }
            }
        }
    }
}

/// The next of the rows that a save deletes: a run of them that one statement can delete, or those up to the next run.
private struct RowsToDelete {
    /// The number of rows from which a statement of their own is worth it.
    private static let runRows = 16

    private(set) var rows: Range<Int>
    let isRun: Bool

    init(_ keys: [Int64], versions: [Int64], from start: Int) {
        /// The end of the rows whose keys follow each other, and which are of one version.
        func endOfRun(_ start: Int) -> Int {
            var end = start + 1
            while end < keys.count, keys[end] == keys[end - 1] &+ 1, versions[end] == versions[start] {
                end += 1
            }
            return end
        }
        let isGuarded = versions[start] != RowVersion.any
        rows = start..<endOfRun(start)
        isRun = isGuarded && rows.count >= Self.runRows
        if isRun { return }
        while rows.upperBound < keys.count, (versions[rows.upperBound] != RowVersion.any) == isGuarded {
            let end = endOfRun(rows.upperBound)
            if isGuarded && end - rows.upperBound >= Self.runRows { return }
            rows = start..<end
        }
    }
}
