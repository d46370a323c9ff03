// The opening of a container's stores.

import CoreData
import Foundation

/// Opens the stores of a container's configurations on a coordinator of the schema's model.
struct StoreOpening {
    private let schema: Schema
    private let models: ModelSet
    private let configurations: [ModelConfiguration]
    private let parts: [StorePart?]
    private let plan: (any SchemaMigrationPlan.Type)?

    init(
        _ schema: Schema, _ models: ModelSet, _ configurations: [ModelConfiguration], _ parts: [StorePart?],
        _ plan: (any SchemaMigrationPlan.Type)?
    ) {
        self.schema = schema
        self.models = models
        self.configurations = configurations
        self.parts = parts
        self.plan = plan
    }

    func open() throws -> NSPersistentStoreCoordinator {
        try check()
        if let plan, !plan.leads(to: models) {
            throw SwiftDataError.unknownSchema.because(
                "the migration plan's last version isn't the container's schema")
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: models.model)
        for (configuration, part) in zip(configurations, parts) {
            try configuration.validate()
            let description = configuration.storeDescription(configuration: part?.name)
            if let plan {
                description.setOption(
                    plan.manager(), forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
            }
            if configuration.url.isFileURL, !configuration.isStoredInMemoryOnly {
                let folder = configuration.url.deletingLastPathComponent()
                do {
                    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
                } catch {
                    throw Self.told(error)
                }
            }
            var failure: (any Error)?
            coordinator.addPersistentStore(with: description) { _, error in failure = error }
            if let failure { throw Self.told(failure) }
        }
        return coordinator
    }

    /// The error of SwiftData's that stands for a store's.
    static func told(_ error: any Error) -> SwiftDataError {
        let isBackward = (error as NSError).code == NSStagedMigrationBackwardMigrationError
        return (isBackward ? SwiftDataError.backwardMigration : .loadIssueModelContainer).because(of: error)
    }

    private func check() throws {
        var known: Set<String> = []
        for configuration in configurations {
            if !known.insert(configuration.id).inserted { throw SwiftDataError.duplicateConfiguration }
            for entity in configuration.schema?.entities ?? [] where schema.entitiesByName[entity.name] == nil
            {
                throw SwiftDataError.configurationSchemaNotFoundInContainerSchema.because(entity.name)
            }
        }
    }
}
