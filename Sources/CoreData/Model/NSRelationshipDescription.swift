// A relationship of an entity.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// A relationship to objects of an entity.
///
/// ```swift
/// let hero = NSEntityDescription()
/// let power = NSEntityDescription()
/// let powers = NSRelationshipDescription()
/// powers.name = "powers"
/// powers.destinationEntity = power
/// powers.deleteRule = .cascadeDeleteRule
/// let owner = NSRelationshipDescription()
/// owner.name = "hero"
/// owner.destinationEntity = hero
/// owner.maxCount = 1
/// (powers.inverseRelationship, owner.inverseRelationship) = (owner, powers)
/// (hero.properties, power.properties) = ([powers], [owner])
/// ```
open class NSRelationshipDescription: NSPropertyDescription {
    /// The least number of objects; 0 means no bound. An empty optional relationship is always allowed.
    open var minCount = 0 { willSet { assertMutable() } }

    /// The greatest number of objects: 1 makes a to-one relationship, 0 means no bound.
    open var maxCount = 0 { willSet { assertMutable() } }

    /// Indicates whether the relationship holds several objects: the greatest number isn't 1.
    open var isToMany: Bool { maxCount != 1 }

    /// Indicates whether the objects of a to-many relationship keep an order.
    open var isOrdered = false { willSet { assertMutable() } }

    /// The effect of an object's deletion at the other end. Nullify by default.
    open var deleteRule = NSDeleteRule.nullifyDeleteRule { willSet { assertMutable() } }

    /// Weak, because the model owns the entities. The names last as long as the description, so that a
    /// description that outlives its model still says where it led.
    private var destinationReference: EntityReference?
    private var destination: NSEntityDescription? {
        get { destinationReference?.entity }
        set { destinationReference = newValue?.reference }
    }
    private weak var inverse: NSRelationshipDescription?
    private var rememberedDestinationName: String?
    private var rememberedInverseName: String?

    /// The entity of the objects at the other end.
    open var destinationEntity: NSEntityDescription? {
        get { destination }
        set {
            assertMutable()
            destination = newValue
            rememberedDestinationName = newValue.map { $0.name } ?? nil
        }
    }

    /// The relationship of the destination that leads back. Setting it doesn't set the other's.
    open var inverseRelationship: NSRelationshipDescription? {
        get { inverse }
        set {
            assertMutable()
            inverse = newValue
            rememberedInverseName = newValue?.name
        }
    }

    /// Says where the relationship leads before the entities exist.
    final func setNames(destination: String, inverse: String?) {
        rememberedDestinationName = destination
        rememberedInverseName = inverse
    }

    @discardableResult
    override func takeFields(from other: NSPropertyDescription) -> Bool {
        guard super.takeFields(from: other), let other = other as? NSRelationshipDescription else {
            return false
        }
        minCount = other.minCount
        maxCount = other.maxCount
        isOrdered = other.isOrdered
        deleteRule = other.deleteRule
        destination = other.destination
        inverse = other.inverse
        rememberedDestinationName = other.destinationName
        rememberedInverseName = other.inverseName
        return true
    }
}

extension NSRelationshipDescription {
    var destinationName: String? { destinationEntity?.name ?? rememberedDestinationName }
    var inverseName: String? { inverseRelationship?.name ?? rememberedInverseName }

    /// Leads to the entity and the inverse of those names in `model`, where it leads somewhere else.
    func relink(in model: [String: NSEntityDescription]) {
        guard let name = destinationName, let entity = model[name], destinationEntity !== entity else {
            return
        }
        let inverseName = inverseName
        destinationEntity = entity
        if let inverseName {
            inverseRelationship = entity.relationshipsByName[inverseName]
        }
    }
}
