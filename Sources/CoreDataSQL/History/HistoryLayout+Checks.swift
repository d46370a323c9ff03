// The rules that the tables of persistent history keep.

extension HistoryLayout {
    /// The checks of the history that a file keeps; none if it keeps none.
    package static func checks(of catalog: StoreCatalog) -> [StoreCheck] {
        let names = CatalogNames(catalog)
        let tables = ["ATRANSACTION", "ACHANGE"].filter { names.table($0) != nil }
        if tables.isEmpty { return [] }
        let missing = missingParts(names)
        if !missing.isEmpty { return missing }
        guard let layout = HistoryLayout(catalog) else { return [] }
        return layout.valueChecks + layout.referenceChecks
    }

    /// The tables and columns that every framework made together.
    private static func missingParts(_ names: CatalogNames) -> [StoreCheck] {
        func transactionHas(_ column: String) -> Bool { names.column(column, of: "ATRANSACTION") != nil }
        let references = Text.allCases.map(\.reference)
        let texts = Text.allCases.map(\.rawValue)
        var wanted = requiredColumns
        if references.contains(where: transactionHas) {
            wanted["ATRANSACTION", default: []] += references
            wanted["ATRANSACTIONSTRING"] = stringColumns
        }
        if texts.contains(where: transactionHas) { wanted["ATRANSACTION", default: []] += texts }
        return wanted.sorted { $0.key < $1.key }.flatMap { table, columns in
            columns.filter { names.column($0, of: table) == nil }.map { column in
                StoreCheck(
                    name: "history: layout", sql: "SELECT '\(table).\(column)'",
                    explanation: "\(table).\(column) is missing, so that the history can't be read in full")
            }
        }
    }

    private var valueChecks: [StoreCheck] {
        var checks = inline.map { Self.foreign("ATRANSACTION", column: $0.rawValue, types: ["text"]) }
        if !referenced.isEmpty {
            checks.append(Self.foreign("ATRANSACTIONSTRING", column: "ZNAME", types: ["text"]))
        }
        checks.append(Self.foreign("ATRANSACTION", column: "ZTIMESTAMP", types: ["real", "integer"]))
        checks += ["ZCHANGETYPE", "ZENTITY", "ZENTITYPK", "ZTRANSACTIONID"].map {
            Self.foreign("ACHANGE", column: $0, types: ["integer"])
        }
        return checks.sorted { $0.name < $1.name }
    }

    private static func foreign(_ table: String, column: String, types: [String]) -> StoreCheck {
        .foreign(
            "history: \(table).\(column)", column: column, of: table, types: types,
            explanation: "\(table).\(column) holds values that the history doesn't show")
    }

    private var referenceChecks: [StoreCheck] {
        referenced.map { Self.dangling("ATRANSACTION", column: $0.reference, target: "ATRANSACTIONSTRING") }
            .sorted { $0.name < $1.name } + [
                Self.dangling("ACHANGE", column: "ZTRANSACTIONID", target: "ATRANSACTION")
            ]
    }

    private static func dangling(_ table: String, column: String, target: String) -> StoreCheck {
        StoreCheck(
            name: "history: \(table).\(column): targets",
            sql: """
                SELECT Z_PK, \(column) FROM \(table) WHERE \(column) IS NOT NULL \
                AND \(column) NOT IN (SELECT Z_PK FROM \(target))
                """,
            explanation: "\(table).\(column) points to a row of \(target) that doesn't exist")
    }
}
