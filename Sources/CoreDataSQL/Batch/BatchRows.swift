// The rows of a batch, as the WHERE clause of the statement that changes them.

import CoreDataPredicate
import CoreDataSchema

extension FetchPlanner {
    /// The deletion of the rows of a fetch.
    ///
    ///     DELETE FROM ZPERSON AS t0 WHERE t0.ZAGE > ? RETURNING Z_ENT, Z_PK
    package func deletion(
        of rows: FetchDescription, returnsKeys: Bool
    ) throws(TranslationFailure) -> SQLStatement {
        guard let table = context.layout[rows.entityName] else {
            throw TranslationFailure("the store has no table for entity \(rows.entityName)")
        }
        var text: SQLFragment =
            "DELETE FROM \(name: table.table) AS t0\(try clause(choosing: rows, in: table))"
        if returnsKeys { text += table.head.returning }
        return text.statement(in: context.layout.dialect)
    }

    /// ` WHERE …` for a statement that changes the table as t0; nothing where all rows are meant. A condition on the
    /// row's own columns stands there itself: keys from a subselect would be gathered and looked up.
    func clause(
        choosing rows: FetchDescription, in table: EntityTable
    ) throws(TranslationFailure) -> SQLFragment {
        let translator = Translator(context: context)
        let row = try translator.root(entity: rows.entityName)
        let own = row.scope.from
        var plan = SelectPlan(rows, translator: translator)
        plan.usesRangeTrees = false
        let keys = try plan.select([row.key], from: row)
        if isAll(rows, table: table) { return "" }
        guard row.scope.from == own, rows.limit <= 0, rows.offset <= 0 else {
            return " WHERE t0.\(name: table.head.key) IN (\(keys))"
        }
        return " WHERE " + row.scope.conditions.joined(separator: " AND ")
    }

    private func isAll(_ rows: FetchDescription, table: EntityTable) -> Bool {
        (rows.predicate == nil || rows.predicate == .constant(true)) && rows.limit <= 0 && rows.offset <= 0
            && (!table.isPolymorphic || rows.includesSubentities && table.entityName == table.rootName)
    }
}
