// Names that expressions of a mapping model use for what takes part in a migration.

// MARK: Variables

public let NSMigrationDestinationObjectKey = "destination"
public let NSMigrationEntityMappingKey = "entityMapping"
public let NSMigrationEntityPolicyKey = "entityPolicy"
public let NSMigrationManagerKey = "manager"
public let NSMigrationPropertyMappingKey = "propertyMapping"
public let NSMigrationSourceObjectKey = "source"
