// The types and macros of relationships.

import CoreDataSchema
import CoreDataSupport

extension ModelClassPlanner {
    mutating func relationship(
        _ property: PropertySchema, traits: RelationshipTraits, of entity: ModelIndex.Entity
    ) -> ModelClassProperty? {
        if traits.isOrdered {
            add(
                .warning, entity: entity, property: property.name,
                message: "SwiftData's relationships have no order: it is lost")
        }
        let target = Keywords.escaped(traits.destinationEntityName)
        var plan: ModelClassProperty
        let member = Self.memberName(property.name)
        if traits.isToMany {
            plan = ModelClassProperty(name: member, type: "[\(target)]", initial: "[]")
        } else {
            plan = ModelClassProperty(
                name: member, type: isOptional(property, traits: traits, of: entity) ? target + "?" : target)
        }
        let arguments = relationshipOptions(property, traits: traits, of: entity)
        if !arguments.isEmpty {
            plan.macro = macro("Relationship") + "(\(arguments.joined(separator: ", ")))"
        }
        return plan
    }

    /// Returns whether the property may be nil. Objects that need each other could not be made.
    private mutating func isOptional(
        _ property: PropertySchema, traits: RelationshipTraits, of entity: ModelIndex.Entity
    ) -> Bool {
        if property.isOptional { return true }
        var seen: Set<String> = []
        guard
            needs(
                traits.destinationEntityName, anyOf: Set(entity.ancestry + index.subtree(of: entity.name)),
                seen: &seen)
        else { return false }
        add(
            .warning, entity: entity, property: property.name,
            message:
                "the relationship is required on a way back to its own entity, so that no object could be made: it is "
                + "optional in the class")
        return true
    }

    /// Returns whether an object of an entity can't be without one of others, over any number of relationships.
    private func needs(_ name: String, anyOf wanted: Set<String>, seen: inout Set<String>) -> Bool {
        if wanted.contains(name) { return true }
        guard seen.insert(name).inserted, let entity = index.entity(name) else { return false }
        for property in entity.properties where !property.isOptional {
            guard let traits = property.relationship, !traits.isToMany else { continue }
            if needs(traits.destinationEntityName, anyOf: wanted, seen: &seen) { return true }
        }
        return false
    }

    private mutating func relationshipOptions(
        _ property: PropertySchema, traits: RelationshipTraits, of entity: ModelIndex.Entity
    ) -> [String] {
        var found: [String] = []
        if traits.deleteRule != .nullify { found.append("deleteRule: .\(traits.deleteRule)") }
        if traits.isToMany {
            let least = max(traits.minCount, property.isOptional ? 0 : 1)
            if least > 0 { found.append("minimumModelCount: \(least)") }
            if traits.maxCount > 0 { found.append("maximumModelCount: \(traits.maxCount)") }
        }
        let (originalName, hashModifier) = shared(property)
        if let originalName { found.append(originalName) }
        if let inverse = inverse(property, traits: traits, of: entity) { found.append("inverse: " + inverse) }
        if let hashModifier { found.append(hashModifier) }
        return found
    }

    /// The key path of the inverse. One side states it, the side to many where only one is: macros that name each
    /// other's properties don't compile.
    private mutating func inverse(
        _ property: PropertySchema, traits: RelationshipTraits, of entity: ModelIndex.Entity
    ) -> String? {
        guard let name = traits.inverseName, let target = index.entity(traits.destinationEntityName),
            let other = target.propertiesByName[name]?.relationship, let owner = target.declaringEntity[name]
        else { return nil }
        let own = (traits.isToMany ? 0 : 1, entity.name, property.name)
        let theirs = (other.isToMany ? 0 : 1, owner, name)
        if own == theirs {
            add(
                .warning, entity: entity, property: property.name,
                message:
                    "a relationship that is its own inverse can't say so: it is a relationship without one")
            return nil
        }
        if own > theirs { return nil }
        return "\\" + Keywords.escaped(target.name) + "." + Keywords.escaped(Self.memberName(name))
    }
}
