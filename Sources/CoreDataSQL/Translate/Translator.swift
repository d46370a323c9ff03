// Turns predicate and expression trees into SQL for one statement. Made by `FetchPlanner`, thrown away after.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

/// The facts that a translation needs from outside the trees.
struct TranslationContext {
    var index: ModelIndex
    var layout: StoreLayout
    /// A managed object or object ID as a row of this store; nil for a temporary one or one of another store.
    var key: (ObjectReference) -> ObjectKey?
    /// The name of the entity that an entity's description describes; nil for other objects.
    var entity: (ObjectReference) -> String?
    /// A constant as a transformable attribute stores it.
    var transform: (PropertySchema, Value) throws -> Value
    /// The fetch that the request of a fetch request expression describes.
    var fetch: (ExpressionTree) throws -> FetchDescription
}

/// One translation.
final class Translator {
    /// The place in which the SQL is to stand.
    enum Place {
        /// In a statement of its own.
        case statement
        /// In the condition of an index: columns of one table, no parameters, nothing but plain operators.
        case index
    }

    /// Trees nested deeper than this are refused: they come from outside and are walked by recursion, here and
    /// in the database, whose parser gives up at about 90 open parentheses.
    static let maximumDepth = 80

    let context: TranslationContext
    let place: Place
    let aliases = AliasCounter()

    init(context: TranslationContext, place: Place = .statement) {
        self.context = context
        self.place = place
    }

    /// A new SELECT over an entity's table, and the row that it goes through.
    func root(entity: String) throws(TranslationFailure) -> RowOperand {
        let table = try self.table(of: entity)
        let alias = place == .index ? "" : aliases.make()
        let scope = QueryScope(from: "\(name: table.table) \(alias: alias)", aliases: aliases)
        return RowOperand(
            scope: scope, key: column(table.head.key, alias: alias), entity: entity,
            entityNumber: table.isPolymorphic ? column(table.head.entity, alias: alias) : nil, alias: alias,
            name: "SELF")
    }

    var dialect: any Dialect { context.layout.dialect }

    func table(of entity: String) throws(TranslationFailure) -> EntityTable {
        guard let table = context.layout[entity] else {
            throw TranslationFailure("the store has no table for entity \(entity)")
        }
        return table
    }

    /// `alias.column`, or the bare column where there are no aliases.
    func column(_ name: String, alias: String) -> SQLFragment {
        alias.isEmpty ? "\(name: name)" : "\(alias: alias).\(name: name)"
    }

    /// The alias of the row's table, which is joined if need be.
    func alias(of row: RowOperand) throws(TranslationFailure) -> String {
        if let alias = row.alias { return alias }
        try requireStatement(row.name)
        return row.scope.join(try table(of: row.entity), key: row.key)
    }

    func requireStatement(_ part: String) throws(TranslationFailure) {
        guard place == .statement else {
            throw TranslationFailure(
                "\"\(part)\" can't be in the predicate of an index: only own columns can")
        }
    }
}

/// The meaning of names at one point of a tree.
struct Environment {
    /// `SELF`
    var current: RowOperand
    var variables: [String: Operand] = [:]
    /// Indicates whether `sum:(age)` may compute over the rows of the statement.
    var allowsAggregates = false
    private(set) var depth = 0

    init(current: RowOperand) {
        self.current = current
    }

    func deeper() throws(TranslationFailure) -> Environment {
        guard depth < Translator.maximumDepth else {
            throw TranslationFailure(
                "the predicate is nested more than \(Translator.maximumDepth) levels deep")
        }
        var result = self
        result.depth += 1
        return result
    }
}
