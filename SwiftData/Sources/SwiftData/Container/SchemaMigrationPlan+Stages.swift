// Migration plans as Core Data's staged migrations.

import CoreData
import Foundation

extension SchemaMigrationPlan {
    /// The manager that leads a store through the plan's stages to a container's models.
    static func manager() -> NSStagedMigrationManager { NSStagedMigrationManager(stages.map(\.managedStage)) }

    /// Returns true if the plan's last version is that of the models.
    static func leads(to models: ModelSet) -> Bool {
        guard let last = schemas.last else { return stages.isEmpty }
        return ModelSet.of(Schema(versionedSchema: last)).model.versionChecksum
            == models.model.versionChecksum
    }
}

extension MigrationStage {
    fileprivate var managedStage: NSMigrationStage {
        switch self {
        case .lightweight(let old, let new):
            // Custom without code: Core Data's lightweight stages state no models, so that several in a row would be one step, in which
            // what a version between says of former names is lost.
            return Self.stage(old, new).stage
        case .custom(let old, let new, let willMigrate, let didMigrate):
            let (stage, before, after) = Self.stage(old, new)
            stage.willMigrateHandler = willMigrate.map { handler in
                { manager, _ in try Self.run(handler, manager, before) }
            }
            stage.didMigrateHandler = didMigrate.map { handler in
                { manager, _ in try Self.run(handler, manager, after) }
            }
            return stage
        }
    }

    private static func stage(
        _ old: any VersionedSchema.Type, _ new: any VersionedSchema.Type
    ) -> (stage: NSCustomMigrationStage, before: ModelSet, after: ModelSet) {
        let (before, after) = (models(old), models(new))
        let stage = NSCustomMigrationStage(migratingFrom: reference(before), to: reference(after))
        stage.label = "\(old.versionIdentifier) to \(new.versionIdentifier)"
        return (stage, before, after)
    }

    private static func models(_ version: any VersionedSchema.Type) -> ModelSet {
        ModelSet.of(Schema(versionedSchema: version))
    }

    private static func reference(_ models: ModelSet) -> NSManagedObjectModelReference {
        NSManagedObjectModelReference(model: models.model, versionChecksum: models.model.versionChecksum)
    }

    /// Runs a stage's code with a context of the store as it is at that moment.
    private static func run(
        _ handler: (ModelContext) throws -> Void, _ manager: NSStagedMigrationManager, _ models: ModelSet
    ) throws {
        guard let container = manager.container else { throw SwiftDataError.loadIssueModelContainer }
        let context = ModelContext(
            ModelContainer(models, coordinator: container.persistentStoreCoordinator))
        try handler(context)
    }
}
