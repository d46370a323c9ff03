// Names that expressions of a mapping model use for what takes part in a migration.

// MARK: Variables

/// The object that is being made.
public let NSMigrationDestinationObjectKey = "destination"
/// The variable under which expressions of a mapping model find the entity mapping that is at work.
public let NSMigrationEntityMappingKey = "entityMapping"
/// The entity's migration policy.
public let NSMigrationEntityPolicyKey = "entityPolicy"
/// The object that leads the migration.
public let NSMigrationManagerKey = "manager"
/// The variable under which expressions of a mapping model find the property mapping that is at work.
public let NSMigrationPropertyMappingKey = "propertyMapping"
/// The object that is being migrated.
public let NSMigrationSourceObjectKey = "source"
