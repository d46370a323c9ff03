// Persistent history in a file: made, written, read, deleted.

package import CoreDataSQL

extension SQLiteEngine {
    /// The form that the file's history has; `nil` if it keeps none.
    package func historyLayout() throws -> HistoryLayout? { HistoryLayout(try catalog()) }

    /// Gives the file what it lacks for a history, and room for `tombstones` values of a deleted row.
    package func prepareHistory(tombstones: Int) throws {
        let catalog = try catalog()
        if let layout = HistoryLayout(catalog), layout.tombstoneCount >= tombstones,
            catalog.entityNumbers.contains(where: { $0.number == HistoryLayout.transactionNumber })
        {
            return
        }
        try transaction {
            for statement in HistoryLayout.additions(to: try self.catalog(), tombstones: tombstones) {
                try execute(statement)
            }
        }
    }

    /// The number of the oldest transaction that is kept, `nil` if none is, and that of the last one ever written.
    package func historySpan() throws -> (oldest: Int64?, last: Int64) {
        guard let row = try fetchValues(HistoryLayout.span).first, row.count == 2 else { return (nil, 0) }
        var span: (oldest: Int64?, last: Int64) = (nil, 0)
        if case .integer(let oldest) = row[0] { span.oldest = oldest }
        if case .integer(let last) = row[1] { span.last = last }
        return span
    }

    // MARK: Writing. Inside a transaction of the caller's.

    /// Writes a transaction with the next number, which it returns.
    package func insertHistory(
        _ row: HistoryTransactionRow, layout: HistoryLayout
    ) throws -> Int64 {
        var row = row
        row.number = try takeKeys(1, rootNumber: HistoryLayout.transactionNumber, table: "ATRANSACTION")
        var strings: [HistoryLayout.Text: Int64] = [:]
        for (text, value) in layout.references(of: row) { strings[text] = try key(ofString: value) }
        try execute(layout.insertion(row, strings: strings))
        return row.number
    }

    /// The next transaction gets a higher number than this one.
    package func skipTransactions(through number: Int64) throws {
        let missing = try number - min(number, historySpan().last)
        if missing == 0 { return }
        _ = try takeKeys(
            Int(missing), rootNumber: HistoryLayout.transactionNumber, table: "ATRANSACTION")
    }

    private func key(ofString value: String) throws -> Int64 {
        if case .integer(let known)? = try fetchValues(HistoryLayout.string(value)).first?.first {
            return known
        }
        let key = try takeKeys(1, rootNumber: HistoryLayout.stringNumber, table: "ATRANSACTIONSTRING")
        try execute(HistoryLayout.insertion(string: value, key: key))
        return key
    }

    /// Writes changes of a transaction.
    package func insertHistory(
        _ changes: [HistoryChangeRow], of transaction: Int64, layout: HistoryLayout
    ) throws {
        if changes.isEmpty { return }
        var key = try takeKeys(
            changes.count, rootNumber: HistoryLayout.changeNumber, table: "ACHANGE")
        var rest = changes[...]
        // Rows of one statement take half the time of as many statements.
        for count in [layout.changesPerInsertion, 1] where rest.count >= count {
            try connection.withStatement(layout.changeInsertion(count: count)) { statement in
                while rest.count >= count {
                    var place: Int32 = 1
                    for change in rest.prefix(count) {
                        for binding in layout.bindings(change, key: key, transaction: transaction) {
                            try statement.bind(binding, at: place)
                            place += 1
                        }
                        key += 1
                    }
                    try statement.run()
                    rest.removeFirst(count)
                }
            }
        }
    }

    // MARK: Reading

    /// Hands over transactions, oldest first, one by one, until the closure returns false.
    package func readHistory(
        after number: Int64?, since timestamp: Double?, layout: HistoryLayout,
        body: (HistoryTransactionRow) throws -> Bool
    ) throws {
        try each(layout.transactions(after: number, since: timestamp)) { row in
            try layout.transaction(row).map(body) ?? true
        }
    }

    /// Passes over the first changes of a transaction to rows of these entities without reading them. Returns how many
    /// there were to pass, and the key of the last of them; no key if there are no others.
    package func passChanges(
        of transaction: Int64, count: Int, entities: [Int], layout: HistoryLayout
    ) throws -> (count: Int, key: Int64?) {
        let last = layout.key(ofChange: count, of: transaction, entities: entities)
        if let key = try connection.firstInteger(last.text, bindings: last.bindings) { return (count, key) }
        let all = layout.changeCount(of: transaction, entities: entities)
        return (Int(try connection.firstInteger(all.text, bindings: all.bindings) ?? 0), nil)
    }

    /// Hands over a transaction's changes one by one, beyond the one with a key, until the closure returns false.
    package func readChanges(
        of transaction: Int64, after key: Int64 = 0, layout: HistoryLayout,
        body: (HistoryChangeRow) throws -> Bool
    ) throws {
        try each(layout.changes(of: transaction, after: key)) { row in
            try layout.change(row).map(body) ?? true
        }
    }

    private func each(_ statement: SQLStatement, body: ([SQLBinding]) throws -> Bool) throws {
        try connection.withStatement(statement.text, bindings: statement.bindings) { statement in
            let columns = 0..<statement.columnCount
            while try statement.step() {
                if try !body(columns.map(statement.value)) { return }
            }
        }
    }

    // MARK: Deleting

    /// Deletes the transactions before one or before a time, and returns how many there were.
    package func deleteHistory(before number: Int64?, or timestamp: Double?) throws -> Int {
        try transaction {
            var count = 0
            for statement in HistoryLayout.deletions(before: number, or: timestamp) {
                count = try execute(statement)
            }
            return count
        }
    }
}
