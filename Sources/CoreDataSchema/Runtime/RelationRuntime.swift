// A relationship of a model in use.

/// A relationship of a model in use. Subentities have relations of their own with the same numbers.
///
/// Unchecked because `inverseReference` is set before the model's runtime is handed out.
package final class RelationRuntime: @unchecked Sendable {
    package let name: String
    /// Position in `EntityRuntime.relations` and in `ObjectExtras.relations`.
    package let number: Int
    /// The entity that declares the relationship, which may be above the entity that has it.
    package let declaringEntity: String
    package let traits: RelationshipTraits
    package let isOptional: Bool
    package let isTransient: Bool
    package let destinationNumber: Int
    /// Indicates whether objects on the other side can be of several entities.
    package let isPolymorphic: Bool
    /// The relationship on the other side, as the destination entity has it. Not counted, for two of them would hold each other:
    /// sound because both are their model's, which goes as a whole.
    package internal(set) var inverseReference: Unmanaged<RelationRuntime>?
    package var inverse: RelationRuntime? { inverseReference?._withUnsafeGuaranteedRef { $0 } }

    /// Indicates whether the relationship is its own inverse, so that every pair stands in a join table twice.
    package var isReflexive: Bool {
        inverse.map { $0 === self || $0.name == name && $0.declaringEntity == declaringEntity } ?? false
    }
    package var inverseName: String? { traits.inverseName }
    package var isToMany: Bool { traits.isToMany }
    /// Indicates whether a store holds the pairs: not if one side is transient.
    package var isStored: Bool { !isTransient && inverse?.isTransient != true }
    package var isOrdered: Bool { traits.isOrdered && traits.isToMany }

    init(
        _ schema: PropertySchema, traits: RelationshipTraits, number: Int, declaredBy entity: String,
        index: ModelIndex
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

    package func destination(in model: ModelRuntime) -> EntityRuntime { model.runtimes[destinationNumber] }
}
