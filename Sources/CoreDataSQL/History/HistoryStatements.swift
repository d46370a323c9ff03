// The statements over the tables of persistent history.

extension HistoryLayout {
    // MARK: Reading

    /// The transactions after a number, oldest first: number, time, texts in the order of `Text.allCases`.
    package func transactions(after number: Int64?, since timestamp: Double?) -> SQLStatement {
        let texts = Text.allCases.map { ", " + expression($0) }.joined()
        var conditions: [String] = []
        var bindings: [SQLBinding] = []
        if let number {
            conditions.append("t.Z_PK > ?")
            bindings.append(.integer(number))
        }
        if let timestamp {
            conditions.append("t.ZTIMESTAMP > ?")
            bindings.append(.double(timestamp))
        }
        let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        return SQLStatement(
            "SELECT t.Z_PK, t.ZTIMESTAMP\(texts) FROM ATRANSACTION AS t\(filter) ORDER BY t.Z_PK",
            bindings: bindings)
    }

    private func expression(_ text: Text) -> String {
        let own = inline.contains(text) ? "t.\(text.rawValue)" : "NULL"
        guard referenced.contains(text) else { return own }
        return "COALESCE(\(own), (SELECT ZNAME FROM ATRANSACTIONSTRING WHERE Z_PK = t.\(text.reference)))"
    }

    /// A transaction of `transactions(after:since:)`; `nil` if the row makes no sense.
    package func transaction(_ row: [SQLBinding]) -> HistoryTransactionRow? {
        guard row.count == 2 + Text.allCases.count, case .integer(let number) = row[0] else { return nil }
        var texts: [Text: String] = [:]
        for (position, text) in Text.allCases.enumerated() {
            if case .text(let value) = row[2 + position] { texts[text] = value }
        }
        let timestamp: Double =
            switch row[1] {
            case .double(let seconds): seconds
            case .integer(let seconds): Double(seconds)
            default: 0
            }
        return HistoryTransactionRow(number: number, timestamp: timestamp, texts: texts)
    }

    /// The key of the change in this place, from 1, among those of a transaction to rows of these entities.
    package func key(ofChange place: Int, of transaction: Int64, entities: [Int]) -> SQLStatement {
        SQLStatement(
            "SELECT Z_PK FROM ACHANGE WHERE \(own(entities)) ORDER BY Z_PK LIMIT 1 OFFSET ?",
            bindings: [.integer(transaction), .integer(Int64(place - 1))])
    }

    /// Returns a statement that counts the changes of a transaction to rows of these entities.
    package func changeCount(of transaction: Int64, entities: [Int]) -> SQLStatement {
        SQLStatement("SELECT COUNT(*) FROM ACHANGE WHERE \(own(entities))", bindings: [.integer(transaction)])
    }

    private func own(_ entities: [Int]) -> String {
        "ZTRANSACTIONID = ? AND ZENTITY IN (\(entities.map(String.init).joined(separator: ", ")))"
    }

    /// The changes of a transaction in the order in which they were written, beyond the one with a key.
    package func changes(of transaction: Int64, after key: Int64 = 0) -> SQLStatement {
        let columns = ["Z_PK", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", hasColumns ? "ZCOLUMNS" : "NULL"]
        let all = (columns + tombstoneColumns).joined(separator: ", ")
        return SQLStatement(
            "SELECT \(all) FROM ACHANGE WHERE ZTRANSACTIONID = ? AND Z_PK > ? ORDER BY Z_PK",
            bindings: [.integer(transaction), .integer(key)])
    }

    /// A change of `changes(of:)`; `nil` if the row makes no sense.
    package func change(_ row: [SQLBinding]) -> HistoryChangeRow? {
        guard row.count == 5 + tombstoneCount, case .integer(let number) = row[0],
            case .integer(let type) = row[1], let kind = HistoryChangeRow.Kind(rawValue: type),
            case .integer(let entity) = row[2], case .integer(let primaryKey) = row[3]
        else { return nil }
        var change = HistoryChangeRow(number: number, kind: kind, entity: entity, primaryKey: primaryKey)
        if case .blob(let columns) = row[4] { change.columns = columns }
        change.tombstones = Array(row[5...])
        return change
    }

    private var tombstoneColumns: [String] { (0..<tombstoneCount).map { "ZTOMBSTONE\($0)" } }

    /// The number of the oldest transaction that is kept, and that of the last one that there ever was.
    package static let span = SQLStatement(
        """
        SELECT (SELECT MIN(Z_PK) FROM ATRANSACTION), MAX(IFNULL((SELECT MAX(Z_PK) FROM ATRANSACTION), 0), \
        IFNULL((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 16002), 0))
        """)

    // MARK: Writing

    /// A new transaction. `strings` are keys of ATRANSACTIONSTRING.
    package func insertion(_ row: HistoryTransactionRow, strings: [Text: Int64]) -> SQLStatement {
        var columns = ["Z_PK", "Z_ENT", "ZTIMESTAMP"]
        var bindings: [SQLBinding] = [
            .integer(row.number), .integer(Int64(Self.transactionNumber)), .double(row.timestamp),
        ]
        for text in Text.allCases {
            guard let value = row.texts[text] else { continue }
            if let key = strings[text], referenced.contains(text) {
                columns.append(text.reference)
                bindings.append(.integer(key))
            } else if inline.contains(text) {
                columns.append(text.rawValue)
                bindings.append(.text(value))
            }
        }
        let places = Array(repeating: "?", count: columns.count).joined(separator: ", ")
        return SQLStatement(
            "INSERT INTO ATRANSACTION (\(columns.joined(separator: ", "))) VALUES (\(places))",
            bindings: bindings)
    }

    /// The texts of a transaction that stand in ATRANSACTIONSTRING.
    package func references(of row: HistoryTransactionRow) -> [(text: Text, value: String)] {
        Text.allCases.compactMap { text in
            guard referenced.contains(text), let value = row.texts[text] else { return nil }
            return (text, value)
        }
    }

    package static func string(_ value: String) -> SQLStatement {
        SQLStatement("SELECT Z_PK FROM ATRANSACTIONSTRING WHERE ZNAME = ?", bindings: [.text(value)])
    }

    package static func insertion(string value: String, key: Int64) -> SQLStatement {
        SQLStatement(
            "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, ?, ?)",
            bindings: [.integer(key), .integer(Int64(stringNumber)), .text(value)])
    }

    private var changeColumns: [String] {
        ["Z_PK", "Z_ENT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"]
            + (hasColumns ? ["ZCOLUMNS"] : []) + tombstoneColumns
    }

    /// The number of changes that one statement inserts where there are many: bound values have a limit, 999 in old SQLite.
    package var changesPerInsertion: Int { max(1, min(32, 900 / changeColumns.count)) }

    /// Inserts changes; its bindings are those of `bindings(_:key:transaction:)` of each, one after the other.
    package func changeInsertion(count: Int) -> String {
        let columns = changeColumns
        let places = "(" + Array(repeating: "?", count: columns.count).joined(separator: ", ") + ")"
        return "INSERT INTO ACHANGE (\(columns.joined(separator: ", "))) VALUES "
            + Array(repeating: places, count: count).joined(separator: ", ")
    }

    package func bindings(_ change: HistoryChangeRow, key: Int64, transaction: Int64) -> [SQLBinding] {
        var bindings: [SQLBinding] = []
        bindings.reserveCapacity(7 + tombstoneCount)
        bindings += [
            .integer(key), .integer(Int64(Self.changeNumber)), .integer(change.kind.rawValue),
            .integer(change.entity), .integer(change.primaryKey), .integer(transaction),
        ]
        if hasColumns { bindings.append(change.columns.map(SQLBinding.blob) ?? .null) }
        for position in 0..<tombstoneCount {
            bindings.append(position < change.tombstones.count ? change.tombstones[position] : .null)
        }
        return bindings
    }

    // MARK: Deleting

    /// Deletes what came before a transaction, or before a time: changes first, then the transactions.
    package static func deletions(before number: Int64?, or timestamp: Double?) -> [SQLStatement] {
        let (condition, binding): (String, SQLBinding) =
            number.map { ("Z_PK < ?", .integer($0)) } ?? ("ZTIMESTAMP < ?", .double(timestamp ?? 0))
        return [
            SQLStatement(
                "DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN (SELECT Z_PK FROM ATRANSACTION WHERE \(condition))",
                bindings: [binding]),
            SQLStatement("DELETE FROM ATRANSACTION WHERE \(condition)", bindings: [binding]),
        ]
    }
}
