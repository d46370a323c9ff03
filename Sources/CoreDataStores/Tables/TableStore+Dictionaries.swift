// Dictionary results: columns as the database holds them, turned into values of the attribute's or expression's type.

import CoreDataPredicate
package import CoreDataSQL
package import CoreDataSchema
package import CoreDataSupport
import Foundation

extension StoreDictionaryFetch {
    fileprivate func description(_ result: FetchDescription.Result) -> FetchDescription {
        var description = fetch.description(result)
        description.groupBy = groupBy
        description.having = having
        description.returnsDistinctResults = isDistinct
        return description
    }
}

extension TableStore {
    /// The statement that counts the rows of a fetch.
    package func countStatement(_ fetch: StoreDictionaryFetch) throws -> SQLStatement {
        try planner().statement(for: fetch.description(.dictionaryCount(fetch.columns)))
    }

    package func fetchDictionaries(_ fetch: StoreDictionaryFetch) throws -> [[Value]] {
        let description = fetch.description(.dictionaries(fetch.columns))
        let planner = planner()
        let readers = try fetch.columns.map { try reader($0, entity: fetch.fetch.entity, planner: planner) }
        return try fetchValues(planner.statement(for: description)).map { row in
            var position = 0
            return try readers.map { reader in
                defer { position += reader.width }
                guard position + reader.width <= row.count else { return .null }
                return try reader.value(row, at: position, store: self)
            }
        }
    }

    private func reader(
        _ column: FetchDescription.DictionaryColumn, entity: EntityRuntime, planner: FetchPlanner
    ) throws -> DictionaryReader {
        let width = try planner.width(of: column, entity: entity.name)
        switch column.source {
        case .objectID: return DictionaryReader(width: width, kind: .objectID(entity))
        case .expression(.keyPath(.evaluatedObject, let path), let type):
            if type == .objectID || type == .undefined, let kind = kind(path, entity: entity) {
                return DictionaryReader(width: width, kind: kind)
            }
            let shown = type == .undefined ? aggregateType(.keyPath(path), entity: entity) : type
            return DictionaryReader(width: width, kind: .value(shown, nil))
        case .expression(_, .objectID): return DictionaryReader(width: width, kind: .objectID(entity))
        case .expression(let tree, .undefined):
            return DictionaryReader(width: width, kind: .value(aggregateType(tree, entity: entity), nil))
        case .expression(_, let type): return DictionaryReader(width: width, kind: .value(type, nil))
        case .keyPath(let path):
            return DictionaryReader(width: width, kind: kind(path, entity: entity) ?? .value(.undefined, nil))
        }
    }

    /// Returns the type that an aggregate without a result type has for the attribute that it is computed over, where the
    /// database's own value doesn't show it: the greatest date is a date, a sum of decimals a decimal.
    private func aggregateType(_ tree: ExpressionTree, entity: EntityRuntime) -> AttributeType {
        guard let (name, path) = aggregate(tree),
            case .value(let type, _)? = kind(path, entity: entity, through: true)
        else { return .undefined }
        return switch (name, type) {
        case ("max:", .date), ("min:", .date): .date
        case ("max:", .decimal), ("min:", .decimal), ("sum:", .decimal), ("average:", .decimal): .decimal
        default: .undefined
        }
    }

    /// The function and the path of `max:(born)`, `@max.born` and `people.@max.born`.
    private func aggregate(_ tree: ExpressionTree) -> (name: String, path: String)? {
        if case .keyPath(.evaluatedObject, let path) = tree {
            guard let found = ExpressionTree.keyPathOperator(path) else { return nil }
            return (found.function, (found.before + found.behind).joined(separator: "."))
        }
        guard let (name, argument) = tree.aggregate, case .keyPath(.evaluatedObject, let path) = argument
        else { return nil }
        return (name, path)
    }

    /// Returns the kind of value at the end of a key path over to-one relationships, for aggregates through to-many ones too.
    private func kind(
        _ path: String, entity: EntityRuntime, through toMany: Bool = false
    ) -> DictionaryReader.Kind? {
        var entity = entity
        var keys = path.split(separator: ".").map(String.init)[...]
        while let key = keys.popFirst() {
            guard let property = entity.property(key) else { return nil }
            switch property.kind {
            case .attribute(let slot): return slot.attribute.map { .value($0.type, $0) }
            case .composite(let slots):
                let name = ([key] + keys).joined(separator: ".")
                return slots.first { $0.name == name }?.attribute.map { .value($0.type, $0) }
            case .toOne(_, let relation):
                entity = relation.destination(in: model)
                if keys.isEmpty { return .objectID(entity) }
            case .toMany(let relation) where toMany: entity = relation.destination(in: model)
            case .toMany, .fetched: return nil
            }
        }
        return nil
    }
}

/// Reads one column of a dictionary result.
private struct DictionaryReader {
    enum Kind {
        case value(AttributeType, AttributeTraits?)
        /// Z_PK, or Z_ENT and Z_PK, of an object of this entity or one below it.
        case objectID(EntityRuntime)
    }

    /// The number of result columns that it takes.
    let width: Int
    let kind: Kind

    func value(_ row: [SQLBinding], at position: Int, store: some TableStore) throws -> Value {
        switch kind {
        case .value(let type, let attribute):
            return try attribute.map { try row[position].value($0, store: store) }
                ?? store.value(row[position], as: type)
        case .objectID(let declared):
            guard case .integer(let key) = row[position + width - 1] else { return .null }
            var entity = declared
            if width == 2, case .integer(let number) = row[position] {
                entity = Int(exactly: number).flatMap { store.entities[$0] } ?? declared
            }
            return .object(ObjectReference(store.host.reference(to: entity, primaryKey: key)))
        }
    }
}

extension SQLBinding {
    /// A stored value of an attribute. Throws if the file of an external value can't be read.
    fileprivate func value(_ attribute: AttributeTraits, store: some TableStore) throws -> Value {
        guard case .blob(let bytes) = self else { return store.value(self, as: attribute.type) }
        if attribute.type == .transformable {
            guard
                let object = try store.host.decode(bytes, attribute: attribute, entity: "", property: "")
            else { return .null }
            return .object(ObjectReference(object as AnyObject))
        }
        guard attribute.type == .binaryData, attribute.allowsExternalBinaryDataStorage else {
            return store.value(self, as: attribute.type)
        }
        return .data(try store.externalData(bytes))
    }

    /// A stored or computed value of a type; what doesn't fit the type stays as SQLite has it.
    package func value(_ type: AttributeType) -> Value {
        switch (type, self) {
        case (_, .null): .null
        case (.boolean, .integer(let number)): .bool(number != 0)
        case (.date, .integer(let seconds)): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
        case (.date, .double(let seconds)): .date(Date(timeIntervalSinceReferenceDate: seconds))
        case (.double, .integer(let number)), (.float, .integer(let number)): .double(Double(number))
        case (.decimal, .integer(let number)): .decimal(Decimal(number))
        case (.decimal, .double(let number)): Self.decimal("\(number)")
        case (.decimal, .text(let text)): Self.decimal(text)
        case (.integer16, .double(let number)), (.integer32, .double(let number)),
            (.integer64, .double(let number)):
            Int64(exactly: number.rounded(.towardZero)).map(Value.integer) ?? .double(number)
        case (.uuid, .blob(let bytes)): Self.uuid(bytes)
        case (.uri, .text(let text)): URL(string: text).map(Value.url) ?? .null
        case (_, .integer(let number)): .integer(number)
        case (_, .double(let number)): .double(number)
        case (_, .text(let text)): .string(text)
        case (_, .blob(let bytes)): .data(bytes)
        }
    }

    private static func decimal(_ text: String) -> Value {
        Double(text)?.isFinite == true ? Decimal(string: text).map(Value.decimal) ?? .null : .null
    }

    private static func uuid(_ bytes: Data) -> Value {
        guard bytes.count == 16 else { return .null }
        return .uuid(UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
    }
}
