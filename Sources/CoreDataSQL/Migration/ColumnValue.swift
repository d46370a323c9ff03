// What a column of a migrated row holds, in terms of the older row. All names are those of the older version.

import CoreDataSchema

enum ColumnValue: Hashable {
    case null
    case constant(SQLBinding)
    case column(String)
    /// The column, or the value where it is NULL.
    case defaulted(String, SQLBinding)
    /// A plain value as a cell of external storage, and back.
    case framed(String)
    case unframed(String)
    /// The column's numbers in another type, or the value where it is NULL.
    case converted(String, NumericConversion, fallback: SQLBinding?)
    /// Entity numbers.
    case renumbered(String, [Int: Int])
    /// A column of the first row of a table in which another column is the row's Z_PK.
    case lookup(selected: String, table: String, key: String, order: [String])

    /// The column whose place in the row the value may take.
    var column: String? {
        switch self {
        case .column(let name), .defaulted(let name, _), .framed(let name), .unframed(let name),
            .renumbered(let name, _):
            name
        case .converted(let name, let conversion, _):
            SQLiteDialect().columnType(conversion.source)
                == SQLiteDialect().columnType(conversion.destination) ? name : nil
        case .null, .constant, .lookup: nil
        }
    }
}

/// A column of a newer table with its value for rows of each older entity, by Z_ENT. Rows of others have none.
struct ColumnPlan {
    var name: String
    var type: String
    var values: [Int: ColumnValue] = [:]
    /// The older column that becomes this one.
    var kept: String?
}

/// Writes values as SQL, with the names that hold while the migration runs.
struct ColumnWriter {
    let names: MigrationNames
    /// The older table that rows are read from.
    let table: String

    func fragment(_ value: ColumnValue) -> SQLFragment {
        switch value {
        case .null: return "NULL"
        case .constant(let binding): return "\(binding: binding)"
        case .column(let name): return text(column(name))
        case .defaulted(let name, let binding):
            return "IFNULL(\(text(column(name))), \(binding: binding))"
        case .framed(let name):
            let name = column(name)
            return text("CASE WHEN \(name) IS NOT NULL THEN CAST(x'01' || \(name) AS BLOB) END")
        case .unframed(let name): return text("\(MigrationPlan.Function.unframed)(\(column(name)))")
        case .converted(let name, let conversion, let fallback):
            let call = text(conversion.call(on: column(name)))
            return fallback.map { "IFNULL(\(call), \(binding: $0))" } ?? call
        case .renumbered(let name, let numbers): return text(renumbering(column(name), numbers))
        case .lookup(let selected, let source, let key, let order):
            func inner(_ name: String) -> String { "l." + sqlName(names.column(name, of: source)) }
            let list = order.map(inner).joined(separator: ", ")
            return text(
                "(SELECT \(inner(selected)) FROM \(sqlName(names.table(source))) AS l "
                    + "WHERE \(inner(key)) = \(sqlName(names.table(table))).Z_PK ORDER BY \(list) LIMIT 1)")
        }
    }

    /// A column's value for rows of several entities; `rest` for those that it says nothing of.
    func fragment(_ values: [Int: ColumnValue], among numbers: [Int], rest: SQLFragment) -> SQLFragment {
        var groups: [(value: ColumnValue, numbers: [Int])] = []
        for number in values.keys.sorted() {
            guard let value = values[number] else { continue }
            if let position = groups.firstIndex(where: { $0.value == value }) {
                groups[position].numbers.append(number)
            } else {
                groups.append((value, [number]))
            }
        }
        if groups.count == 1, Set(groups[0].numbers) == Set(numbers) { return fragment(groups[0].value) }
        if groups.isEmpty { return rest }
        var result: SQLFragment = "CASE"
        for group in groups {
            result += text(" WHEN Z_ENT IN (\(list(group.numbers))) THEN ") + fragment(group.value)
        }
        return result + " ELSE " + rest + " END"
    }

    private func column(_ name: String) -> String { sqlName(names.column(name, of: table)) }
}

func text(_ sql: String) -> SQLFragment { SQLFragment(stringLiteral: sql) }

func list(_ numbers: some Sequence<Int>) -> String {
    numbers.sorted().map(String.init).joined(separator: ", ")
}

/// Entity numbers of one version as those of another; others stay.
func renumbering(_ column: String, _ numbers: [Int: Int]) -> String {
    let cases = numbers.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value)" }
    return "CASE \(column) \(cases.joined(separator: " ")) ELSE \(column) END"
}
