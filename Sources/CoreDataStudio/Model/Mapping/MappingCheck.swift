// The faults and doubtful points of a mapping model.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

/// A finding.
package struct MappingCheck: Sendable, Hashable, Encodable {
    package let severity: ModelCheck.Severity
    package let message: String
    /// The mapping's place; nil for the mapping model as a whole.
    package let mapping: Int?
    /// The mapping's field or the property.
    package var field: String?
    package var property: String?

    /// All findings, errors first.
    package static func checks(of draft: MappingDraft) -> [MappingCheck] {
        guard let source = draft.source, let destination = draft.destination else { return [] }
        var checker = MappingChecker(draft, source: ModelIndex(source), destination: ModelIndex(destination))
        checker.check()
        let order: [ModelCheck.Severity] = [.error, .warning, .note]
        return order.flatMap { severity in checker.found.filter { $0.severity == severity } }
    }
}

private struct MappingChecker {
    let draft: MappingDraft
    let source: ModelIndex
    let destination: ModelIndex
    var found: [MappingCheck] = []
    private static let variables: Set<String> = [
        "source", "destination", "manager", "entityMapping", "propertyMapping", "entityPolicy",
    ]

    init(_ draft: MappingDraft, source: ModelIndex, destination: ModelIndex) {
        (self.draft, self.source, self.destination) = (draft, source, destination)
    }

    mutating func check() {
        let mappings = draft.mapping.entityMappings
        for (place, entity) in mappings.enumerated() { check(entity, at: place) }
        let used = Set(mappings.compactMap(\.sourceEntityName))
        for name in source.entityNames
        where !used.contains(name) && source.entity(name)?.schema.isAbstract == false {
            found.append(
                MappingCheck(
                    severity: .warning,
                    message:
                        "No mapping begins at \(name): its objects are dropped. A mapping to nothing says so.",
                    mapping: nil))
        }
    }

    private mutating func add(
        _ severity: ModelCheck.Severity, message: String, place: Int, field: String? = nil,
        property: String? = nil
    ) {
        found.append(
            MappingCheck(
                severity: severity, message: message, mapping: place, field: field, property: property))
    }

    private mutating func check(_ entity: EntityMappingSchema, at place: Int) {
        if let name = entity.sourceEntityName, source.entity(name) == nil {
            add(.error, message: "The older model has no entity \"\(name)\".", place: place, field: "source")
        }
        if let name = entity.destinationEntityName, destination.entity(name) == nil {
            add(
                .error, message: "The newer model has no entity \"\(name)\".", place: place,
                field: "destination")
        }
        if draft.mapping.entityMappings.filter({ $0.name == entity.name }).count > 1 {
            add(.error, message: "Another mapping has this name.", place: place, field: "name")
        }
        if let filter = entity.filter, !filter.isEmpty, let tree = try? PredicateParser.predicate(filter) {
            for path in tree.sourcePaths {
                if let problem = problem(of: path, in: source, entity.sourceEntityName) {
                    add(.warning, message: problem, place: place, field: "filter")
                }
            }
        }
        if entity.policyClassName != nil {
            add(
                .note,
                message: "The policy's code is the app's: `coredata migrate` and this page can't run it.",
                place: place, field: "policy")
        }
        for property in draft.properties(of: entity) { check(property, of: entity, at: place) }
    }

    private mutating func check(_ property: PropertySchema, of entity: EntityMappingSchema, at place: Int) {
        let known = entity.attributes + entity.relationships
        guard let value = known.first(where: { $0.name == property.name })?.value else {
            let hasDefault = property.attribute.map { $0.defaultValue != .null } ?? false
            // Without a source there are objects only if a policy makes them.
            let makesObjects = entity.sourceEntityName != nil && entity.policyClassName == nil
            if !property.isOptional, !hasDefault, makesObjects {
                add(
                    .warning, message: "A value is required, and nothing gives one.", place: place,
                    property: property.name)
            }
            return
        }
        for name in value.variables.subtracting(Self.variables) {
            add(.error, message: "There is no variable $\(name).", place: place, property: property.name)
        }
        for name in value.mappingNames
        where !draft.mapping.entityMappings.contains(where: { $0.name == name }) {
            add(.error, message: "There is no mapping \"\(name)\".", place: place, property: property.name)
        }
        for (variable, path) in value.variablePaths {
            let (index, name) =
                variable == "source"
                ? (source, entity.sourceEntityName) : (destination, entity.destinationEntityName)
            if variable == "source", name == nil {
                add(.error, message: "What is added has no $source.", place: place, property: property.name)
            } else if let problem = problem(of: path, in: index, name) {
                add(.error, message: problem, place: place, property: property.name)
            }
        }
        checkType(value, of: property, entity: entity, at: place)
    }

    /// A plain value of another type is refused in the migration.
    private mutating func checkType(
        _ value: ExpressionTree, of property: PropertySchema, entity: EntityMappingSchema, at place: Int
    ) {
        guard case .keyPath(.variable("source"), let path) = value, !path.contains("."),
            let name = entity.sourceEntityName, let type = property.attribute?.type,
            let old = source.entity(name)?.propertiesByName[path]
        else { return }
        guard let former = old.attribute?.type else {
            return add(
                .error, message: "\(path) is no attribute of \(name): its value doesn't fit.", place: place,
                property: property.name)
        }
        if former != type {
            add(
                .warning, message: "\(name).\(path) is of another type: its value may not fit.", place: place,
                property: property.name)
        }
    }

    private func problem(of path: String, in index: ModelIndex, _ name: String?) -> String? {
        var entity = name.flatMap(index.entity)
        for key in path.split(separator: ".").map(String.init) {
            if key.hasPrefix("@") || key.lowercased() == "self" { return nil }
            guard let current = entity else { return nil }
            if ["objectID", "entity"].contains(key) { return nil }
            guard let property = current.propertiesByName[key] else {
                return "\(current.name) has no property \"\(key)\"."
            }
            entity = property.relationship.flatMap { index.entity($0.destinationEntityName) }
        }
        return nil
    }
}

extension ExpressionTree {
    /// The paths that begin at `$source` and `$destination`.
    fileprivate var variablePaths: [(variable: String, path: String)] {
        var found: [(String, String)] = []
        _ = rewriting { (part, bound) throws(Never) -> ExpressionTree? in
            if case .keyPath(.variable(let name), let path) = part, ["source", "destination"].contains(name),
                !bound.contains(name)
            {
                found.append((name, path))
            }
            return nil
        }
        return found
    }
}

extension PredicateTree {
    /// The key paths of the objects themselves.
    fileprivate var sourcePaths: [String] {
        var found: [String] = []
        _ = rewriting { (part, _) throws(Never) -> ExpressionTree? in
            switch part {
            case .keyPath(.evaluatedObject, let path): found.append(path)
            case .subquery: return part
            default: break
            }
            return nil
        }
        return found
    }
}
