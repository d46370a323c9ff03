// Names that expressions of a mapping model use for what takes part in a migration.

// MARK: Variables

/// The object that is being made.
public let NSMigrationDestinationObjectKey = "destination"
/// The mapping of the entity.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The entity's migration policy.
public let NSMigrationEntityPolicyKey = "entityPolicy"
/// The object that leads the migration.
public let NSMigrationManagerKey = "manager"
/// The mapping of the property.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The object that is being migrated.
public let NSMigrationSourceObjectKey = "source"
