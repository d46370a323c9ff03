// The way from one version of an app's models to the next.

/// The versions of an app's models, and the stages that lead from each to the next.
public protocol SchemaMigrationPlan {
    /// The versions, oldest first.
    static var schemas: [any VersionedSchema.Type] { get }
    /// The stages, in the order in which they are run.
    static var stages: [MigrationStage] { get }
}

/// A step from one version to another. Plans keep their stages as constants, so that they count as sendable.
///
/// Unchecked because the closures are called one after the other, by whoever opens the store.
public enum MigrationStage: @unchecked Sendable {
    /// Changes that the stores' contents follow by themselves.
    case lightweight(fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type)
    /// Changes with code before and after: `willMigrate` sees the models of the old version, `didMigrate` those of the new one.
    case custom(
        fromVersion: any VersionedSchema.Type, toVersion: any VersionedSchema.Type,
        willMigrate: ((ModelContext) throws -> Void)?, didMigrate: ((ModelContext) throws -> Void)?)
}
