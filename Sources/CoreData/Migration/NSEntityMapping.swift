// The mapping of one entity's objects.

import CoreDataPredicate
import CoreDataSchema
package import CoreDataSupport
public import Foundation

/// Says how objects of an entity become objects of an entity of the newer model.
open class NSEntityMapping: NSObject {
    /// The name by which value expressions of relationships refer to the mapping.
    open var name: String! = ""  // Apple declares it implicitly unwrapped
    /// The kind of mapping.
    open var mappingType = NSEntityMappingType.undefinedEntityMappingType
    /// The entity in the older model.
    open var sourceEntityName: String?
    /// The version hash that the entity has there, by which a mapping model is found.
    open var sourceEntityVersionHash: Data?
    /// The entity in the newer model.
    open var destinationEntityName: String?
    /// The version hash that the entity has there, by which a mapping model is found.
    open var destinationEntityVersionHash: Data?
    /// One mapping for each attribute of the destination that gets a value.
    open var attributeMappings: [NSPropertyMapping]?
    /// One mapping for each relationship of the destination that gets a value.
    open var relationshipMappings: [NSPropertyMapping]?
    /// The expression that fetches the objects to migrate; all of the source entity's, but for its
    /// subentities', if there is none.
    open var sourceExpression: NSExpression?
    /// Anything a client wants to keep with the mapping; migration policies read it.
    open var userInfo: [AnyHashable: Any]?
    /// The name of the class, with or without a module, that makes the objects: a subclass of
    /// `NSEntityMigrationPolicy`. See `NSEntityMigrationPolicy.register(_:name:)`.
    open var entityMigrationPolicyClassName: String?

    convenience init(_ schema: EntityMappingSchema) {
        self.init()
        name = schema.name
        mappingType = NSEntityMappingType(rawValue: schema.kind.rawValue) ?? .undefinedEntityMappingType
        sourceEntityName = schema.sourceEntityName
        sourceEntityVersionHash = schema.sourceVersionHash
        destinationEntityName = schema.destinationEntityName
        destinationEntityVersionHash = schema.destinationVersionHash
        attributeMappings = schema.attributes.map { NSPropertyMapping($0) }
        relationshipMappings = schema.relationships.map { NSPropertyMapping($0) }
        sourceExpression = schema.sourceExpression.map(NSExpression.make)
        userInfo = schema.userInfo?.userInfo
        entityMigrationPolicyClassName = schema.policyClassName
    }

    final var schema: EntityMappingSchema {
        var schema = EntityMappingSchema(
            name: name ?? "", kind: EntityMappingSchema.Kind(rawValue: mappingType.rawValue) ?? .undefined,
            source: sourceEntityName, destination: destinationEntityName,
            attributes: (attributeMappings ?? []).map(\.schema),
            relationships: (relationshipMappings ?? []).map(\.schema))
        schema.sourceVersionHash = sourceEntityVersionHash
        schema.destinationVersionHash = destinationEntityVersionHash
        schema.sourceExpression = sourceExpression?.tree
        schema.policyClassName = entityMigrationPolicyClassName
        schema.userInfo = userInfo.map { [Value: Value](userInfo: $0) }
        return schema
    }
}

extension NSEntityMapping: KeyValueReadable {
    /// Returns a value that value expressions may ask `$entityMapping` for.
    package final func predicateValue(forKey key: String) throws -> Value {
        switch key {
        case "name": return Value(name)
        case "sourceEntityName": return Value(sourceEntityName)
        case "destinationEntityName": return Value(destinationEntityName)
        case "mappingType": return .integer(Int64(clamping: mappingType.rawValue))
        case "entityMigrationPolicyClassName": return Value(entityMigrationPolicyClassName)
        case "userInfo": return Value(userInfo)
        default: throw EvaluationFailure(reason: "an entity mapping has no key “\(key)”")
        }
    }
}
