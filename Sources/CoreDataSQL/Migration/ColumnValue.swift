// The contents of a column of a migrated row, in terms of the older row. All names are
// those of the older version.

import CoreDataSchema

enum ColumnValue: Hashable {
    case null
    case constant(SQLFragment)
    case column(String)
    /// The column, or the value where it is NULL.
    case defaulted(String, SQLFragment)
    /// A plain value as a cell of external storage, and back.
    case framed(String)
    case unframed(String)
    /// The column's numbers in another type, or the value where it is NULL.
    case converted(String, NumericConversion, fallback: SQLFragment?)
    /// Entity numbers.
    case renumbered(String, [Int: Int])
    /// A column of the first row of a table in which another column is the row's Z_PK.
    case lookup(selected: String, table: String, key: String, order: [String])

    /// Indicates whether it is read from other rows.
    var isElsewhere: Bool {
        if case .lookup = self { true } else { false }
    }

    /// The column whose place in the row the value may take.
    func column(in dialect: any Dialect) -> String? {
        switch self {
        case .column(let name), .defaulted(let name, _), .framed(let name), .unframed(let name),
            .renumbered(let name, _):
            name
        case .converted(let name, let conversion, _):
            dialect.columnType(conversion.source) == dialect.columnType(conversion.destination) ? name : nil
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
    /// The value that the column has in all rows as soon as it is added.
    var filling: SQLFragment?
}

/// Writes values as SQL, with the names that hold while the migration runs.
struct ColumnWriter {
    let names: MigrationNames
    /// The older table that rows are read from.
    let table: String
    let form: StoreForm

    func fragment(_ value: ColumnValue) -> SQLFragment {
        switch value {
        case .null: return "NULL"
        case .constant(let value): return value
        case .column(let name): return column(name)
        case .defaulted(let name, let value): return form.dialect.ifNull(column(name), and: value)
        case .framed(let name):
            let name = column(name)
            return "CASE WHEN \(name) IS NOT NULL THEN CAST(x'01' || \(name) AS BLOB) END"
        case .unframed(let name): return "\(sql: MigrationPlan.Function.unframed)(\(column(name)))"
        case .converted(let name, let conversion, let fallback):
            let number = form.dialect.converted(column(name), by: conversion)
            return fallback.map { form.dialect.ifNull(number, and: $0) } ?? number
        case .renumbered(let name, let numbers): return renumbering(column(name), numbers: numbers)
        case .lookup(let selected, let source, let key, let order):
            func inner(_ name: String) -> SQLFragment { "l.\(name: names.column(name, of: source))" }
            let terms = order.map { form.dialect.order(inner($0), ascending: true, isKey: false) }
            return """
                (SELECT \(inner(selected)) FROM \(name: names.table(source)) AS l WHERE \(inner(key)) = \
                \(name: names.table(table)).\(name: form.naming.head.key) \
                ORDER BY \(terms.joined(separator: ", ")) LIMIT 1)
                """
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
        // A choice of nothing but NULL would have no type on a server.
        let others = groups.filter { fragment($0.value) != rest }
        if others.isEmpty { return rest }
        var result: SQLFragment = "CASE"
        for group in others {
            let entity = form.naming.head.entity
            result +=
                " WHEN \(name: entity) IN (\(numbers: group.numbers.sorted())) THEN " + fragment(group.value)
        }
        return result + " ELSE " + rest + " END"
    }

    private func column(_ name: String) -> SQLFragment { SQLFragment(name: names.column(name, of: table)) }
}

/// Entity numbers of one version as those of another; others stay.
func renumbering(_ column: SQLFragment, numbers: [Int: Int]) -> SQLFragment {
    let cases = numbers.sorted { $0.key < $1.key }.map { "WHEN \($0.key) THEN \($0.value)" }
    return "CASE \(column) \(sql: cases.joined(separator: " ")) ELSE \(column) END"
}
