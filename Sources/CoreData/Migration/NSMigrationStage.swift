// The stages of a migration.

public import Foundation

/// One stage of a migration in stages. Make one of the subclasses.
open class NSMigrationStage: NSObject, @unchecked Sendable {  // set up before the migration, as Apple's asks
    /// A name for messages.
    open var label: String! = ""  // Apple declares it implicitly unwrapped
}

/// Versions of a model between which mappings can be inferred.
open class NSLightweightMigrationStage: NSMigrationStage, @unchecked Sendable {  // as its superclass
    /// The checksums of the versions, the oldest first. Stores of any of them are migrated to where the next stage
    /// starts, in one go.
    public let versionChecksums: [String]

    /// A stage of versions with these checksums, the oldest first.
    public init(_ checksums: [String]) {
        versionChecksums = checksums
    }
}

/// A step from one version of a model to another with code of the client's before and after it.
open class NSCustomMigrationStage: NSMigrationStage, @unchecked Sendable {  // as its superclass
    /// The version that the stage starts from.
    public let currentModel: NSManagedObjectModelReference
    /// The version that the stage leads to. A mapping must be inferrable.
    public let nextModel: NSManagedObjectModelReference

    /// Called before the step, with the store still of the current version: `migrationManager.container` has
    /// it. An error that it throws ends the migration.
    open var willMigrateHandler:
        (
            (_ migrationManager: NSStagedMigrationManager, _ migrationStage: NSCustomMigrationStage) throws ->
                Void
        )?
    /// Called after the step, with the store of the next version: `migrationManager.container` has it. An
    /// error that it throws ends the migration; the store stays at that version.
    open var didMigrateHandler:
        (
            (_ migrationManager: NSStagedMigrationManager, _ migrationStage: NSCustomMigrationStage) throws ->
                Void
        )?

    /// A stage between two versions.
    ///
    /// - Parameters:
    ///   - currentModel: the version that the stage starts from.
    ///   - nextModel: the version that it leads to.
    public init(
        migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference
    ) {
        self.currentModel = currentModel
        self.nextModel = nextModel
    }
}
