// One migration: its contexts, its mappings with their policies, and the passes over them.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// A migration that is under way.
///
/// If the new store can take objects bit by bit, each chunk of objects is saved as soon as it is made,
/// without validation, and forgotten; all objects are validated at the end. Otherwise they stay in
/// memory and are saved once.
final class MigrationRun {
    let manager: NSMigrationManager
    let model: NSMappingModel
    let steps: [MigrationStep]
    let names: Set<String>
    /// The models in use: those of the manager with plain classes, so that no code of either version's runs.
    let sourceModel: NSManagedObjectModel
    let destinationModel: NSManagedObjectModel
    let source: NSManagedObjectContext
    let destination: NSManagedObjectContext
    let associations = MigrationAssociations()
    private let target: NSPersistentStore
    private let savesChunks: Bool
    /// Indicates whether the old store keeps rows that can be read by their keys.
    private let sourceHasRows: Bool
    /// The last transaction of the history that the new store is to come after.
    private var formerHistory: Int64?
    /// Objects that were worked on, and how often there are objects to work on.
    private var done = 0
    private var total = 1
    /// That of the objects that were made last.
    private var lastAttributePlan: AttributePlan?

    static let chunkSize = 500

    init(
        _ manager: NSMigrationManager, model: NSMappingModel, from origin: MigrationPlace,
        to place: MigrationPlace
    ) throws {
        self.manager = manager
        self.model = model
        steps = try (model.entityMappings ?? []).map { try MigrationStep($0) }
        names = Set(steps.map(\.name))
        if names.count < steps.count {
            throw CoreDataError.make(
                NSMigrationError, description: "The migration failed: two entity mappings have the same name."
            )
        }
        let older: NSPersistentStore
        (source, sourceModel, older) = try origin.open(manager.sourceModel, readOnly: true)
        var place = try place.keepingJoinTables(of: older, manager: manager, mapping: model)
        if type(of: manager) == NSMigrationManager.self, steps.allSatisfy({ !$0.mayFetch }) {
            place = place.adding([StoreOption.leavesOutFetchIndexes: true])
        }
        (destination, destinationModel, target) = try place.open(manager.destinationModel, readOnly: false)
        sourceHasRows = older.rowStore != nil
        savesChunks = target.rowStore?.writesChangesOnly ?? false
        destination.saving.isUnvalidated = savesChunks
    }

    /// Closes both stores. Unsaved changes are lost.
    func close() {
        for context in [source, destination] {
            context.performAndWait { context.reset() }
            guard let coordinator = context.persistentStoreCoordinator else { continue }
            for store in coordinator.persistentStores { try? coordinator.remove(store) }
        }
    }

    /// Takes over what clients put into the source's metadata, and its identity if the new store is to replace it.
    func takeMetadata(keepsIdentity: Bool) throws {
        guard let old = source.persistentStoreCoordinator?.persistentStores.first else { return }
        target.takeClientMetadata(of: old)
        guard keepsIdentity else { return }
        target.identifier = old.identifier
        formerHistory = try source.withStores { try old.rowStore?.history?.lastTransaction() }
    }

    /// A new store's rows have no history of how they came to be. One that keeps its identity must not take tokens
    /// of the former history for its own.
    private func beginHistory() throws {
        guard let formerHistory else { return }
        try destination.withStores { try target.rowStore?.history?.beginHistory(after: formerHistory) }
    }

    func migrate() throws {
        try destination.performAndWait { try source.performAndWait { try passes() } }
    }

    private func passes() throws {
        for step in steps {
            try step.prepare(manager)
            total += 2 * (step.count ?? 0)
        }
        associations.areKept =
            type(of: manager) != NSMigrationManager.self || steps.contains { $0.asksForAssociations(manager) }
        for step in steps { try create(step) }
        for step in steps { try relate(step) }
        for step in steps {
            manager.setMapping(step.mapping)
            try manager.status.checkCancellation()
            try step.policy.performCustomValidation(forMapping: step.mapping, manager: manager)
            try step.policy.end(step.mapping, manager: manager)
        }
        try save()
        // The store's connection may have a transaction that look-ups left, which another thread is about to end.
        try destination.withStores { try target.rowStore?.makeFetchIndexes() }
        if savesChunks { try validateAll() }
        try beginHistory()
        try manager.status.checkCancellation()
        manager.setProgress(1)
    }

    // MARK: Objects

    private func create(_ step: MigrationStep) throws {
        manager.setMapping(step.mapping)
        try step.policy.begin(step.mapping, with: manager)
        try eachChunk(of: step) { objects in
            for object in objects {
                try manager.status.checkCancellation()
                try step.policy.createDestinationInstances(
                    forSource: object, in: step.mapping, manager: manager)
                advance(by: step.count == nil ? 0 : 1)
            }
            try endChunk()
        }
        try step.policy.endInstanceCreation(forMapping: step.mapping, manager: manager)
        try endChunk()
    }

    /// The way in which an object of the destination gets its attributes.
    func attributePlan(of values: MappingValues) -> AttributePlan {
        if let plan = lastAttributePlan, plan.fits(values) { return plan }
        let plan = AttributePlan(values)
        lastAttributePlan = plan
        return plan
    }

    /// Hands over the objects to migrate with their rows, a chunk at a time.
    private func eachChunk(of step: MigrationStep, _ body: ([NSManagedObject]) throws -> Void) throws {
        // Keys of 8 bytes, where IDs would be objects.
        if sourceHasRows, let request = step.rowRequest(inBatchesOf: Self.chunkSize) {
            let results = try source.fetchBatched(request)
            for start in stride(from: 0, to: results.count, by: Self.chunkSize) {
                try results.load(at: start)
                try body((start..<min(start + Self.chunkSize, results.count)).map { results[$0] })
            }
            return
        }
        for chunk in try step.sourceObjects(manager).chunks {
            try body(objects(chunk, in: source, prefetching: step.paths))
        }
    }

    // MARK: Relationships

    private func relate(_ step: MigrationStep) throws {
        manager.setMapping(step.mapping)
        if !step.relates(manager) {
            advance(by: step.count ?? 0)
            return try step.policy.endRelationshipCreation(forMapping: step.mapping, manager: manager)
        }
        for chunk in associations.savedIDs(step.name).chunks {
            try relate(objects(chunk, in: destination, prefetching: []), step: step)
            try endChunk()
        }
        try relate(associations.fresh(step.name), step: step)
        try step.policy.endRelationshipCreation(forMapping: step.mapping, manager: manager)
        try endChunk()
    }

    private func relate(_ objects: [NSManagedObject], step: MigrationStep) throws {
        if objects.isEmpty { return }
        let sources = manager.sourceInstances(forEntityMappingName: step.name, destinationInstances: objects)
        // Holds the rows of the whole chunk while its relationships are followed.
        let held = try self.objects(sources.map(\.objectID), in: source, prefetching: step.paths)
        try withExtendedLifetime(held) {
            for object in objects {
                try manager.status.checkCancellation()
                try step.policy.createRelationships(
                    forDestination: object, in: step.mapping, manager: manager)
                advance(by: step.count == nil ? 0 : 1)
            }
        }
    }

    // MARK: Steps

    /// Objects by ID, in the same order, with their rows read together.
    private func objects(
        _ ids: [NSManagedObjectID], in context: NSManagedObjectContext, prefetching paths: [String]
    ) throws -> [NSManagedObject] {
        guard let entity = ids.first?.entity else { return [] }
        var rows: [NSManagedObject] = []
        for (root, members) in Dictionary(grouping: ids, by: { $0.entity.root }) {
            let request = NSFetchRequest<NSManagedObject>()
            request.entity = root
            request.predicate = NSPredicate.make(
                .comparison(.init(.evaluatedObject, op: .in, right: .constant(Value(members)))))
            request.relationshipKeyPathsForPrefetching = root == entity.root ? paths : []
            rows += try context.fetch(request)
        }
        return withExtendedLifetime(rows) { ids.map(context.object(with:)) }
    }

    private func advance(by count: Int) {
        done += count
        let progress = Float(done) / Float(total)
        if count > 0 { manager.setProgress(min(progress, 1)) }
    }

    private func endChunk() throws {
        guard savesChunks else { return }
        try save()
        associations.keepPermanentIDs()
        destination.letGoOfRelated()
        source.letGoOfRelated()
    }

    private func save() throws {
        do {
            try destination.save()
        } catch {
            throw MappingFailure.saving(error, to: target.url ?? URL(fileURLWithPath: "/dev/null"))
        }
    }

    /// Validates everything in the new store, a chunk at a time.
    private func validateAll() throws {
        for entity in destinationModel.entities where !entity.isAbstract {
            let request = NSFetchRequest<NSManagedObject>()
            request.entity = entity
            request.includesSubentities = false
            request.fetchBatchSize = Self.chunkSize
            guard MigrationStep.hasRules(entity) else { continue }
            request.relationshipKeyPathsForPrefetching = MigrationStep.validatedRelationships(entity)
            let results = try destination.fetchBatched(request)
            for start in stride(from: 0, to: results.count, by: Self.chunkSize) {
                try results.load(at: start)
                var problems: [NSError] = []
                for position in start..<min(start + Self.chunkSize, results.count) {
                    do { try results[position].validateForUpdate() } catch {
                        problems.append(error as NSError)
                    }
                }
                if let error = CoreDataError.combined(problems) { throw error }
                destination.refreshAllObjects()
            }
        }
    }
}

extension NSManagedObjectContext {
    /// Has unchanged objects forget what they are related to, so that those go which nobody else holds. An
    /// object that a policy holds keeps its values.
    fileprivate final func letGoOfRelated() {
        checkQueue()
        for object in registry.all() where !object.hasChanges { object.forgetReadRelationships() }
    }
}

extension [NSManagedObjectID] {
    fileprivate var chunks: [[NSManagedObjectID]] {
        stride(from: 0, to: count, by: MigrationRun.chunkSize).map {
            Array(self[$0..<Swift.min($0 + MigrationRun.chunkSize, count)])
        }
    }
}

extension NSEntityDescription {
    fileprivate var root: NSEntityDescription {
        var entity = self
        while let parent = entity.superentity { entity = parent }
        return entity
    }
}
