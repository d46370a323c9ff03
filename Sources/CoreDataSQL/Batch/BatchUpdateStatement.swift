// A batch update as one statement.

package import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

/// New values for all rows that a fetch finds.
package struct BatchUpdateDescription: Sendable {
    /// The rows to update; its result makes no difference.
    package var rows: FetchDescription
    /// Columns with what they get, as the store writes it.
    package var constants: [(column: String, value: SQLFragment)] = []
    /// Attributes, by key path, with the expressions that they get.
    package var expressions: [(path: String, tree: ExpressionTree)] = []
    /// Indicates that the statement's result is Z_ENT and Z_PK of each changed row.
    package var returnsKeys = false

    package init(rows: FetchDescription) {
        self.rows = rows
    }
}

extension FetchPlanner {
    /// The statement of a batch update. Every row's Z_OPT rises by one, so that contexts that have it notice.
    ///
    ///     UPDATE ZPERSON AS t0 SET ZAGE = (t0.ZAGE + ?), ZNAME = ?, Z_OPT = IFNULL(t0.Z_OPT, 0) + 1
    ///     WHERE t0.ZLEVEL = ? RETURNING Z_ENT, Z_PK
    package func update(_ description: BatchUpdateDescription) throws(TranslationFailure) -> SQLStatement {
        let entity = description.rows.entityName
        guard let table = context.layout[entity] else {
            throw TranslationFailure("the store has no table for entity \(entity)")
        }
        var settings: [SQLFragment] = []
        for (column, value) in description.constants {
            settings.append("\(name: column) = \(value)")
        }
        for (path, tree) in description.expressions {
            settings.append(try assignment(path, tree: tree, entity: entity))
        }
        let version = table.head.version
        settings.append(
            "\(name: version) = \(context.layout.dialect.next(afterVersion: "t0.\(name: version)"))")
        var text: SQLFragment = "UPDATE \(name: table.table) AS t0 SET \(settings.joined(separator: ", "))"
        text += try clause(choosing: description.rows, in: table)
        if description.returnsKeys { text += table.head.returning }
        return text.statement(in: context.layout.dialect)
    }

    /// The cells of columns that rows of a fetch have, one to a row of the result.
    package func cells(
        _ columns: [String], of rows: FetchDescription
    ) throws(TranslationFailure) -> [SQLStatement] {
        guard let table = context.layout[rows.entityName] else { return [] }
        let keys = try primaryKeys(for: rows)
        return columns.map { column in
            let text: SQLFragment =
                """
                SELECT \(name: column) FROM \(name: table.table) \
                WHERE \(name: column) IS NOT NULL AND \(name: table.head.key) IN (\(keys))
                """
            return text.statement(in: context.layout.dialect)
        }
    }

    /// ZAGE = expression; what goes over relationships stands in a subselect of its own.
    private func assignment(
        _ path: String, tree: ExpressionTree, entity: String
    ) throws(TranslationFailure) -> SQLFragment {
        let direct = Translator(context: context)
        let row = try direct.root(entity: entity)
        let plain = row.scope.select("1")
        let (column, value) = try value(tree, path: path, row: row, translator: direct)
        if row.scope.select("1") == plain { return "\(column) = \(value)" }
        let nested = Translator(context: context)
        _ = nested.aliases.make()
        let inner = try nested.root(entity: entity)
        let (_, joined) = try self.value(tree, path: path, row: inner, translator: nested)
        let select = inner.scope.select(joined, where: "\(inner.key) = \(row.key)")
        return "\(column) = (\(select))"
    }

    private func value(
        _ tree: ExpressionTree, path: String, row: RowOperand, translator: Translator
    ) throws(TranslationFailure) -> (column: SQLFragment, value: SQLFragment) {
        let environment = Environment(current: row)
        guard
            case .scalar(let target) = try translator.follow(
                path, from: .object(row), environment: environment),
            let alias = row.alias
        else { throw TranslationFailure("\"\(path)\" has no column to update") }
        let operand = try translator.operand(tree, outer: environment)
        let value = try translator.scalar(operand, name: "the new value of \(path)")
        guard value.kind.isComparable(with: target.kind) else {
            throw TranslationFailure("\"\(value.name)\" is no value for \"\(path)\"")
        }
        let fitted = fitted(value, kind: target.kind, translator: translator)
        let isOfTheType = value.property?.attribute?.type == target.property?.attribute?.type
        let bounded = isOfTheType ? fitted : bounded(fitted, from: value, for: target)
        return (target.sql.unqualified(by: alias), bounded)
    }

    /// The number, or an error of the database for one that the attribute can't hold.
    private func bounded(_ number: SQLFragment, from value: Scalar, for target: Scalar) -> SQLFragment {
        let dialect = context.layout.dialect
        switch target.property?.attribute?.type {
        case .integer16: return dialect.bounded(number, bits: 16)
        case .integer32: return dialect.bounded(number, bits: 32)
        case .integer64 where value.kind.isNumeric: return dialect.bounded(number, from: value.sql)
        default: return number
        }
    }

    /// Whole numbers for columns of whole numbers: a fraction is cut off.
    private func fitted(_ value: Scalar, kind: ValueKind, translator: Translator) -> SQLFragment {
        switch (kind, value.kind) {
        case (.boolean, .boolean): value.sql
        case (.boolean, _): "(\(value.sql) <> 0)"
        case (.integer, .integer): value.sql
        case (.integer, .boolean): translator.number(value)
        case (.integer, _): translator.dialect.cast(value.sql, to: .whole)
        case (let kind, let other) where kind.isNumeric && other.isNumeric: translator.number(value)
        default: value.sql
        }
    }
}
