// A property of a model in use.

/// A property as objects see it: which slot or relation holds its value. A class, so that handing one on costs
/// one reference count and not one for each part of its schema.
///
/// Unchecked because it is immutable.
package final class PropertyRuntime: @unchecked Sendable {
    package enum Kind {
        case attribute(Slot)
        /// The slots of a composite attribute's elements.
        case composite([Slot])
        case toOne(Slot, RelationRuntime)
        case toMany(RelationRuntime)
        case fetched
    }

    package let name: String
    /// Position in `EntityRuntime.properties`.
    package let number: Int
    package let kind: Kind
    /// The slot and relation of a to-one relationship, to which no reference is counted: the property holds both.
    package let toOne: (slot: Slot, relation: Unmanaged<RelationRuntime>)?
    package let schema: PropertySchema
    /// Indicates whether nil passes validation: an optional property, a composite one of optional elements, or a derived one,
    /// whose value the store computes.
    package let mayBeNil: Bool
    /// Indicates whether the model has something to check in a value that is there.
    package let hasRules: Bool

    init(name: String, number: Int, kind: Kind, schema: PropertySchema) {
        self.name = name
        self.number = number
        self.kind = kind
        toOne =
            if case .toOne(let slot, let relation) = kind { (slot, .passUnretained(relation)) } else { nil }
        self.schema = schema
        mayBeNil = schema.mayBeEmpty || schema.attribute?.derivation != nil
        hasRules = !schema.validation.isEmpty || schema.hasAttributeRules
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

    /// Indicates that the model accepts any value, nil too, so that only a class can object.
    package var acceptsAnything: Bool {
        switch kind {
        case .attribute, .composite: mayBeNil && !hasRules
        case .toOne(_, let relation): relation.isOptional && schema.validation.isEmpty
        case .toMany(let relation):
            schema.validation.isEmpty && relation.traits.minCount == 0 && relation.traits.maxCount <= 0
        case .fetched: true
        }
    }

    package var relation: RelationRuntime? {
        switch kind {
        case .toOne(_, let relation), .toMany(let relation): relation
        default: nil
        }
    }

    package var isAttribute: Bool {
        switch kind {
        case .attribute, .composite: true
        default: false
        }
    }

    /// The names of an entity's properties, in the order of their numbers.
    package static func names(of entity: ModelIndex.Entity) -> [String] { ordered(entity).map(\.schema.name) }

    /// The superentity's properties first, each entity's own sorted by name, with the entity that declares each.
    private static func ordered(
        _ entity: ModelIndex.Entity
    ) -> [(schema: PropertySchema, declaredBy: String)] {
        entity.ancestry.reversed().flatMap { ancestor in
            entity.properties.filter { entity.declaringEntity[$0.name] == ancestor }
                .sorted { $0.name < $1.name }.map { ($0, ancestor) }
        }
    }

    static func all(
        of entity: ModelIndex.Entity, layout: RowLayout, _ index: ModelIndex
    ) -> ([PropertyRuntime], [RelationRuntime]) {
        var properties: [PropertyRuntime] = []
        var relations: [RelationRuntime] = []
        for (schema, ancestor) in ordered(entity) {
            var kind = Kind.fetched
            switch schema.kind {
            case .attribute(let traits) where traits.type == .composite:
                kind = .composite(layout.slots.filter { $0.name.hasPrefix(schema.name + ".") })
            case .attribute:
                if let slot = layout.slot(named: schema.name) { kind = .attribute(slot) }
            case .relationship(let traits):
                let relation = RelationRuntime(
                    schema, traits: traits, number: relations.count, declaredBy: ancestor, index: index)
                relations.append(relation)
                kind = layout.slot(named: schema.name).map { .toOne($0, relation) } ?? .toMany(relation)
            case .fetched: break
            }
            properties.append(
                PropertyRuntime(name: schema.name, number: properties.count, kind: kind, schema: schema))
        }
        return (properties, relations)
    }
}

extension PropertySchema {
    /// Indicates that the attribute's type doesn't hold every number, or an element of a
    /// composite one has rules.
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
    package var greatestInteger: Int64? { self == .integer64 ? .max : integerLimit }

    /// The greatest integer of a type that doesn't hold all of 64 bits.
    package var integerLimit: Int64? {
        switch self {
        case .integer16: Int64(Int16.max)
        case .integer32: Int64(Int32.max)
        default: nil
        }
    }
}
