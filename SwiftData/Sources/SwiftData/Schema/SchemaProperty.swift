// The common part of attributes and relationships in a schema.

/// A property of an entity of a schema.
public protocol SchemaProperty: Codable, Hashable {
    /// The name.
    var name: String { get }
    /// The name in the version before, by which a migration finds the values; the name if it is the same.
    var originalName: String { get }
    /// The type of the values, an optional where they may be nil.
    var valueType: any Any.Type { get }
    /// Indicates whether it is an attribute.
    var isAttribute: Bool { get }
    /// Indicates whether it is a relationship.
    var isRelationship: Bool { get }
    /// Indicates that no store keeps it.
    var isTransient: Bool { get }
    /// Indicates whether the value may be nil.
    var isOptional: Bool { get }
    /// Indicates that no two models have the same value.
    var isUnique: Bool { get }
}
