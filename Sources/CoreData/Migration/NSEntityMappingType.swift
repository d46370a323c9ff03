// The kinds of entity mappings.

/// The kind of an entity mapping, with the raw values of Apple's framework.
public enum NSEntityMappingType: UInt, Sendable {
    /// Not said: what the source and the destination say decides.
    case undefinedEntityMappingType = 0
    /// A migration policy makes the objects.
    case customEntityMappingType = 1
    /// The entity is new: there is nothing to migrate.
    case addEntityMappingType = 2
    /// The entity is gone: its objects aren't migrated.
    case removeEntityMappingType = 3
    /// The objects are migrated as they are.
    case copyEntityMappingType = 4
    /// The objects' values are computed from the old ones.
    case transformEntityMappingType = 5
}
