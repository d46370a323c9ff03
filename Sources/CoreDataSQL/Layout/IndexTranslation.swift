// Predicates and expressions of fetch indexes as SQL. A file's indexes must work for every program that writes to it,
// so they take columns of one table and the database's own operators only, and constants stand in the text.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

/// Translates what indexes are made of.
struct IndexTranslation {
    private let planner: FetchPlanner

    init(_ index: ModelIndex, layout: StoreLayout) {
        planner = FetchPlanner(
            index: index, layout: layout, key: { _ in nil },
            transform: { property, _ in
                throw TranslationFailure("\"\(property.name)\" is compared with a transformed constant")
            },
            fetch: { _ in throw TranslationFailure("a fetch request stands in an index") })
    }

    /// The reason why an index has no SQL; nil if it has.
    func obstacle(of index: FetchIndexSchema, entity: String) -> String? {
        do {
            for element in index.elements {
                guard case .expression(_, let tree, _) = element.subject else { continue }
                if case .keyPath(.evaluatedObject, _) = tree { continue }
                _ = try planner.indexExpression(tree, entity: entity)
            }
            if let predicate = index.partialPredicate {
                _ = try planner.partialIndexClause(predicate, entity: entity)
            }
            return nil
        } catch {
            return error.reason
        }
    }

    /// The rows that a partial index has.
    func condition(_ predicate: PredicateTree, entity: String, use: String) throws -> String {
        do {
            return try planner.partialIndexClause(predicate, entity: entity)
        } catch {
            throw LayoutFailure(
                entity: entity, "unsupported feature: the predicate of \(use): \(error.reason)")
        }
    }

    /// Returns the SQL of the expression that an index is over.
    func text(of tree: ExpressionTree, name: String, entity: String, use: String) throws -> String {
        do {
            return try planner.indexExpression(tree, entity: entity)
        } catch {
            throw LayoutFailure(
                entity: entity, property: name, "unsupported feature: \(use): \(error.reason)")
        }
    }
}
