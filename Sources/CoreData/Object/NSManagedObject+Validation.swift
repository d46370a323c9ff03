// Validation against the model, with Apple's codes; a class adds its own through validators and overrides.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension NSManagedObject {
    /// Validates every property; several problems become one error with all of them in `NSDetailedErrorsKey`.
    final func validateAll() throws {
        if withEntity({ $0.areValidAtSight(row) }) { return }
        let binding = runtime.binding
        var problems: [NSError] = []
        for property in binding.validated
        where binding.sightChecks[property.number]?.holds(for: row) != true && isAtHand(property) {
            do {
                var value = storedValue(property)
                let before = value
                try validateValue(&value, forKey: property.name)
                if property.isAttribute, !Self.areSame(value, and: before) {
                    setModelled(value, property: property)
                }
            } catch {
                problems.append(error as NSError)
            }
        }
        if let error = CoreDataError.combined(problems) { throw error }
    }

    /// Members that were never read are as the store has them, valid when they were saved: they stay unread.
    private final func isAtHand(_ property: PropertyRuntime) -> Bool {
        switch property.kind {
        case .fetched: false
        case .toMany(let relation):
            (extras?.relations[relation.number] as? ToMany).map { $0.isLoaded || $0.isChanged }
                ?? state.isToInsert
        default: true
        }
    }

    /// Returns whether a validator left a value as it was.
    private static func areSame(_ left: Any?, and right: Any?) -> Bool {
        switch (left, right) {
        case (nil, nil): true
        case (let left?, let right?):
            if type(of: left) is AnyObject.Type, type(of: right) is AnyObject.Type {
                (left as AnyObject) === (right as AnyObject) || Value(left) == Value(right)
            } else {
                Value(left) == Value(right)
            }
        default: false
        }
    }

    /// Validates one value: a registered validator first, then the model's rules.
    final func validateModelled(_ value: inout Any?, forKey key: String) throws {
        let binding = runtime.binding
        if !binding.keys.isEmpty, let validate = binding.keys[key]?.validate { try validate(self, &value) }
        guard let property = runtime.property(key) else { return }
        switch property.kind {
        case .attribute, .composite: try validateAttribute(value, property: property)
        case .toOne(_, let relation):
            if value == nil && !relation.isOptional && !isLost(relation) {
                throw ValidationErrors.error(
                    NSValidationMissingMandatoryPropertyError, object: self, key: key, value: value)
            }
            if let value { try validateRules(value, schema: property.schema, path: key) }
        case .toMany(let relation):
            try validateCount(relation, value: value)
            if let value { try validateRules(value, schema: property.schema, path: key) }
        case .fetched: break
        }
    }

    private final func validateAttribute(_ value: Any?, property: PropertyRuntime) throws {
        guard let value else {
            // No store keeps a transient value: an object that was fetched has none until the client gives it one.
            if property.mayBeNil || property.schema.isTransient && !state.isNew { return }
            throw ValidationErrors.error(
                NSValidationMissingMandatoryPropertyError, object: self, key: property.name, value: nil)
        }
        if property.isAttribute { try validateWidth(value, schema: property.schema, path: property.name) }
        if !property.hasRules { return }
        try validateRules(value, schema: property.schema, path: property.name)
        try validateElements(value, schema: property.schema, path: property.name)
    }

    /// Validates the elements of a composite attribute that has a value.
    private final func validateElements(_ value: Any, schema: PropertySchema, path: String) throws {
        for element in schema.attribute?.elements ?? [] {
            let path = path + "." + element.name
            guard let value = (value as? [String: Any])?[element.name] else {
                if element.mayBeEmpty { continue }
                throw ValidationErrors.error(
                    NSValidationMissingMandatoryPropertyError, object: self, key: path, value: nil)
            }
            try validateWidth(value, schema: element, path: path)
            try validateRules(value, schema: element, path: path)
            try validateElements(value, schema: element, path: path)
        }
    }

    /// Returns whether nothing can be known of a relationship's members: no store keeps them,
    /// and the object was fetched.
    private final func isLost(_ relation: RelationRuntime) -> Bool {
        !relation.isStored && !state.isNew
    }

    private final func validateRules(_ value: Any, schema: PropertySchema, path: String) throws {
        if schema.validation.isEmpty { return }
        let subject = Value(value)
        for rule in schema.validation {
            let passes: Bool
            do {
                passes = try Evaluator(bindings: nil).matches(rule.predicate, object: subject)
            } catch {
                throw ValidationErrors.error(
                    NSManagedObjectValidationError, object: self, key: path, value: value,
                    reason: "validation predicate \"\(rule.predicate.format)\" can't be evaluated: \(error)")
            }
            if !passes { throw ValidationErrors.broken(rule, object: self, key: path, value: value) }
        }
    }

    /// Integers keep whatever was set; a value that the attribute's type can't hold is refused here.
    private final func validateWidth(_ value: Any, schema: PropertySchema, path: String) throws {
        guard let limit = schema.attribute?.type.greatestInteger, let number = WholeNumber(value)
        else { return }
        switch number {
        case .inRange(let integer) where integer >= -limit - 1 && integer <= limit: return
        case .tooSmall, .inRange(..<0):
            throw ValidationErrors.error(
                NSValidationNumberTooSmallError, object: self, key: path, value: value)
        default:
            throw ValidationErrors.error(
                NSValidationNumberTooLargeError, object: self, key: path, value: value)
        }
    }

    private final func validateCount(_ relation: RelationRuntime, value: Any?) throws {
        let traits = relation.traits
        if traits.minCount == 0 && traits.maxCount <= 0 { return }
        let count =
            switch value {
            case let set as NSSet: set.count
            case let set as NSOrderedSet: set.count
            case let objects as [NSManagedObject]: objects.count
            case let objects as Set<NSManagedObject>: objects.count
            default: 0
            }
        if count == 0 && isLost(relation) { return }
        if count < traits.minCount && !(relation.isOptional && count == 0) {
            throw ValidationErrors.error(
                NSValidationRelationshipLacksMinimumCountError, object: self, key: relation.name, value: value
            )
        }
        if traits.maxCount > 0 && count > traits.maxCount {
            throw ValidationErrors.error(
                NSValidationRelationshipExceedsMaximumCountError, object: self, key: relation.name,
                value: value)
        }
    }

    /// A relationship with the rule deny forbids deleting the object while it has members that stay.
    final func validateDeletion() throws {
        var problems: [NSError] = []
        for property in runtime.properties {
            guard let relation = property.relation, relation.traits.deleteRule == .deny else { continue }
            let holders: [NSManagedObject] =
                if case .toOne(let slot, _) = property.kind {
                    toOne(slot, relation: relation).map { [$0] } ?? []
                } else {
                    toMany(relation).objects
                }
            let staying = holders.filter { !$0.state.isDeleted }
            if !staying.isEmpty {
                problems.append(
                    ValidationErrors.error(
                        NSValidationRelationshipDeniedDeleteError, object: self, key: relation.name,
                        value: Set(staying) as NSSet)
                )
            }
        }
        if let error = CoreDataError.combined(problems) { throw error }
    }
}

/// Makes validation errors with Apple's domain, codes and keys.
enum ValidationErrors {
    static func error(
        _ code: Int, object: NSManagedObject, key: String, value: Any?, reason: String? = nil
    ) -> NSError {
        CoreDataError.validation(
            code, description: reason ?? text(code, object: object, key: key), object: object, key: key,
            value: value)
    }

    static func broken(_ rule: ValidationRule, object: NSManagedObject, key: String, value: Any)
        -> NSError
    {
        var code = NSManagedObjectValidationError
        var reason: String?
        switch rule.warning {
        case .integer(let number): code = Int(number)
        case .string(let warning): reason = warning
        default: break
        }
        return CoreDataError.validation(
            code, description: reason ?? text(code, object: object, key: key), object: object, key: key,
            value: value,
            predicate: NSPredicate.make(rule.predicate))
    }

    private static func text(_ code: Int, object: NSManagedObject, key: String) -> String {
        let subject = "\"\(key)\" of \"\(object.runtime.name)\""
        return switch code {
        case NSValidationMissingMandatoryPropertyError: "\(subject) is a required value."
        case NSValidationRelationshipLacksMinimumCountError: "Too few items in \(subject)."
        case NSValidationRelationshipExceedsMaximumCountError: "Too many items in \(subject)."
        case NSValidationRelationshipDeniedDeleteError:
            "Items cannot be deleted while \(subject) has members."
        case NSValidationNumberTooLargeError: "\(subject) is too large."
        case NSValidationNumberTooSmallError: "\(subject) is too small."
        case NSValidationDateTooLateError: "\(subject) is too late."
        case NSValidationDateTooSoonError: "\(subject) is too soon."
        case NSValidationStringTooLongError: "\(subject) is too long."
        case NSValidationStringTooShortError: "\(subject) is too short."
        case NSValidationStringPatternMatchingError: "\(subject) does not match the required pattern."
        default: "The value of \(subject) is not valid."
        }
    }
}
