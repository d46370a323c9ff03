// Fetch requests as the planner takes them.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import Foundation

extension FetchDescription {
    /// Describes the results of a request: keys, a count, or dictionaries of the properties that it names.
    init(fields: FetchRequestFields) throws {
        guard let name = fields.entityName else {
            throw TranslationFailure("the fetch request has no entity")
        }
        self.init(entityName: name, result: .keys)
        if fields.resultType == .countResultType { result = .count }
        if fields.resultType == .dictionaryResultType, let properties = fields.propertiesToFetch {
            result = .dictionaries(try properties.map(DictionaryColumn.init(property:)))
        }
        includesSubentities = fields.includesSubentities
        predicate = fields.predicate?.tree
        sortKeys = try (fields.sortDescriptors ?? []).map { descriptor in
            guard let key = try descriptor.resolvedSortKey() else {
                throw TranslationFailure("a sort descriptor with a closure can't be sorted by in the store")
            }
            return key
        }
        limit = fields.fetchLimit
        offset = fields.fetchOffset
        groupBy = try (fields.propertiesToGroupBy ?? []).map(DictionaryColumn.init(property:))
        having = fields.havingPredicate?.tree
        returnsDistinctResults = fields.returnsDistinctResults
    }
}

extension FetchDescription.DictionaryColumn {
    /// A name, a property description or an expression description of `propertiesToFetch`.
    init(property: Any) throws {
        switch property {
        case let name as String: self.init(name: name, source: .keyPath(name))
        case let keyPath as AnyKeyPath:
            let name = try KeyPathNames.path(keyPath)
            self.init(name: name, source: .keyPath(name))
        case let column as NSExpressionDescription:
            guard let expression = column.expression else {
                throw TranslationFailure("the expression description \"\(column.name)\" has no expression")
            }
            let tree = expression.tree
            if tree == .evaluatedObject, column.expressionResultType == .objectIDAttributeType {
                self.init(name: column.name, source: .objectID)
            } else {
                let type = AttributeType(rawValue: column.expressionResultType.rawValue) ?? .undefined
                self.init(name: column.name, source: .expression(tree, resultType: type))
            }
        case let column as NSPropertyDescription: self.init(name: column.name, source: .keyPath(column.name))
        default: throw TranslationFailure("propertiesToFetch holds \(property), which isn't a property")
        }
    }
}
