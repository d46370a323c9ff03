// The tables of persistent history, in the form that a file has them.

/// The columns that the tables have: older frameworks made fewer.
package struct HistoryLayout: Sendable, Hashable {
    /// The columns that hold a transaction's texts. `text` holds the text itself, `reference` the key of a row of
    /// ATRANSACTIONSTRING.
    package enum Text: String, Sendable, CaseIterable {
        case author = "ZAUTHOR"
        case bundleID = "ZBUNDLEID"
        case contextName = "ZCONTEXTNAME"
        case processID = "ZPROCESSID"

        var reference: String { rawValue + "TS" }
    }

    /// Z_ENT of the three tables' rows, also their places in Z_PRIMARYKEY.
    package static let changeNumber = 16001
    package static let transactionNumber = 16002
    package static let stringNumber = 16003

    /// Texts whose row can refer to ATRANSACTIONSTRING; the others stand in ATRANSACTION itself.
    let referenced: Set<Text>
    let inline: Set<Text>
    /// Indicates whether ACHANGE says which properties an update changed.
    let hasColumns: Bool
    /// The number of columns ZTOMBSTONE0, ZTOMBSTONE1, ….
    package let tombstoneCount: Int

    static let requiredColumns = [
        "ATRANSACTION": ["Z_PK", "Z_ENT", "ZTIMESTAMP"],
        "ACHANGE": ["Z_PK", "Z_ENT", "ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"],
    ]

    static let stringColumns = ["Z_PK", "ZNAME"]

    /// Reads the layout of a store's file; `nil` if it keeps no history.
    package init?(_ catalog: StoreCatalog) {
        let names = CatalogNames(catalog)
        guard names.table("ATRANSACTION") != nil, names.table("ACHANGE") != nil else { return nil }
        func transactionHas(_ column: String) -> Bool { names.column(column, of: "ATRANSACTION") != nil }
        let keepsStrings = Self.stringColumns.allSatisfy { names.column($0, of: "ATRANSACTIONSTRING") != nil }
        referenced = Set(Text.allCases.filter { keepsStrings && transactionHas($0.reference) })
        inline = Set(Text.allCases.filter { transactionHas($0.rawValue) })
        hasColumns = names.column("ZCOLUMNS", of: "ACHANGE") != nil
        var count = 0
        while names.column("ZTOMBSTONE\(count)", of: "ACHANGE") != nil { count += 1 }
        tombstoneCount = count
        for (table, columns) in Self.requiredColumns
        where columns.contains(where: { names.column($0, of: table) == nil }) {
            return nil
        }
    }

    // MARK: Making the tables

    /// The statements that give a store the tables in the newest form, and room for tombstones. They leave alone
    /// what is there.
    package static func additions(to catalog: StoreCatalog, tombstones: Int) -> [SQLStatement] {
        let names = CatalogNames(catalog)
        var statements: [SQLStatement] = []
        if names.table("ATRANSACTION") == nil, names.table("ACHANGE") == nil {
            statements += (tables(tombstones: tombstones) + indexes).map { SQLStatement($0) }
        } else {
            statements += (0..<tombstones).map { "ZTOMBSTONE\($0)" }
                .filter { names.column($0, of: "ACHANGE") == nil }
                .map { SQLStatement("ALTER TABLE ACHANGE ADD COLUMN \($0) BLOB") }
        }
        let keepsStrings =
            statements.first?.text.hasPrefix("CREATE") ?? false
            || names.table("ATRANSACTIONSTRING") != nil
        return statements + numbers(withStrings: keepsStrings)
    }

    private static func tables(tombstones: Int) -> [String] {
        let kept = (0..<tombstones).map { ", ZTOMBSTONE\($0) BLOB" }.joined()
        return [
            "CREATE TABLE ACHANGE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                + "ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, ZTRANSACTIONID INTEGER, "
                + "ZCOLUMNS BLOB\(kept) )",
            "CREATE TABLE ATRANSACTION ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                + "ZAUTHORTS INTEGER, ZBUNDLEIDTS INTEGER, ZCONTEXTNAMETS INTEGER, ZPROCESSIDTS INTEGER, "
                + "ZTIMESTAMP FLOAT, ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, "
                + "ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
            "CREATE TABLE ATRANSACTIONSTRING ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, "
                + "ZNAME VARCHAR )",
        ]
    }

    private static let indexes = [
        "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
        "CREATE INDEX ATRANSACTION_ZAUTHORTS_INDEX ON ATRANSACTION (ZAUTHORTS)",
        "CREATE INDEX ATRANSACTION_ZBUNDLEIDTS_INDEX ON ATRANSACTION (ZBUNDLEIDTS)",
        "CREATE INDEX ATRANSACTION_ZCONTEXTNAMETS_INDEX ON ATRANSACTION (ZCONTEXTNAMETS)",
        "CREATE INDEX ATRANSACTION_ZPROCESSIDTS_INDEX ON ATRANSACTION (ZPROCESSIDTS)",
        "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
        "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
        "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
    ]

    /// The rows of Z_PRIMARYKEY that count the tables' keys.
    private static func numbers(withStrings: Bool) -> [SQLStatement] {
        var rows = [(changeNumber, "CHANGE"), (transactionNumber, "TRANSACTION")]
        if withStrings { rows.append((stringNumber, "TRANSACTIONSTRING")) }
        return rows.map { number, name in
            SQLStatement(
                "INSERT OR IGNORE INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, 0, 0)",
                bindings: [.integer(Int64(number)), .text(name)])
        }
    }
}
