// A mapping model as a value: what becomes of the objects of one model version in another.

package import CoreDataPredicate
package import CoreDataSupport
package import Foundation

/// A mapping model. `NSMappingModel` is a shell over this.
package struct MappingSchema: Sendable, Hashable {
    /// In the order in which a migration works through them.
    package var entityMappings: [EntityMappingSchema]

    package init(entityMappings: [EntityMappingSchema] = []) {
        self.entityMappings = entityMappings
    }
}

/// The mapping of one entity's objects.
package struct EntityMappingSchema: Sendable, Hashable {
    /// The raw values are those of Apple's `NSEntityMappingType`.
    package enum Kind: UInt, Sendable, Hashable, CaseIterable {
        case undefined = 0
        case custom = 1
        case add = 2
        case remove = 3
        case copy = 4
        case transform = 5
    }

    /// The name by which value expressions of relationships refer to the mapping.
    package var name: String
    package var kind: Kind
    package var sourceEntityName: String?
    package var destinationEntityName: String?
    package var sourceVersionHash: Data?
    package var destinationVersionHash: Data?
    package var attributes: [PropertyMappingSchema]
    package var relationships: [PropertyMappingSchema]
    /// The expression that fetches the objects to migrate: all of the source entity's, if there is none.
    package var sourceExpression: ExpressionTree?
    /// The name of the class, with or without a module.
    package var policyClassName: String?
    package var userInfo: [Value: Value]?

    package init(
        name: String, kind: Kind = .undefined, source: String? = nil, destination: String? = nil,
        attributes: [PropertyMappingSchema] = [], relationships: [PropertyMappingSchema] = []
    ) {
        self.name = name
        self.kind = kind
        sourceEntityName = source
        destinationEntityName = destination
        self.attributes = attributes
        self.relationships = relationships
    }
}

/// The origin of the value of one property of the destination.
package struct PropertyMappingSchema: Sendable, Hashable {
    /// The property's name in the destination.
    package var name: String
    /// Without one the property keeps the value that a new object has.
    package var value: ExpressionTree?
    package var userInfo: [Value: Value]?

    package init(name: String, value: ExpressionTree? = nil, userInfo: [Value: Value]? = nil) {
        self.name = name
        self.value = value
        self.userInfo = userInfo
    }
}
