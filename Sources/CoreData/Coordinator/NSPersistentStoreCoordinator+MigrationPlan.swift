// What a migration would do, for people and tools to look at before it is done.

import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import CoreDataSupport
public import Foundation

/// One thing that a migration in place does to a store.
public struct PlannedMigrationStep: Sendable, Hashable {
    /// What is done, in a few words.
    public let summary: String
    /// How many rows it concerns; `nil` where that isn't counted.
    public let count: Int?
    /// Whether values are gone afterwards.
    public let losesData: Bool
}

extension NSPersistentStoreCoordinator {
    /// The steps that would bring an SQLite store to a model by what can be inferred. The file stays as it is.
    ///
    /// Empty if the store is of the model's version. Throws what the migration would throw: 134130 if the store's own
    /// version isn't found, 134140 if nothing can be inferred, 134110 where rows lack a value that they need.
    ///
    /// - Parameters:
    ///   - url: the store's file.
    ///   - source: the store's version; `nil` to look for it as a migration does.
    ///   - model: the version to bring it to.
    public class func migrationSteps(
        forStoreAt url: URL, from source: NSManagedObjectModel? = nil, to model: NSManagedObjectModel
    ) throws -> [PlannedMigrationStep] {
        do {
            let engine = try SQLiteEngine(path: url.path, OpeningOptions(.readOnly))
            defer { engine.close() }
            let metadata = try engine.metadata(of: url)
            let source =
                try source ?? version(with: metadata.versionHashes(), beside: model)
                ?? cachedModelForPersistentStore(at: url)
            return try steps(engine, metadata, from: source, to: model, file: url)
        } catch {
            throw ErrorMapping.error(error, .opening, file: url)
        }
    }

    private class func steps(
        _ engine: SQLiteEngine, _ metadata: StoreMetadata, from source: NSManagedObjectModel,
        to model: NSManagedObjectModel, file url: URL
    ) throws -> [PlannedMigrationStep] {
        let difference = try MigrationFailure.inferring(from: source, to: model, file: url)
        if difference.isEmpty { return [] }
        let plan = try SQLiteStore.plan(
            engine, from: source.index, members: Set(metadata.versionHashes().keys), difference,
            to: model.index, members: nil)
        if let unmet = try engine.unmetCheck(of: plan) {
            throw MigrationFailure.missingValue(entity: unmet.entity, attribute: unmet.attribute, file: url)
        }
        return try plan.steps.map { step in
            PlannedMigrationStep(
                summary: step.summary, count: try step.count.map { Int(try engine.rowCount($0)) },
                losesData: step.losesData)
        }
    }
}

extension NSManagedObjectModel {
    /// What changed since an older version of the model, a line for each thing: `+` for what is new, `-` for what is
    /// gone, `~` for what is otherwise. Throws 134190 where a mapping between the two can't be inferred.
    public final func changes(since older: NSManagedObjectModel) throws -> [String] {
        do {
            return try MappingInference.difference(from: older.index, to: index).sentences(older.index, index)
        } catch {
            throw MigrationFailure.refusal(error)
        }
    }
}
