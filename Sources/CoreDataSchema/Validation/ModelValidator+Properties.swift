// Attributes, relationships and fetched properties.

import CoreDataPredicate
package import CoreDataSupport

extension ModelValidator {
    /// Names that `NSManagedObject` uses itself.
    private static let reserved: Set<String> = [
        "awakeFromFetch", "awakeFromInsert", "changedValues", "class", "debugDescription", "description",
        "entity",
        "faultingState", "hash", "hasChanges", "init", "isDeleted", "isFault", "isInserted", "isUpdated",
        "managedObjectContext", "objectID", "self", "superclass", "zone",
    ]

    mutating func check(_ property: PropertySchema, of entity: EntitySchema) {
        if Self.reserved.contains(property.name) {
            add(.warning, "NSManagedObject has a member of the same name", entity, property.name)
        }
        switch property.kind {
        case .attribute(let traits): check(traits, property, entity, path: property.name, depth: 0)
        case .relationship(let traits): check(traits, property, entity)
        case .fetched(let request):
            if index.entity(request.entityName) == nil {
                add(
                    .error,
                    "the fetched property names the entity \"\(request.entityName)\", which does not exist",
                    entity, property.name)
            }
            if request.predicate == nil {
                add(.warning, "the fetched property has no predicate", entity, property.name)
            }
        }
    }

    // MARK: Attributes

    private mutating func check(
        _ traits: AttributeTraits, _ property: PropertySchema, _ entity: EntitySchema, path: String,
        depth: Int
    ) {
        if traits.type == .undefined, !property.isTransient {
            add(.error, "an attribute of undefined type must be transient", entity, path)
        }
        if traits.type == .transformable, traits.valueTransformerName == nil {
            add(.warning, "the transformable attribute names no value transformer", entity, path)
        }
        if traits.allowsExternalBinaryDataStorage, traits.type != .binaryData, traits.type != .transformable {
            add(.warning, "only binary data can be stored externally", entity, path)
        }
        if traits.defaultValue != .null, !traits.type.accepts(traits.defaultValue) {
            add(.error, "the default value is no value of the attribute's type", entity, path)
        }
        checkBounds(property.validation, traits.type, entity, path: path)
        check(traits.derivation, property, entity, path: path)
        if traits.type == .composite {
            checkElements(of: traits, entity, path: path, depth: depth)
        } else if !traits.elements.isEmpty {
            add(.error, "only a composite attribute has elements", entity, path)
        }
    }

    /// Bounds of an integer that no integer of 64 bits can be.
    private mutating func checkBounds(
        _ rules: [ValidationRule], _ type: AttributeType, _ entity: EntitySchema, path: String
    ) {
        guard [.integer16, .integer32, .integer64].contains(type) else { return }
        for rule in rules {
            guard case .comparison(let comparison) = rule.predicate,
                case .constant(let bound) = comparison.right, comparison.left == .evaluatedObject,
                let number = bound.number, number.truncatedInteger == nil
            else { continue }
            add(.error, "the bound \(comparison.right.format) is beyond 64 bits", entity, path)
        }
    }

    private mutating func check(
        _ derivation: DerivationSchema?, _ property: PropertySchema, _ entity: EntitySchema, path: String
    ) {
        guard let derivation else { return }
        if derivation.expression == .constant(.null) {
            add(.error, "the derived attribute has no derivation expression", entity, path)
        }
        if property.isTransient { add(.error, "a derived attribute can't be transient", entity, path) }
    }

    private mutating func checkElements(
        of traits: AttributeTraits, _ entity: EntitySchema, path: String, depth: Int
    ) {
        guard depth < 16 else {
            return add(.error, "the composite attribute is nested too deep", entity, path)
        }
        if traits.elements.isEmpty { add(.error, "the composite attribute has no elements", entity, path) }
        var seen: Set<String> = []
        for element in traits.elements {
            let place = path + "." + element.name
            if !Self.isName(element.name) {
                add(.error, "\"\(element.name)\" is no name for an element", entity, place)
            }
            if !seen.insert(element.name).inserted {
                add(.error, "another element of the composite attribute has the same name", entity, place)
            }
            guard let inner = element.attribute else {
                add(.error, "an element of a composite attribute must be an attribute", entity, place)
                continue
            }
            if inner.derivation != nil {
                add(.error, "an element of a composite attribute can't be derived", entity, place)
            }
            check(inner, element, entity, path: place, depth: depth + 1)
        }
    }

    // MARK: Relationships

    private mutating func check(
        _ traits: RelationshipTraits, _ property: PropertySchema, _ entity: EntitySchema
    ) {
        let name = property.name
        if traits.minCount < 0 || traits.maxCount < -1 {
            add(.error, "a bound of the relationship is negative", entity, name)
        } else if traits.maxCount > 0, traits.minCount > traits.maxCount {
            add(.error, "the relationship's least count is above its greatest", entity, name)
        }
        if traits.isOrdered, !traits.isToMany {
            add(.warning, "a to-one relationship can't be ordered", entity, name)
        }
        guard index.entity(traits.destinationEntityName) != nil else {
            let destination = traits.destinationEntityName
            return add(.error, "the destination entity \"\(destination)\" does not exist", entity, name)
        }
        guard let inverse = traits.inverseName else {
            return add(.warning, "the relationship has no inverse", entity, name)
        }
        checkInverse(inverse, of: traits, name, entity)
    }

    private mutating func checkInverse(
        _ inverse: String, of traits: RelationshipTraits, _ name: String, _ entity: EntitySchema
    ) {
        let destination = index.entity(traits.destinationEntityName)
        guard let other = destination?.propertiesByName[inverse]?.relationship else {
            return add(
                .error, "the inverse \"\(traits.destinationEntityName).\(inverse)\" does not exist", entity,
                name)
        }
        guard other.inverseName == name else {
            return add(
                .error,
                "the inverse \"\(traits.destinationEntityName).\(inverse)\" names another relationship as its own",
                entity, name)
        }
        // Either side may be declared by an ancestor of the entity that the other names.
        let back = other.destinationEntityName
        if !index.entity(back, isKindOf: entity.name), !index.entity(entity.name, isKindOf: back) {
            add(.error, "the inverse leads to \"\(back)\" and not back to this entity", entity, name)
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
