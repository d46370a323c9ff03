// The columns that a fetch of dictionaries returns.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension FetchRequestFields {
    /// Indicates that the request's dictionaries needn't be one for each object.
    var combinesRows: Bool {
        guard resultType == .dictionaryResultType else { return false }
        return returnsDistinctResults || propertiesToGroupBy?.isEmpty == false
            || propertiesToFetch?.contains { $0 is NSExpressionDescription } == true
    }
}

extension ResolvedFetch {
    /// The question for the stores that a fetch of dictionaries is.
    func dictionaryRequest() throws -> StoreDictionaryFetch {
        StoreDictionaryFetch(
            fetch: storeFetch, columns: try columns(fields.propertiesToFetch),
            groupBy: try fields.propertiesToGroupBy.map { try columns($0) } ?? [],
            having: fields.havingPredicate?.tree, isDistinct: fields.returnsDistinctResults)
    }

    /// The properties that a dictionary fetch returns: attributes unless the request says otherwise.
    func columns(_ wanted: [Any]?) throws -> [FetchDescription.DictionaryColumn] {
        guard let wanted, !wanted.isEmpty else {
            return entity.properties.filter { $0.isAttribute && !$0.schema.isTransient }
                .flatMap { property -> [FetchDescription.DictionaryColumn] in
                    if case .composite(let slots) = property.kind {
                        return slots.map { .init(name: $0.name, source: .keyPath($0.name)) }
                    }
                    return [.init(name: property.name, source: .keyPath(property.name))]
                }
        }
        return try wanted.flatMap { wanted in
            if let description = wanted as? NSExpressionDescription { return [try column(description)] }
            let name = try name(of: wanted)
            let elements = elements(at: name)
            return elements.isEmpty
                ? [try column(named: name)] : elements.map { .init(name: $0, source: .keyPath($0)) }
        }
    }

    /// The composite attributes that are asked for as a whole, and which of the columns are there for their sake only.
    func composites() throws -> (names: [String], columns: Set<String>) {
        let wanted = try (fields.propertiesToFetch ?? []).filter { !($0 is NSExpressionDescription) }
            .map { try name(of: $0) }
        let names = wanted.filter { !elements(at: $0).isEmpty }
        return (names, Set(names.flatMap(elements)).subtracting(wanted))
    }

    private func name(of wanted: Any) throws -> String {
        switch wanted {
        case let name as String: return name
        case let property as NSPropertyDescription: return entity.description.path(of: property)
        case let keyPath as AnyKeyPath: return try KeyPathNames.path(keyPath)
        default:
            throw RequestErrors.wrong("invalid item in propertiesToFetch: \(wanted)", entity: entity.name)
        }
    }

    /// The key paths of a composite attribute's elements; none if the path leads elsewhere.
    private func elements(at path: String) -> [String] {
        var entity = entity
        var rest = path.split(separator: "." as Character).map(String.init)[...]
        var passed = ""
        while let key = rest.popFirst() {
            switch entity.property(key)?.kind {
            case .composite(let slots)?:
                let prefix = ([key] + rest).joined(separator: ".") + "."
                return slots.map(\.name).filter { $0.hasPrefix(prefix) }.map { passed + $0 }
            case .toOne(_, let relation)?:
                entity = relation.destination(in: entity.model)
                passed += key + "."
            default: return []
            }
        }
        return []
    }

    private func column(_ description: NSExpressionDescription) throws -> FetchDescription.DictionaryColumn {
        guard let expression = description.expression else {
            throw RequestErrors.wrong(
                "expression description \"\(description.name)\" has no expression", entity: entity.name,
                property: description.name)
        }
        if case .evaluatedObject = expression.tree { return .init(name: description.name, source: .objectID) }
        let type = AttributeType(rawValue: description.expressionResultType.rawValue) ?? .undefined
        return .init(name: description.name, source: .expression(expression.tree, resultType: type))
    }

    private func column(named name: String) throws -> FetchDescription.DictionaryColumn {
        if name == "objectID" || name == "self" || name == "SELF" {
            return .init(name: name, source: .objectID)
        }
        try requireOneValue(name)
        return .init(name: name, source: .keyPath(name))
    }

    /// Refuses the path to a property that no row has one value of, for stores in memory as well.
    private func requireOneValue(_ path: String) throws {
        var entity = entity
        for key in path.split(separator: "." as Character).map(String.init) {
            guard let property = entity.property(key) else {
                if entity === self.entity { throw RequestErrors.unknown(path, entity: entity) }
                return
            }
            if property.schema.isTransient { throw unfetchable(path, kind: "transient property") }
            switch property.kind {
            case .toOne(_, let relation): entity = relation.destination(in: entity.model)
            case .toMany: throw unfetchable(path, kind: "to-many relationship")
            case .fetched: throw unfetchable(path, kind: "fetched property")
            default: return
            }
        }
    }

    private func unfetchable(_ name: String, kind: String) -> NSError {
        RequestErrors.wrong(
            "\(kind) \"\(name)\" can't be among the properties to fetch", entity: entity.name, property: name)
    }
}
