// The functions of a migration manager that expressions of mapping models call.

import CoreDataPredicate
import CoreDataSchema
package import CoreDataSupport
import Foundation

extension NSMigrationManager: FunctionCallable, KeyValueReadable {
    /// Returns a value that expressions may ask `$manager` for.
    package final func predicateValue(forKey key: String) throws -> Value {
        switch key {
        case "sourceContext": return Value(sourceContext)
        case "destinationContext": return Value(destinationContext)
        case "sourceModel": return Value(sourceModel)
        case "destinationModel": return Value(destinationModel)
        case "mappingModel": return Value(mappingModel)
        case "currentEntityMapping": return Value(currentEntityMapping)
        case "migrationProgress": return Value(migrationProgress)
        case "userInfo": return Value(userInfo)
        case "usesStoreSpecificMigrationManager": return .bool(usesStoreSpecificMigrationManager)
        default: throw EvaluationFailure(reason: "the migration manager has no key “\(key)”")
        }
    }

    package final func predicateCall(_ selector: String, arguments: [Value]) throws -> Value {
        if let value = try functions.call(selector, on: self, arguments: arguments) { return value }
        guard arguments.count == FunctionTable.arguments(of: selector) else {
            throw EvaluationFailure(reason: "“\(selector)” is called with \(arguments.count) arguments")
        }
        switch selector {
        case MappingFunction.destinations:
            return try Value(
                destinationInstances(
                    forEntityMappingName: name(arguments[0], selector: selector),
                    sourceInstances: objects(arguments[1], selector: selector)))
        case MappingFunction.sources:
            return try Value(
                sourceInstances(
                    forEntityMappingName: name(arguments[0], selector: selector),
                    destinationInstances: objects(arguments[1], selector: selector)))
        case MappingFunction.relationshipDestinations:
            return try Value(relatedDestinations(arguments[1], selector: selector))
        case MappingFunction.fetchRequest: return try Value(fetchRequest(arguments, selector: selector))
        case MappingFunction.sourceEntity:
            return try Value(sourceEntity(for: mapping(arguments[0], selector: selector)))
        case MappingFunction.destinationEntity:
            return try Value(destinationEntity(for: mapping(arguments[0], selector: selector)))
        case MappingFunction.association: return try associate(arguments, selector: selector)
        case "valueForKey:": return try predicateValue(forKey: text(arguments[0], selector: selector))
        case _ where arguments.isEmpty: return try predicateValue(forKey: selector)
        default: throw EvaluationFailure(reason: "the migration manager has no function “\(selector)”")
        }
    }

    /// Runs a block while it is known which property is being computed.
    final func evaluating<Result>(
        _ property: NSPropertyMapping, of mapping: NSEntityMapping, body: () throws -> Result
    ) rethrows -> Result {
        let outer = evaluation
        evaluation = (property, mapping)
        defer { evaluation = outer }
        return try body()
    }

    // MARK: Functions

    /// Returns the objects that all mappings made of those in a relationship: those that the relationship
    /// that is being set can hold.
    private final func relatedDestinations(_ argument: Value, selector: String) throws -> [NSManagedObject] {
        let sources = try objects(argument, selector: selector) ?? []
        let made = sources.flatMap { requiredRun.associations.destinations(of: $0, in: destinationContext) }
        guard let evaluation, let name = evaluation.property.name,
            let entity = destinationEntity(for: evaluation.mapping)?.relationshipsByName[name]?
                .destinationEntity
        else { return made }
        return made.filter { $0.entity.isKindOf(entity: entity) }
    }

    /// Notes what became of an object, as a policy does.
    private final func associate(_ arguments: [Value], selector: String) throws -> Value {
        guard let source = try objects(arguments[0], selector: selector)?.first,
            let destination = try objects(arguments[1], selector: selector)?.first
        else { throw EvaluationFailure(reason: "“\(selector)” takes managed objects") }
        associate(
            sourceInstance: source, withDestinationInstance: destination,
            for: try mapping(arguments[2], selector: selector))
        return .null
    }

    /// A request for the objects of one entity, without those of its subentities, which have mappings of their own.
    private final func fetchRequest(
        _ arguments: [Value], selector: String
    ) throws -> NSFetchRequest<NSManagedObject> {
        let name = try text(arguments[0], selector: selector)
        guard let entity = requiredRun.sourceModel.entitiesByName[name] else {
            throw EvaluationFailure(reason: "the source model has no entity “\(name)”")
        }
        let request = NSFetchRequest<NSManagedObject>()
        request.entity = entity
        request.includesSubentities = false
        let format = try text(arguments[1], selector: selector)
        do {
            request.predicate = try NSPredicate.make(PredicateParser.predicate(format))
        } catch {
            throw EvaluationFailure(reason: "“\(format)” is no predicate: \(error)")
        }
        return request
    }

    // MARK: Arguments

    private final func text(_ value: Value, selector: String) throws -> String {
        if case .string(let text) = value { return text }
        throw EvaluationFailure(reason: "“\(selector)” takes a string, not \(value.kindName)")
    }

    /// The name of a mapping that there is.
    private final func name(_ value: Value, selector: String) throws -> String {
        let name = try text(value, selector: selector)
        guard requiredRun.names.contains(name) else {
            throw EvaluationFailure(reason: "the mapping model has no entity mapping “\(name)”")
        }
        return name
    }

    private final func mapping(_ value: Value, selector: String) throws -> NSEntityMapping {
        if case .object(let reference) = value, let mapping = reference.object as? NSEntityMapping {
            return mapping
        }
        throw EvaluationFailure(reason: "“\(selector)” takes an entity mapping, not \(value.kindName)")
    }

    /// One object or any collection of them. Nothing is no objects: only a client's own call asks for all.
    private final func objects(_ value: Value, selector: String) throws -> [NSManagedObject]? {
        try value.list.filter { $0 != .null }.map { element in
            guard case .object(let reference) = element, let object = reference.object as? NSManagedObject
            else {
                throw EvaluationFailure(
                    reason: "“\(selector)” takes managed objects, not \(element.kindName)")
            }
            return object
        }
    }
}

extension NSMigrationManager {
    /// The mappings of a mapping's attributes. One that copies objects as they are needn't state them.
    final func attributeMappings(of mapping: NSEntityMapping) -> [NSPropertyMapping] {
        if let stated = mapping.attributeMappings { return stated }
        return generated(mapping, names: { $0.attributesByName.filter { !$0.value.isTransient }.keys }) {
            PropertyMappingSchema.sourceValue($0)
        }
    }

    /// The mappings of a mapping's relationships. One that copies objects as they are needn't state them.
    final func relationshipMappings(of mapping: NSEntityMapping) -> [NSPropertyMapping] {
        if let stated = mapping.relationshipMappings { return stated }
        return generated(mapping, names: { $0.relationshipsByName.keys }) {
            PropertyMappingSchema.destinations(ofRelationship: $0)
        }
    }

    private final func generated<Names: Sequence<String>>(
        _ mapping: NSEntityMapping, names: (NSEntityDescription) -> Names,
        value: (String) -> ExpressionTree
    ) -> [NSPropertyMapping] {
        guard mapping.mappingType == .copyEntityMappingType, let source = sourceEntity(for: mapping),
            let destination = destinationEntity(for: mapping)
        else { return [] }
        return Set(names(source)).intersection(Set(names(destination))).sorted().map {
            NSPropertyMapping(PropertyMappingSchema(name: $0, value: value($0)))
        }
    }
}
