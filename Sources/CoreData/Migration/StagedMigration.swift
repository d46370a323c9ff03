// The stages that a store has to go through, and their execution.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// The steps that lead from a store's version to a model, by the stages of a manager.
struct StagedPlan {
    enum Step {
        /// Nothing but an inferred mapping, to the model.
        case lightweight(NSManagedObjectModel)
        case custom(NSCustomMigrationStage)
    }

    let steps: [Step]

    /// Throws if no stage starts from the store's version, or if the stages don't lead to the model.
    ///
    /// - Parameter checksum: the store's version.
    init(_ stages: [NSMigrationStage], from checksum: String, to model: NSManagedObjectModel) throws {
        let target = model.versionChecksum
        guard let first = stages.firstIndex(where: { $0.starts(from: checksum) }) else {
            if checksum == target || stages.last?.ends(at: checksum) == true {
                steps = checksum == target ? [] : [.lightweight(model)]
                return
            }
            throw Self.unknown(checksum)
        }
        let last = stages.lastIndex { $0.starts(from: target) || $0.ends(at: target) }
        if let last, last < first {
            throw CoreDataError.make(
                NSStagedMigrationBackwardMigrationError,
                description: "The store is of a newer version of the model than the coordinator's.",
                userInfo: [CoreDataError.Key.reason: "The stages lead away from the coordinator's version."])
        }
        var steps: [Step] = []
        var current = checksum
        let end = last ?? stages.count - 1
        for index in first...end where current != target {
            if let stage = stages[index] as? NSCustomMigrationStage {
                let start = stage.currentModel.versionChecksum
                if start != current {
                    steps.append(.lightweight(start == target ? model : try stage.currentModel.resolve()))
                }
                current = start
                if start == target { break }
                steps.append(.custom(stage))
                current = stage.nextModel.versionChecksum
            } else if index == end {
                steps.append(.lightweight(model))
                current = target
            }
        }
        if current != target, last == nil { steps.append(.lightweight(model)) }
        self.steps = steps
    }

    private static func unknown(_ checksum: String) -> NSError {
        CoreDataError.make(
            NSManagedObjectModelReferenceNotFoundError,
            description: "Cannot use staged migration with an unknown model version.",
            userInfo: [
                CoreDataError.Key.reason:
                    "No stage starts from the store's version, whose checksum is \"\(checksum)\"."
            ])
    }
}

extension NSMigrationStage {
    /// Returns whether stores of a version can enter the stage.
    fileprivate func starts(from checksum: String) -> Bool {
        switch self {
        case let stage as NSLightweightMigrationStage: stage.versionChecksums.contains(checksum)
        case let stage as NSCustomMigrationStage: stage.currentModel.versionChecksum == checksum
        default: false
        }
    }

    /// Returns whether the stage leads to a version.
    fileprivate func ends(at checksum: String) -> Bool {
        switch self {
        case let stage as NSLightweightMigrationStage: stage.versionChecksums.contains(checksum)
        case let stage as NSCustomMigrationStage: stage.nextModel.versionChecksum == checksum
        default: false
        }
    }
}

/// A store on its way through the stages.
struct StagedMigration {
    let manager: NSStagedMigrationManager
    let place: MigrationPlace

    /// Leads the store from its version to the model's. The store is of some stage's version after each step, and the
    /// next migration goes on from there.
    func run(to model: NSManagedObjectModel) throws {
        let plan = try StagedPlan(manager.stages, from: checksum(), to: model)
        for step in plan.steps {
            switch step {
            case .lightweight(let model): try migrate(to: model)
            case .custom(let stage): try run(stage)
            }
        }
    }

    /// The store's version.
    private func checksum() throws -> String {
        let metadata =
            try place.url.isFileURL
            ? NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: place.type, at: place.url)
            : NSPersistentStoreCoordinator.metadataForPersistentStore(with: place.description)
        return VersionHash.checksum(of: metadata[NSStoreModelVersionHashesKey] as? [String: Data] ?? [:])
    }

    /// A stage with a client's code happens whole or not at all. A store that was left in the middle would be of the next version,
    /// and nobody would call the rest of the code again. Stores that aren't files of ours stay as they are then.
    private func run(_ stage: NSCustomMigrationStage) throws {
        let hasCode = stage.willMigrateHandler != nil || stage.didMigrateHandler != nil
        guard hasCode, place.isFile else { return try runParts(of: stage) }
        let before = try StoreDraft(of: place.files(), copying: place.files())
        do {
            try runParts(of: stage)
        } catch {
            do {
                try before.publish(replacing: .sameType)
            } catch let failure {
                Log.warning("\(place.url.path) can't be taken back to before a stage that failed: \(failure)")
            }
            throw error
        }
        before.discard()
    }

    private func runParts(of stage: NSCustomMigrationStage) throws {
        if let handler = stage.willMigrateHandler {
            try withContainer(stage.currentModel.resolve()) { try handler(manager, stage) }
        }
        let next = try stage.nextModel.resolve()
        try migrate(to: next)
        if let handler = stage.didMigrateHandler {
            try withContainer(next) { try handler(manager, stage) }
        }
    }

    /// Runs a handler with the store in a container of the version that the store has now.
    private func withContainer(_ model: NSManagedObjectModel, body: () throws -> Void) throws {
        let container = NSPersistentContainer(name: place.name, managedObjectModel: model)
        let coordinator = container.persistentStoreCoordinator
        try coordinator.addPersistentStore(
            ofType: place.type, configurationName: nil, at: place.url, options: place.staged(migrates: false))
        manager.setContainer(container)
        defer {
            manager.setContainer(nil)
            for store in coordinator.persistentStores { try? coordinator.remove(store) }
        }
        try body()
    }

    /// A step by an inferred mapping.
    private func migrate(to model: NSManagedObjectModel) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let versions = manager.stages.compactMap { $0 as? NSCustomMigrationStage }
            .flatMap { [$0.currentModel, $0.nextModel] }
        coordinator.stagedVersion = { checksum in
            try versions.first { $0.versionChecksum == checksum }?.resolve()
        }
        let store = try coordinator.addPersistentStore(
            ofType: place.type, configurationName: nil, at: place.url, options: place.staged(migrates: true))
        try coordinator.remove(store)
    }
}

extension MigrationPlace {
    /// A store on a server is reached by its options as well.
    fileprivate var description: NSPersistentStoreDescription {
        let description = NSPersistentStoreDescription(url: url)
        description.type = type
        for (key, value) in options ?? [:] {
            if let key = key as? String { description.setOption(value as? NSObject, forKey: key) }
        }
        return description
    }

    fileprivate var name: String { url.deletingPathExtension().lastPathComponent }

    /// The options for one step of a migration in stages.
    fileprivate func staged(migrates: Bool) -> [AnyHashable: Any] {
        var all = options ?? [:]
        all[NSPersistentStoreStagedMigrationManagerOptionKey] = nil
        all[NSMigratePersistentStoresAutomaticallyOption] = NSNumber(value: migrates)
        all[NSInferMappingModelAutomaticallyOption] = NSNumber(value: migrates)
        return all
    }
}
