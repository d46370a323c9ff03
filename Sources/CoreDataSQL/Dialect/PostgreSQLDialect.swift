// PostgreSQL: its own types, numbered parameters with their types, lists as arrays, nil before all values. Texts compare
// by bytes, as their columns have the collation "C". Anything that the database has no function for that gives the same answers
// is a function in a schema of ours (`PostgreSQLFunctions`), or is refused.

package import CoreDataSchema
package import CoreDataSupport
import Foundation

/// The SQL of a database server of PostgreSQL 14 and later, with UTF-8 as its encoding.
package struct PostgreSQLDialect: Dialect {
    /// The schema of our functions.
    package let functions: String

    package init(functions: String = "coredata") {
        self.functions = functions
    }

    package var databaseName: String { "PostgreSQL" }

    // MARK: Spelling

    /// Always in quotes: which words are reserved differs between versions.
    package func name(_ name: String) -> String { quoted(identifier: name) }

    package func parameter(_ number: Int, for value: SQLBinding?, as type: SQLParameterType) -> String {
        switch (type, value) {
        case (.named(let type), _): "$\(number)::\(type)"
        case (.ofPlace, _), (.ofValue, .null?), (.ofValue, nil): "$\(number)"
        case (.ofValue, let value?): "$\(number)::\(Self.typeName(value))"
        }
    }

    private static func typeName(_ value: SQLBinding) -> String {
        switch value {
        case .integer: "bigint"
        case .double: "double precision"
        case .text, .null: "text"
        case .blob: "bytea"
        }
    }

    package func literal(_ value: SQLBinding, as type: SQLParameterType) -> String {
        guard let text = Self.text(value) else { return "NULL" }
        switch type {
        case .named(let type): return "\(sqlText(text))::\(type)"
        case .ofValue, .ofPlace: return "\(sqlText(text))::\(Self.typeName(value))"
        }
    }

    /// A value as the server reads it; `nil` for NULL.
    package static func text(_ value: SQLBinding) -> String? {
        switch value {
        case .null: return nil
        case .integer(let number): return String(number)
        case .double(let number): return text(number)
        case .text(let text): return text
        case .blob(let bytes): return "\\x" + bytes.hexadecimal
        }
    }

    private static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        return String(number)
    }

    // MARK: Types and values

    package func columnType(_ type: AttributeType) -> String {
        switch type {
        case .integer16, .integer32, .integer64: "bigint"
        case .boolean: "boolean"
        case .double, .float: "double precision"
        case .date: "timestamptz"
        case .decimal: "numeric"
        case .string, .uri: "text COLLATE \"C\""
        case .uuid: "uuid"
        case .transformable, .binaryData, .undefined, .objectID, .composite: "bytea"
        }
    }

    package var keyType: String { "bigint" }
    package var primaryKeyType: String { "bigint PRIMARY KEY" }
    package var keepsFiles: Bool { false }

    package func constant(_ value: Value) -> SQLConstant? {
        func constant(_ binding: SQLBinding, _ type: String) -> SQLConstant {
            SQLConstant(value, binding: binding, sql: SQLFragment(binding: binding, as: .named(type)))
        }
        switch value {
        case .bool(let flag): return constant(.integer(flag ? 1 : 0), "boolean")
        // Equal to nothing and neither above nor below anything, as NULL is; the server's own NaN is above all numbers.
        case .decimal(let number):
            return constant(number.isFinite ? .text(number.description) : .null, "numeric")
        case .uuid(let uuid): return constant(.text(uuid.uuidString.lowercased()), "uuid")
        case .date(let date):
            guard let known = Self.known(date.timeIntervalSinceReferenceDate) else {
                return constant(.null, "timestamptz")
            }
            let seconds = SQLBinding.double(known)
            return SQLConstant(
                value, binding: seconds, sql: self.value(SQLFragment(binding: seconds), of: .date))
        case .null, .integer, .double, .string, .data, .url, .array, .set, .dictionary, .object:
            return SQLBinding(value).map { SQLConstant(value, binding: $0) }
        }
    }

    /// The seconds from 2001 of the first date that the server knows, and of the first behind the last one.
    package static let dates = -211_845_110_400.0..<9_223_339_708_800.0

    /// The seconds of a date that the server knows: one before or after all of those is infinitely far. `nil` for none at all.
    private static func known(_ seconds: Double) -> Double? {
        if seconds.isNaN { return nil }
        if dates.contains(seconds) { return seconds }
        return seconds < 0 ? -.infinity : .infinity
    }

    /// The server compares whole numbers with doubles as doubles, which have no more than 53 bits of them.
    package func constant(_ value: Value, against kind: ValueKind) -> SQLConstant? {
        switch (kind, value) {
        case (.integer, .double(let number)) where number.isFinite && number == number.rounded():
            if let whole = Int64(exactly: number) { return constant(.integer(whole)) }
            // Outside of 64 bits any number is as far away as the exact one.
            return SQLConstant(
                value, binding: .text(String(number)),
                sql: SQLFragment(binding: .text(String(number)), as: .named("numeric")))
        case (.real, .integer(let number)) where number.magnitude <= 1 << 53:
            return constant(.double(Double(number)))
        default:
            return constant(value)
        }
    }

    package func comparable(_ left: Scalar, _ right: Scalar) -> (left: SQLFragment, right: SQLFragment) {
        func side(_ scalar: Scalar, _ other: Scalar) -> SQLFragment {
            let sql = number(scalar.sql, of: scalar.kind)
            let isRounded = scalar.kind == .real && other.kind == .integer && !scalar.isConstant
            return isRounded ? own("exact", arguments: [sql]) : sql
        }
        return (side(left, right), side(right, left))
    }

    package func number(_ sql: SQLFragment, of kind: ValueKind) -> SQLFragment {
        switch kind {
        case .boolean: "CAST(\(sql) AS integer)"
        case .date: "CAST(EXTRACT(EPOCH FROM \(sql)) - \(sql: Self.epoch) AS double precision)"
        default: sql
        }
    }

    package func value(_ number: SQLFragment, of kind: ValueKind) -> SQLFragment {
        switch kind {
        case .boolean: "(\(number) <> 0)"
        case .date: "to_timestamp(\(number) + \(sql: Self.epoch))"
        default: number
        }
    }

    /// A date before or after all that the server knows is before or after all others.
    package func computed(_ number: SQLFragment, of kind: ValueKind) -> SQLFragment {
        kind == .date ? own("moment", arguments: [number]) : value(number, of: kind)
    }

    /// Seconds from 1970 to 2001.
    static let epoch = "978307200"

    package func cast(_ sql: SQLFragment, to cast: SQLCast) -> SQLFragment {
        switch cast {
        case .real: "CAST(\(sql) AS double precision)"
        case .whole: "CAST(trunc(\(sql)) AS bigint)"
        case .text: "CAST(\(sql) AS text)"
        case .decimal: "CAST(\(own("leading_number", arguments: [sql])) AS numeric)"
        }
    }

    package func bounded(_ number: SQLFragment, bits: Int) -> SQLFragment {
        "CAST(CAST(\(number) AS \(sql: bits == 16 ? "smallint" : "integer")) AS bigint)"
    }

    /// The server refuses what doesn't fit by itself.
    package func bounded(_ number: SQLFragment, from value: SQLFragment) -> SQLFragment {
        "CAST(\(number) AS bigint)"
    }

    package var falsehood: SQLFragment { "FALSE" }
    package var truth: SQLFragment { "TRUE" }

    // MARK: Comparisons and arithmetic

    package func same(_ left: SQLFragment, and right: SQLFragment) -> SQLFragment {
        "\(left) IS NOT DISTINCT FROM \(right)"
    }

    package func different(_ left: SQLFragment, and right: SQLFragment) -> SQLFragment {
        "\(left) IS DISTINCT FROM \(right)"
    }

    /// A number divided by zero is nil. Whole numbers that leave 64 bits go on as numeric ones, and doubles that leave theirs as
    /// infinite ones or zero: the server's own operators fail, and the whole fetch with them.
    package func arithmetic(
        _ op: SQLOperator, left: SQLFragment, right: SQLFragment, of kind: ValueKind
    ) -> SQLFragment {
        switch (op, kind) {
        case (.add, .integer), (.subtract, .integer), (.multiply, .integer):
            "(CAST(\(left) AS numeric) \(sql: op.rawValue) \(right))"
        case (.divide, .integer): "div(CAST(\(left) AS numeric), NULLIF(\(right), 0))"
        case (.add, .real): own("plus", arguments: [left, right])
        case (.subtract, .real): own("plus", arguments: [left, "-CAST(\(right) AS double precision)"])
        case (.multiply, .real): own("times", arguments: [left, right])
        case (.divide, .real): own("quotient", arguments: [left, right])
        case (.divide, _), (.remainder, _): "(\(left) \(sql: op.rawValue) NULLIF(\(right), 0))"
        case (.shiftLeft, _): own("shift_left", arguments: [left, right])
        case (.shiftRight, _): own("shift_right", arguments: [left, right])
        case (.add, _), (.subtract, _), (.multiply, _), (.and, _), (.or, _):
            "(\(left) \(sql: op.rawValue) \(right))"
        }
    }

    package func ifNull(_ value: SQLFragment, and other: SQLFragment) -> SQLFragment {
        "COALESCE(\(value), \(other))"
    }

    /// The server's planner decides for itself.
    package func unindexed(_ sql: SQLFragment, of kind: ValueKind) -> SQLFragment { sql }

    // MARK: Lists

    /// column = ANY($1)
    package func membership(
        _ sql: SQLFragment, of kind: ValueKind, list: [SQLConstant], isInline: Bool
    ) -> SQLFragment {
        let isTruth = list.allSatisfy { if case .bool = $0.value { true } else { false } }
        let sql = kind == .boolean && !isTruth ? number(sql, of: kind) : sql
        if isInline { return "\(sql) IN (\(list.map(\.sql).joined(separator: ", ")))" }
        let array = PostgreSQLArray(list, isTruth: isTruth && kind == .boolean)
        let parameter = SQLFragment(binding: .text(array.text), as: .named(array.type + "[]"))
        guard array.holdsSeconds else { return "\(sql) = ANY(\(parameter))" }
        return "\(sql) IN (SELECT \(value("v", of: .date)) FROM unnest(\(parameter)) AS v)"
    }

    package func oneOfKeys(_ count: Int) -> SQLFragment { "= ANY(\(slot: .named("bigint[]")))" }

    // MARK: Order and window

    package func order(_ sql: SQLFragment, ascending: Bool, isKey: Bool) -> SQLFragment {
        let direction = ascending ? "" : " DESC"
        let nulls = isKey ? "" : ascending ? " NULLS FIRST" : " NULLS LAST"
        return "\(sql)\(sql: direction + nulls)"
    }

    package func indexTerm(_ sql: SQLFragment, isColumn: Bool, ascending: Bool) -> SQLFragment {
        let sql: SQLFragment = isColumn ? sql : "(\(sql))"
        return order(sql, ascending: ascending, isKey: false)
    }

    package var allowsLooseColumns: Bool { false }

    package var bindsLimits: Bool { false }

    package func window(limit: Int, offset: Int) -> SQLFragment {
        // In the text: for a limit that it doesn't know the server would plan at each run.
        let first: SQLFragment = limit > 0 ? " LIMIT \(number: limit)" : ""
        return offset > 0 ? first + " OFFSET \(binding: .integer(Int64(offset)))" : first
    }

    package func table(of statement: SQLFragment) -> SQLFragment { "(\(statement)) AS s" }

    // MARK: Writing

    package var fillsAddedColumns: Bool { true }

    package func insertIfAbsent(_ body: SQLFragment) -> SQLFragment {
        "INSERT INTO \(body) ON CONFLICT DO NOTHING"
    }

    package var rowLock: SQLFragment { " FOR UPDATE" }

    package func temporaryName(_ table: String) -> SQLFragment { "pg_temp.\(name: table)" }

    /// Behind a pooler the next transaction may have another connection.
    package func createTemporary(_ table: String, columns: [String], primaryKey: [String]) -> SQLFragment {
        let list = columns.map { "\(name: $0) bigint" as SQLFragment }.joined(separator: ", ")
        return """
            CREATE TEMP TABLE IF NOT EXISTS \(name: table) (\(list), PRIMARY KEY (\(names: primaryKey))) \
            ON COMMIT DROP
            """
    }

    package func createTemporaryIndex(_ name: String, on table: String, columns: [String]) -> SQLFragment {
        "CREATE INDEX IF NOT EXISTS \(name: name) ON \(temporaryName(table)) (\(names: columns))"
    }

    package func dropTemporaryIndex(_ name: String) -> SQLFragment {
        "DROP INDEX IF EXISTS pg_temp.\(name: name)"
    }

    package var indexesFunctions: Bool { true }
    package var hasRangeTrees: Bool { false }
}

/// Many values as one array, in the text form that the server reads.
struct PostgreSQLArray {
    let text: String
    let type: String
    /// Indicates whether the values are dates, as seconds.
    private(set) var holdsSeconds = false

    /// - Parameter isTruth: whether all are truth values that are compared with such.
    init(_ list: [SQLConstant], isTruth: Bool) {
        type = isTruth ? "boolean" : Self.elementType(list.map(\.value))
        if case .date? = list.first?.value { holdsSeconds = true }
        let elements = list.map { constant -> String in
            guard let text = PostgreSQLDialect.text(constant.binding) else { return "NULL" }
            return "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
        }
        text = "{" + elements.joined(separator: ",") + "}"
    }

    /// One type that holds all values; numbers of several types are exact as decimals.
    private static func elementType(_ values: [Value]) -> String {
        let types = Set(values.map(typeName))
        return types.count == 1 ? types.first ?? "text" : "numeric"
    }

    private static func typeName(_ value: Value) -> String {
        switch value {
        case .bool, .integer: "bigint"
        case .double, .date: "double precision"
        case .decimal: "numeric"
        case .data: "bytea"
        case .uuid: "uuid"
        case .string, .url, .null, .array, .set, .dictionary, .object: "text"
        }
    }
}
