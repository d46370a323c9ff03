// A property of a model in use.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// A property as objects see it: which slot or relation holds its value. A class, so that handing one on costs
/// one reference count and not one for each part of its schema.
///
/// Unchecked because it is immutable; the description is frozen.
final class PropertyRuntime: @unchecked Sendable {
    enum Kind {
        case attribute(Slot)
        /// The slots of a composite attribute's elements.
        case composite([Slot])
        case toOne(Slot, RelationRuntime)
        case toMany(RelationRuntime)
        case fetched
    }

    let name: String
    /// Position in `EntityRuntime.properties`.
    let number: Int
    let kind: Kind
    let schema: PropertySchema
    unowned(unsafe) let description: NSPropertyDescription
    /// Whether nil passes validation: an optional property, or a derived one, whose value the store computes.
    let mayBeNil: Bool
    /// Whether the model has something to check in a value that is there.
    let hasRules: Bool
    /// What stands for the property in Swift's Observation.
    let observationPath: KeyPath<NSManagedObject, Any?>

    init(
        name: String, number: Int, kind: Kind, schema: PropertySchema, description: NSPropertyDescription
    ) {
        self.name = name
        self.number = number
        self.kind = kind
        self.schema = schema
        self.description = description
        mayBeNil = schema.isOptional || schema.attribute?.derivation != nil
        hasRules = !schema.validation.isEmpty || schema.hasAttributeRules
        observationPath = \NSManagedObject[name]
    }

    /// For each slot the number of its property.
    static func numbers(ofSlots count: Int, _ properties: [PropertyRuntime]) -> [Int] {
        var numbers = Array(repeating: 0, count: count)
        for property in properties {
            switch property.kind {
            case .attribute(let slot), .toOne(let slot, _): numbers[slot.index] = property.number
            case .composite(let slots): for slot in slots { numbers[slot.index] = property.number }
            case .toMany, .fetched: break
            }
        }
        return numbers
    }

    /// Whether the model accepts any value, nil too, so that only a class can object.
    var acceptsAnything: Bool {
        switch kind {
        case .attribute, .composite: mayBeNil && !hasRules
        case .toOne(_, let relation): relation.isOptional && schema.validation.isEmpty
        case .toMany(let relation):
            schema.validation.isEmpty && relation.traits.minCount == 0 && relation.traits.maxCount <= 0
        case .fetched: true
        }
    }

    var relation: RelationRuntime? {
        switch kind {
        case .toOne(_, let relation), .toMany(let relation): relation
        default: nil
        }
    }

    var isAttribute: Bool {
        switch kind {
        case .attribute, .composite: true
        default: false
        }
    }

    static func all(
        of entity: ModelIndex.Entity, layout: RowLayout, _ description: NSEntityDescription,
        _ index: ModelIndex
    ) -> ([PropertyRuntime], [RelationRuntime]) {
        var properties: [PropertyRuntime] = []
        var relations: [RelationRuntime] = []
        let descriptions = description.propertiesByName
        for ancestor in entity.ancestry.reversed() {
            let own = entity.properties.filter { entity.declaringEntity[$0.name] == ancestor }
            for schema in own.sorted(by: { $0.name < $1.name }) {
                guard let property = descriptions[schema.name] else { continue }
                var kind = Kind.fetched
                switch schema.kind {
                case .attribute(let traits) where traits.type == .composite:
                    kind = .composite(layout.slots.filter { $0.name.hasPrefix(schema.name + ".") })
                case .attribute:
                    if let slot = layout.slot(named: schema.name) { kind = .attribute(slot) }
                case .relationship(let traits):
                    let relation = RelationRuntime(
                        schema, traits, number: relations.count, declaredBy: ancestor, index)
                    relations.append(relation)
                    kind = layout.slot(named: schema.name).map { .toOne($0, relation) } ?? .toMany(relation)
                case .fetched: break
                }
                properties.append(
                    PropertyRuntime(
                        name: schema.name, number: properties.count, kind: kind, schema: schema,
                        description: property))
            }
        }
        return (properties, relations)
    }
}

extension PropertySchema {
    /// Whether the attribute's type doesn't hold every number, or an element of a composite one has rules.
    fileprivate var hasAttributeRules: Bool {
        guard let attribute else { return false }
        return attribute.type.integerLimit != nil
            || attribute.elements.contains {
                !$0.isOptional || !$0.validation.isEmpty || $0.hasAttributeRules
            }
    }
}

extension AttributeType {
    /// The greatest value of an integer attribute.
    var greatestInteger: Int64? { self == .integer64 ? .max : integerLimit }

    /// The greatest integer of a type that doesn't hold all of 64 bits.
    var integerLimit: Int64? {
        switch self {
        case .integer16: Int64(Int16.max)
        case .integer32: Int64(Int32.max)
        default: nil
        }
    }
}

/// A relationship of a model in use. Subentities have relations of their own with the same numbers.
///
/// Unchecked because `inverse` is set before the model's runtime is handed out.
final class RelationRuntime: @unchecked Sendable {
    let name: String
    /// Position in `EntityRuntime.relations` and in `ObjectExtras.relations`.
    let number: Int
    /// The entity that declares the relationship, which may be above the entity that has it.
    let declaringEntity: String
    let traits: RelationshipTraits
    let isOptional: Bool
    let isTransient: Bool
    let destinationNumber: Int
    /// Whether objects on the other side can be of several entities.
    let isPolymorphic: Bool
    /// The relationship on the other side, as the destination entity has it.
    unowned(unsafe) var inverse: RelationRuntime?

    var inverseName: String? { traits.inverseName }
    var isToMany: Bool { traits.isToMany }
    /// Whether a store holds the pairs: not where one side is transient.
    var isStored: Bool { !isTransient && inverse?.isTransient != true }
    var isOrdered: Bool { traits.isOrdered && traits.isToMany }

    init(
        _ schema: PropertySchema, _ traits: RelationshipTraits, number: Int, declaredBy entity: String,
        _ index: ModelIndex
    ) {
        name = schema.name
        self.number = number
        self.traits = traits
        declaringEntity = entity
        isOptional = schema.isOptional
        isTransient = schema.isTransient
        destinationNumber = index.entityNames.firstIndex(of: traits.destinationEntityName) ?? 0
        isPolymorphic = index.subtree(of: traits.destinationEntityName).count > 1
    }

    func destination(in model: ModelRuntime) -> EntityRuntime { model.entities[destinationNumber] }
}
