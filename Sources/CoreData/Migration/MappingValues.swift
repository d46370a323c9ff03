// Values of expressions of mapping models, for one object.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// Computes and sets the properties of one object of the destination.
struct MappingValues {
    let manager: NSMigrationManager
    let mapping: NSEntityMapping
    let policy: NSEntityMigrationPolicy
    let source: NSManagedObject?
    let destination: NSManagedObject

    // MARK: Setting

    /// Without an expression an attribute keeps its default.
    func setAttribute(_ property: NSPropertyMapping) throws {
        guard let expression = property.valueExpression else { return }
        let target = try target(property)
        guard target.isAttribute else { throw failure(property, reason: "the property is no attribute") }
        let value = try converted(
            composite(at: expression, for: target) ?? value(of: expression, property), expression: expression,
            target: target)
        guard let value, !(value is NSNull) else {
            return destination.setValue(nil, forKey: target.name)
        }
        guard target.takes(value) else {
            throw failure(property, reason: "a value of type \(type(of: value)) doesn't fit the attribute")
        }
        destination.setValue(value, forKey: target.name)
    }

    /// A number that is taken over as it is, in the attribute's newer type.
    private func converted(
        _ value: Any?, expression: NSExpression, target: PropertyRuntime
    ) throws -> Any? {
        guard let value, let key = expression.tree.keptKey, let traits = target.schema.attribute,
            let former = source?.runtime.property(key)?.schema.attribute
        else { return value }
        return try converted(value, from: former.type, to: traits.type, name: target.name)
    }

    private func converted(
        _ value: Any, from former: AttributeType, to type: AttributeType, name: String
    ) throws -> Any? {
        guard let conversion = NumericConversion(from: former, to: type) else { return value }
        let number = Value(value)
        if let converted = conversion.converted(number) { return converted.any }
        throw MigrationFailure.misfit(
            entity: destination.runtime.name, attribute: name, value: "\(value)",
            object: source?.objectID.uriRepresentation(), conversion)
    }

    /// A composite attribute's value that is taken over as it is: with the elements' names of today, and defaults of
    /// those that are new. Nil for any other expression.
    private func composite(at expression: NSExpression, for target: PropertyRuntime) throws -> Any? {
        guard case .keyPath(.variable(NSMigrationSourceObjectKey), let key) = expression.tree, let source,
            case .composite? = source.runtime.property(key)?.kind, case .composite = target.kind,
            let older = source.runtime.property(key)?.schema.attribute, let traits = target.schema.attribute
        else { return nil }
        return try elements(
            of: traits, from: source.value(forKey: key) as? [String: Any], older: older, place: target.name)
    }

    private func elements(
        of traits: AttributeTraits, from values: [String: Any]?, older: AttributeTraits, place: String
    ) throws -> [String: Any]? {
        let sources = traits.elementSources(in: older)
        var elements: [String: Any] = [:]
        for element in traits.elements {
            guard let inner = element.attribute else { continue }
            guard let name = sources[element.name],
                let former = older.elements.first(where: { $0.name == name })?.attribute
            else {
                elements[element.name] = inner.type.coerced(inner.defaultValue).any
                continue
            }
            let value = values?[name]
            let path = place + "." + element.name
            elements[element.name] =
                try inner.type == .composite
                ? self.elements(of: inner, from: value as? [String: Any], older: former, place: path)
                : value.flatMap { try converted($0, from: former.type, to: inner.type, name: path) }
        }
        return elements.isEmpty ? nil : elements
    }

    func setRelationship(_ property: NSPropertyMapping) throws {
        guard let expression = property.valueExpression else { return }
        let target = try target(property)
        guard let relation = target.relation else {
            throw failure(property, reason: "the property is no relationship")
        }
        let objects = try self.objects(
            value(of: expression, property), relation: relation, property: property)
        if !relation.isToMany {
            destination.setValue(objects.first, forKey: target.name)
        } else if relation.isOrdered {
            destination.setValue(NSOrderedSet(array: objects), forKey: target.name)
        } else {
            destination.setValue(NSSet(array: objects), forKey: target.name)
        }
    }

    private func target(_ property: NSPropertyMapping) throws -> PropertyRuntime {
        guard let name = property.name, let target = destination.runtime.property(name) else {
            throw failure(
                property,
                reason: "the destination entity \"\(destination.runtime.name)\" has no such property")
        }
        return target
    }

    /// The objects of a relationship's value, which may be one or any collection of them.
    private func objects(
        _ value: Any?, relation: RelationRuntime, property: NSPropertyMapping
    ) throws -> [NSManagedObject] {
        let elements: [Any] =
            switch value {
            case nil, is NSNull: []
            case let set as NSSet: set.allObjects
            case let set as NSOrderedSet: set.array
            case let array as [Any]: array
            case let set as Set<AnyHashable>: set.map(\.base)
            case let object?: [object]
            }
        let entity = relation.destination(in: destination.runtime.model)
        return try elements.map { element in
            guard let object = element as? NSManagedObject else {
                throw failure(property, reason: "\(type(of: element)) is no managed object")
            }
            guard object.managedObjectContext === manager.destinationContext else {
                throw failure(property, reason: "an object isn't in the destination context")
            }
            guard entity.subtree.contains(object.runtime.number) else {
                throw failure(
                    property,
                    reason:
                        "an object of entity \"\(object.runtime.name)\" can't be in a relationship to \"\(entity.name)\""
                )
            }
            return object
        }
    }

    // MARK: Computing

    private func value(of expression: NSExpression, _ property: NSPropertyMapping) throws -> Any? {
        if case .keyPath(.variable(NSMigrationSourceObjectKey), let key) = expression.tree, let source,
            source.runtime.property(key) != nil
        {
            return source.value(forKey: key)
        }
        var bindings: [String: Any] = [
            NSMigrationManagerKey: manager, NSMigrationEntityMappingKey: mapping,
            NSMigrationPropertyMappingKey: property, NSMigrationEntityPolicyKey: policy,
            NSMigrationDestinationObjectKey: destination,
        ]
        bindings[NSMigrationSourceObjectKey] = source ?? NSNull()
        return try manager.evaluating(property, of: mapping) {
            do {
                return try Evaluator(bindings: bindings).value(of: expression.tree, .null).any
            } catch let problem as EvaluationFailure {
                throw failure(property, reason: "\(expression) has no value: \(problem.reason)")
            }
        }
    }

    private func failure(_ property: NSPropertyMapping, reason: String) -> NSError {
        MappingFailure.make(mapping, property: property, reason: reason)
    }
}

extension ExpressionTree {
    /// The key in `$source.key`, and in the expression that puts a default in place of a missing value.
    fileprivate var keptKey: String? {
        switch self {
        case .keyPath(.variable(NSMigrationSourceObjectKey), let key): key
        case .conditional(.comparison(let comparison), .constant, let value)
        where comparison.left == value && comparison.right == .constant(.null): value.keptKey
        default: nil
        }
    }
}

extension PropertyRuntime {
    /// Returns whether an attribute can hold a value, as its type is.
    fileprivate func takes(_ value: Any) -> Bool {
        switch kind {
        case .attribute(let slot): Self.fits(value, kind: slot.kind)
        case .composite: value is [String: Any]
        default: false
        }
    }

    private static func fits(_ value: Any, kind: SlotKind) -> Bool {
        switch kind {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .decimal:
            value is NSNumber || value is any BinaryInteger || value is any BinaryFloatingPoint
                || value is Bool || value is Decimal
        case .date: value is Date
        case .string: value is String
        case .uri: value is URL
        case .uuid: value is UUID
        case .data, .externalData: value is Data
        case .object, .transformable: true
        case .toOne, .toOneOfSeveral: false
        }
    }
}
