// SQLite: types as Apple's framework declares them, functions and collations that the driver registers, lists as JSON.

package import CoreDataPredicate
package import CoreDataSchema
package import CoreDataSupport

/// The SQL of stores in files.
package struct SQLiteDialect: Dialect {
    package init() {}

    package var databaseName: String { "SQLite" }

    // MARK: Spelling

    package func name(_ name: String) -> String { sqlName(name) }

    package func parameter(_ number: Int, for value: SQLBinding?, as type: SQLParameterType) -> String { "?" }

    package func literal(_ value: SQLBinding, as type: SQLParameterType) -> String {
        switch value {
        case .null: return "NULL"
        case .integer(let number): return String(number)
        case .double(let number):
            if number.isNaN { return "NULL" }
            if number.isInfinite { return number < 0 ? "-9e999" : "9e999" }
            return String(number)
        case .text(let text): return sqlText(text)
        case .blob(let bytes): return "X'" + bytes.hexadecimal.uppercased() + "'"
        }
    }

    // MARK: Types and values

    package func columnType(_ type: AttributeType) -> String {
        switch type {
        case .integer16, .integer32, .integer64, .boolean: "INTEGER"
        case .double, .float: "FLOAT"
        case .date: "TIMESTAMP"
        case .decimal: "DECIMAL"
        case .string, .uri: "VARCHAR"
        case .uuid, .transformable, .binaryData, .undefined, .objectID, .composite: "BLOB"
        }
    }

    package var keyType: String { "INTEGER" }
    package var primaryKeyType: String { "INTEGER PRIMARY KEY" }
    package var keepsFiles: Bool { true }

    package func constant(_ value: Value) -> SQLConstant? {
        SQLBinding(value).map { SQLConstant(value, binding: $0) }
    }

    // Truth values are integers, dates are seconds.
    package func number(_ sql: SQLFragment, of kind: ValueKind) -> SQLFragment { sql }
    package func value(_ number: SQLFragment, of kind: ValueKind) -> SQLFragment { number }

    package func cast(_ sql: SQLFragment, to cast: SQLCast) -> SQLFragment {
        switch cast {
        case .real: "CAST(\(sql) AS REAL)"
        case .whole: "CAST(\(sql) AS INTEGER)"
        case .text: "CAST(\(sql) AS TEXT)"
        case .decimal: "CAST(\(sql) AS NUMERIC)"
        }
    }

    package func bounded(_ number: SQLFragment, bits: Int) -> SQLFragment {
        let (least, greatest) = (-1 << (bits - 1), 1 << (bits - 1) - 1)
        // The absolute value of the least integer is an error, "integer overflow".
        return """
            CASE WHEN \(number) NOT BETWEEN \(number: least) AND \(number: greatest) \
            THEN abs(-9223372036854775807 - 1) ELSE \(number) END
            """
    }

    package func bounded(_ number: SQLFragment, from value: SQLFragment) -> SQLFragment {
        // Integers that overflow become floating-point numbers, which the bounds of 64 bits round to.
        """
        CASE WHEN typeof(\(value)) = 'real' \
        AND \(value) NOT BETWEEN -9223372036854775807 AND 9223372036854775807 \
        THEN abs(-9223372036854775807 - 1) ELSE \(number) END
        """
    }

    package var falsehood: SQLFragment { "0" }
    package var truth: SQLFragment { "1" }

    // MARK: Comparisons

    package func same(_ left: SQLFragment, and right: SQLFragment) -> SQLFragment { "\(left) IS \(right)" }
    package func different(_ left: SQLFragment, and right: SQLFragment) -> SQLFragment {
        "\(left) IS NOT \(right)"
    }

    package func ifNull(_ value: SQLFragment, and other: SQLFragment) -> SQLFragment {
        "IFNULL(\(value), \(other))"
    }

    package func passing(_ column: SQLFragment) -> SQLFragment { "+\(column)" }

    package func unindexed(_ sql: SQLFragment, of kind: ValueKind) -> SQLFragment { "(+ \(sql))" }

    // MARK: Functions

    package func call(
        _ function: SQLFunction.Name, arguments: [SQLFragment]
    ) throws(TranslationFailure) -> SQLFragment {
        registered(function, arguments: arguments)
    }

    private func registered(_ function: SQLFunction.Name, arguments: [SQLFragment]) -> SQLFragment {
        "\(sql: function.rawValue)(\(arguments.joined(separator: ", ")))"
    }

    /// The database's own SUM stops with an error where 64 bits don't hold the sum of integers; columns of
    /// narrow integers and of doubles can't get there.
    package func aggregate(
        _ aggregate: Aggregate, scalar: Scalar
    ) throws(TranslationFailure) -> SQLFragment {
        let argument = scalar.sql
        switch aggregate {
        case .count: return "COUNT(\(argument))"
        case .sum where !scalar.kind.isNumeric && scalar.kind != .any: return "TOTAL(\(argument))"
        case .sum where scalar.sumsWithoutOverflow: return "SUM(\(argument))"
        case .sum: return registered(.sum, arguments: [argument])
        case .average: return "AVG(\(argument))"
        case .min: return "MIN(\(argument))"
        case .max: return "MAX(\(argument))"
        case .median: return registered(.median, arguments: [argument])
        case .mode: return registered(.mode, arguments: [argument])
        case .stddev: return registered(.standardDeviation, arguments: [argument])
        }
    }

    // MARK: Texts

    package func contains(_ text: SQLFragment, part: SQLFragment) -> SQLFragment {
        "instr(\(text), \(part)) > 0"
    }

    /// NSCoreDataStringSearch(text, pattern, options, operator)
    package func search(_ search: TextSearch) throws(TranslationFailure) -> SQLFragment {
        registered(
            .stringSearch,
            arguments: [
                search.text, search.pattern, "\(number: search.options.rawValue)",
                "\(number: search.op.rawValue)",
            ])
    }

    package func collated(
        _ text: SQLFragment, collation: SQLCollation
    ) throws(TranslationFailure) -> SQLFragment {
        "\(text) COLLATE \(sql: collation.rawValue)"
    }

    // MARK: Lists

    /// Lists longer than this are bound as one JSON text: the database bounds the number of parameters.
    static let longestInlineList = 100

    /// column IN (?, ?) or, for many values, column IN (SELECT value FROM json_each(?))
    package func membership(
        _ sql: SQLFragment, of kind: ValueKind, list: [SQLConstant], isInline: Bool
    ) -> SQLFragment {
        if list.count <= Self.longestInlineList || isInline {
            return "\(sql) IN (\(list.map(\.sql).joined(separator: ", ")))"
        }
        return "\(sql) IN (\(ElementList(list.map(\.binding)).select))"
    }

    /// EXISTS (SELECT 1 FROM json_each(?) WHERE NSCoreDataStringSearch(column, value, options, ==))
    package func membership(
        _ text: SQLFragment, list: [SQLConstant], options: ComparisonOptions
    ) throws(TranslationFailure) -> SQLFragment {
        let list = ElementList(list.map(\.binding))
        let test = try search(
            TextSearch(text: text, op: .equalTo, pattern: list.value, known: nil, options: options))
        return "EXISTS (SELECT 1 FROM json_each(\(binding: list.json)) WHERE \(test))"
    }

    package func oneOfKeys(_ count: Int) -> SQLFragment {
        let slots = Array(repeating: "\(slot: .ofPlace)" as SQLFragment, count: count)
        return "IN (\(slots.joined(separator: ", ")))"
    }

    // MARK: Order and window

    package func order(_ sql: SQLFragment, ascending: Bool, isKey: Bool) -> SQLFragment {
        ascending ? sql : sql + " DESC"
    }

    package func indexTerm(_ sql: SQLFragment, isColumn: Bool, ascending: Bool) -> SQLFragment {
        "\(sql)\(sql: isColumn ? " COLLATE BINARY" : "") \(sql: ascending ? "ASC" : "DESC")"
    }

    package var allowsLooseColumns: Bool { true }

    package var bindsLimits: Bool { true }

    package func window(limit: Int, offset: Int) -> SQLFragment {
        switch (limit, offset) {
        case (...0, ...0): ""
        case (_, ...0): " LIMIT \(binding: .integer(Int64(limit)))"
        case (...0, _): " LIMIT -1 OFFSET \(binding: .integer(Int64(offset)))"
        default: " LIMIT \(binding: .integer(Int64(limit))) OFFSET \(binding: .integer(Int64(offset)))"
        }
    }

    package func table(of statement: SQLFragment) -> SQLFragment { "(\(statement))" }

    // MARK: Writing

    /// A declaration that Apple's framework never writes.
    package var fillsAddedColumns: Bool { false }

    package func insertIfAbsent(_ body: SQLFragment) -> SQLFragment { "INSERT OR IGNORE INTO \(body)" }

    /// Only one connection writes.
    package var rowLock: SQLFragment { "" }

    package func temporaryName(_ table: String) -> SQLFragment { "temp.\(name: table)" }

    package func createTemporary(_ table: String, columns: [String], primaryKey: [String]) -> SQLFragment {
        let list = columns.map { "\(name: $0) INTEGER" as SQLFragment }.joined(separator: ", ")
        return """
            CREATE TEMP TABLE IF NOT EXISTS \(name: table) (\(list), \
            PRIMARY KEY (\(names: primaryKey))) WITHOUT ROWID
            """
    }

    package func createTemporaryIndex(_ name: String, on table: String, columns: [String]) -> SQLFragment {
        "CREATE INDEX IF NOT EXISTS temp.\(name: name) ON \(name: table) (\(names: columns))"
    }

    package func dropTemporaryIndex(_ name: String) -> SQLFragment {
        "DROP INDEX IF EXISTS temp.\(name: name)"
    }

    // MARK: Abilities and catalogue

    package var indexesFunctions: Bool { false }
    package var hasRangeTrees: Bool { true }

    package var catalogue: CatalogueQueries {
        CatalogueQueries(
            columns: SQLStatement(
                """
                SELECT m.name, c.name, c.type, c.pk FROM sqlite_master AS m, pragma_table_info(m.name) AS c \
                WHERE m.type = 'table' ORDER BY m.rowid, c.cid
                """),
            indexes: SQLStatement(
                """
                SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL \
                ORDER BY rowid
                """),
            machinery: SQLStatement(
                """
                SELECT type, name, tbl_name, sql FROM sqlite_master WHERE type = 'trigger' \
                OR (type = 'table' AND sql LIKE 'CREATE VIRTUAL TABLE%') ORDER BY rowid
                """),
            triggers: SQLStatement("SELECT name FROM sqlite_master WHERE type = 'trigger'"))
    }
}

extension Scalar {
    fileprivate var sumsWithoutOverflow: Bool {
        switch property?.attribute?.type {
        case .integer16, .integer32, .boolean, .double, .float: true
        default: false
        }
    }
}

/// An identifier as Apple writes it: bare, and quoted only where SQL needs it.
func sqlName(_ name: String) -> String {
    let isPlain = name.utf8.allSatisfy { byte in
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
    guard isPlain, let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first)
    else {
        return quoted(identifier: name)
    }
    return name
}

/// A text as SQL has it in single quotes.
func sqlText(_ text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
