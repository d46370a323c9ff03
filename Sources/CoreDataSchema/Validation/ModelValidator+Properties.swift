// Attributes, relationships and fetched properties.

import CoreDataPredicate
package import CoreDataSupport

extension ModelValidator {
    /// Names that `NSManagedObject` or `NSObject` uses itself: of methods without parameters, and of properties whose accessors
    /// begin with "is".
    private static let reserved: Set<String> = [
        "alloc", "autorelease", "awakeFromFetch", "awakeFromInsert", "changedValues",
        "changedValuesForCurrentEvent", "class", "copy", "dealloc", "debugDescription", "deleted",
        "description",
        "didSave", "didTurnIntoFault", "entity", "fault", "faultingState", "hasChanges",
        "hasPersistentChangedValues", "hash", "init", "initialize", "inserted", "isDeleted", "isFault",
        "isInserted", "isProxy", "isUpdated", "load", "managedObjectContext", "mutableCopy", "new",
        "objectID",
        "observationInfo", "prepareForDeletion", "release", "retain", "retainCount", "self", "superclass",
        "updated", "willSave", "willTurnIntoFault", "zone",
    ]

    mutating func check(_ property: PropertySchema, of entity: EntitySchema) {
        if Self.reserved.contains(property.name) {
            add(
                .warning, message: "NSManagedObject has a member of the same name", entity: entity,
                property: property.name)
        }
        switch property.kind {
        case .attribute(let traits):
            check(traits, property: property, entity: entity, path: property.name, depth: 0)
        case .relationship(let traits): check(traits, property: property, entity: entity)
        case .fetched(let request):
            if index.entity(request.entityName) == nil {
                add(
                    .error,
                    message: request.entityName.isEmpty
                        ? "the fetched property names no entity"
                        : "the fetched property names the entity \"\(request.entityName)\", which does not exist",
                    entity: entity, property: property.name)
            }
            if request.predicate == nil {
                add(
                    .warning, message: "the fetched property has no predicate", entity: entity,
                    property: property.name)
            }
        }
    }

    // MARK: Attributes

    private mutating func check(
        _ traits: AttributeTraits, property: PropertySchema, entity: EntitySchema, path: String,
        depth: Int
    ) {
        if traits.type == .undefined, !property.isTransient {
            add(
                .error, message: "an attribute of undefined type must be transient", entity: entity,
                property: path)
        }
        if traits.type == .transformable, traits.valueTransformerName == nil {
            add(
                .warning, message: "the transformable attribute names no value transformer", entity: entity,
                property: path)
        }
        if traits.allowsExternalBinaryDataStorage, traits.type != .binaryData, traits.type != .transformable {
            add(
                .warning, message: "only binary data can be stored externally", entity: entity, property: path
            )
        }
        if traits.defaultValue != .null, !traits.type.accepts(traits.defaultValue) {
            add(
                .error, message: "the default value is no value of the attribute's type", entity: entity,
                property: path)
        }
        checkBounds(property.validation, type: traits.type, entity: entity, path: path)
        check(traits.derivation, property: property, entity: entity, path: path)
        if traits.type == .composite {
            checkElements(of: traits, entity, path: path, depth: depth)
        } else if !traits.elements.isEmpty {
            add(.error, message: "only a composite attribute has elements", entity: entity, property: path)
        }
    }

    /// Bounds of an integer that no integer of 64 bits can be.
    private mutating func checkBounds(
        _ rules: [ValidationRule], type: AttributeType, entity: EntitySchema, path: String
    ) {
        guard [.integer16, .integer32, .integer64].contains(type) else { return }
        for rule in rules {
            guard case .comparison(let comparison) = rule.predicate,
                case .constant(let bound) = comparison.right, comparison.left == .evaluatedObject,
                let number = bound.number, number.truncatedInteger == nil
            else { continue }
            add(
                .error, message: "the bound \(comparison.right.format) is beyond 64 bits", entity: entity,
                property: path)
        }
    }

    private mutating func check(
        _ derivation: DerivationSchema?, property: PropertySchema, entity: EntitySchema, path: String
    ) {
        guard let derivation else { return }
        if derivation.expression == .constant(.null) {
            add(
                .error, message: "the derived attribute has no derivation expression", entity: entity,
                property: path)
        }
        if property.isTransient {
            add(.error, message: "a derived attribute can't be transient", entity: entity, property: path)
        }
    }

    private mutating func checkElements(
        of traits: AttributeTraits, _ entity: EntitySchema, path: String, depth: Int
    ) {
        guard depth < 16 else {
            return add(
                .error, message: "the composite attribute is nested too deep", entity: entity, property: path)
        }
        if traits.elements.isEmpty {
            add(.error, message: "the composite attribute has no elements", entity: entity, property: path)
        }
        var seen: Set<String> = []
        for element in traits.elements {
            let place = path + "." + element.name
            if !Self.isName(element.name) {
                add(
                    .error, message: "\"\(element.name)\" is no name for an element", entity: entity,
                    property: place)
            }
            if !seen.insert(element.name).inserted {
                add(
                    .error, message: "another element of the composite attribute has the same name",
                    entity: entity, property: place)
            }
            guard let inner = element.attribute else {
                add(
                    .error, message: "an element of a composite attribute must be an attribute",
                    entity: entity, property: place)
                continue
            }
            if inner.derivation != nil {
                add(
                    .error, message: "an element of a composite attribute can't be derived", entity: entity,
                    property: place)
            }
            check(inner, property: element, entity: entity, path: place, depth: depth + 1)
        }
    }

    // MARK: Relationships

    private mutating func check(
        _ traits: RelationshipTraits, property: PropertySchema, entity: EntitySchema
    ) {
        let name = property.name
        if traits.minCount < 0 || traits.maxCount < -1 {
            add(.error, message: "a bound of the relationship is negative", entity: entity, property: name)
        } else if traits.maxCount > 0, traits.minCount > traits.maxCount {
            add(
                .error, message: "the relationship's least count is above its greatest", entity: entity,
                property: name)
        }
        if traits.isOrdered, !traits.isToMany {
            add(.warning, message: "a to-one relationship can't be ordered", entity: entity, property: name)
        }
        guard index.entity(traits.destinationEntityName) != nil else {
            let destination = traits.destinationEntityName
            return add(
                .error, message: "the destination entity \"\(destination)\" does not exist", entity: entity,
                property: name)
        }
        guard let inverse = traits.inverseName else {
            return add(.warning, message: "the relationship has no inverse", entity: entity, property: name)
        }
        checkInverse(inverse, of: traits, name: name, entity: entity)
    }

    private mutating func checkInverse(
        _ inverse: String, of traits: RelationshipTraits, name: String, entity: EntitySchema
    ) {
        let destination = index.entity(traits.destinationEntityName)
        guard let other = destination?.propertiesByName[inverse]?.relationship else {
            return add(
                .error, message: "the inverse \"\(traits.destinationEntityName).\(inverse)\" does not exist",
                entity: entity,
                property: name)
        }
        guard other.inverseName == name else {
            return add(
                .error,
                message:
                    "the inverse \"\(traits.destinationEntityName).\(inverse)\" names another relationship as its own",
                entity: entity, property: name)
        }
        // Either side may be declared by an ancestor of the entity that the other names.
        let back = other.destinationEntityName
        if !index.entity(back, isKindOf: entity.name), !index.entity(entity.name, isKindOf: back) {
            add(
                .error, message: "the inverse leads to \"\(back)\" and not back to this entity",
                entity: entity, property: name)
        }
    }
}

extension AttributeType {
    /// Returns whether a value can be stored under this type.
    package func accepts(_ value: Value) -> Bool {
        switch (self, value) {
        case (_, .null), (.undefined, _), (.transformable, _): true
        case (.integer16, .integer(let number)): Int16(exactly: number) != nil
        case (.integer32, .integer(let number)): Int32(exactly: number) != nil
        case (.integer64, .integer), (.boolean, .bool), (.double, .double), (.float, .double): true
        case (.decimal, .decimal), (.string, .string), (.date, .date), (.binaryData, .data): true
        case (.uuid, .uuid), (.uri, .url), (.composite, .dictionary): true
        default: false
        }
    }
}
