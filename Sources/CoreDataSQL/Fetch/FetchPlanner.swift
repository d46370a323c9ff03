// Turns a fetch into SQL. Called by the SQL stores for fetches, by batch operations for their predicates and
// by the layout for the conditions of indexes.

package import CoreDataPredicate
package import CoreDataSchema
package import CoreDataSupport

/// Plans fetches against one store.
package struct FetchPlanner {
    let context: TranslationContext

    /// - Parameters:
    ///   - key: a managed object or object ID as a row of this store; nil for a temporary one or one of
    ///     another store, which then equals nothing.
    ///   - entity: the name of the entity that is compared with the `entity` of rows; nil for other objects.
    ///   - transform: a constant compared with a transformable attribute as the attribute stores it.
    ///   - fetch: what the request of a fetch request expression fetches.
    package init(
        index: ModelIndex, layout: StoreLayout, key: @escaping (ObjectReference) -> ObjectKey?,
        entity: @escaping (ObjectReference) -> String? = { _ in nil },
        transform: @escaping (PropertySchema, Value) throws -> Value,
        fetch: @escaping (ExpressionTree) throws -> FetchDescription
    ) {
        context = TranslationContext(
            index: index, layout: layout, key: key, entity: entity, transform: transform, fetch: fetch)
    }

    /// The statement of a fetch; its columns are as `FetchDescription.Result` says.
    package func statement(
        for description: FetchDescription
    ) throws(TranslationFailure) -> SQLStatement {
        try SelectPlan(description, translator: Translator(context: context)).fragment()
            .statement(in: context.layout.dialect)
    }

    /// `SELECT t0.Z_PK FROM … WHERE …` for the rows of a fetch, to stand after `IN` in a batch operation.
    package func primaryKeys(
        for description: FetchDescription
    ) throws(TranslationFailure) -> SQLFragment {
        var plan = SelectPlan(description, translator: Translator(context: context))
        plan.usesRangeTrees = false
        return try plan.primaryKeys()
    }

    /// A predicate as a condition on the columns of the entity's own table, unqualified: it can stand in any
    /// statement over that table. Predicates that need other tables are refused.
    package func predicate(
        _ predicate: PredicateTree, entity: String
    ) throws(TranslationFailure) -> SQLFragment {
        let translator = Translator(context: context, place: .index)
        let row = try translator.root(entity: entity)
        return try translator.condition(predicate, outer: Environment(current: row))
    }

    /// A predicate as the WHERE clause of `CREATE INDEX`, with its values as literals.
    package func partialIndexClause(
        _ predicate: PredicateTree, entity: String
    ) throws(TranslationFailure) -> String {
        try self.predicate(predicate, entity: entity).inlined(in: context.layout.dialect)
    }

    /// A value computed from a row's own columns as an index may hold it, in the form that fetches ask for it.
    package func indexExpression(
        _ tree: ExpressionTree, entity: String
    ) throws(TranslationFailure) -> String {
        let translator = Translator(context: context, place: .index)
        let row = try translator.root(entity: entity)
        let operand = try translator.operand(tree, outer: Environment(current: row))
        return try translator.scalar(operand, name: tree.format).sql.inlined(in: context.layout.dialect)
    }

    /// Returns the number of values that a column of a dictionary result takes: two (Z_ENT, then Z_PK) for
    /// the object itself and for a relationship whose target's entity can vary, else one.
    package func width(
        of column: FetchDescription.DictionaryColumn, entity: String
    ) throws(TranslationFailure) -> Int {
        let translator = Translator(context: context)
        let plan = SelectPlan(FetchDescription(entityName: entity, result: .keys), translator: translator)
        return try plan.column(column, row: try translator.root(entity: entity)).parts.count
    }
}
