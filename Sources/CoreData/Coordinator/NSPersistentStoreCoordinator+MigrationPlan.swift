// The plan of a migration, for people and tools to look at before it is done.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
public import Foundation

/// One thing that a migration in place does to a store.
public struct PlannedMigrationStep: Sendable, Hashable {
    /// The step, in a few words.
    public let summary: String
    /// The number of rows that it concerns; `nil` if that isn't counted.
    public let count: Int?
    /// Indicates whether values are gone afterwards.
    public let losesData: Bool
    /// The SQL statements, of a store on a server; none of other stores.
    public let statements: [String]

    /// A step that is planned elsewhere, such as by a mapping model.
    ///
    /// - Parameters:
    ///   - summary: what is done, in a few words.
    ///   - count: how many rows it concerns, if that is known.
    ///   - losesData: whether values are gone afterwards.
    ///   - statements: the SQL statements, of a store on a server.
    public init(summary: String, count: Int?, losesData: Bool, statements: [String] = []) {
        self.statements = statements
        self.summary = summary
        self.count = count
        self.losesData = losesData
    }
}

extension NSPersistentStoreCoordinator {
    /// Returns the steps that would bring an SQLite store, or one on a server, to a model by what can be inferred; none for a
    /// store of that very version.
    ///
    /// The store stays as it is. An addition to Apple's class.
    ///
    /// - Parameters:
    ///   - url: the store's place.
    ///   - type: the store's type.
    ///   - options: those that the store is added with.
    ///   - source: the store's version; `nil` to look for it as a migration does.
    ///   - model: the version to bring it to.
    /// - Throws: what the migration would throw: 134130 if the store's own version isn't found, 134140 if
    ///   nothing can be inferred, 134110 where rows lack a value that they need, have a number that
    ///   doesn't fit its newer type, or are in a store that isn't migrated in place: a client's own, say.
    public class func migrationSteps(
        forStoreAt url: URL, type: NSPersistentStore.StoreType = .sqlite,
        options: [AnyHashable: Any]? = nil, from source: NSManagedObjectModel? = nil,
        to model: NSManagedObjectModel
    ) throws -> [PlannedMigrationStep] {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let (store, engine) = try coordinator.closedStore(at: url, type: type, options: options)
        let source = try source ?? coordinator.sourceModel(of: store, at: url, store.metadata ?? [:])
        let difference = try MigrationFailure.inferring(from: source, to: model, file: url)
        if difference.isEmpty { return [] }
        let migration = MigrationInPlace(
            from: source.index, by: difference, to: ModelRuntime.ofRows(model.index))
        return try engine.plannedSteps(of: migration).map {
            PlannedMigrationStep(
                summary: $0.summary, count: $0.count, losesData: $0.losesData, statements: $0.statements)
        }
    }

    /// A store that is to be migrated in place, with its metadata, and its engine. Refuses stores of clients' classes.
    private final func closedStore(
        at url: URL, type: NSPersistentStore.StoreType, options: [AnyHashable: Any]?
    ) throws -> (store: NSPersistentStore, engine: any RowStore) {
        let storeClass = try StoreRegistry.storeClass(type.rawValue)
        try storeClass.checkPlace(url)
        let store = storeClass.make(self, configurationName: nil, at: url, options: options)
        guard let engine = store.rowStore else { throw store.notInPlace }
        try store.loadMetadata()
        return (store, engine)
    }

    /// Brings an SQLite store, or one on a server, to a model by what can be inferred, as adding it with the options for that
    /// does, and tells how far it is.
    ///
    /// An addition to Apple's class.
    ///
    /// - Parameters:
    ///   - url: the store's place.
    ///   - type: the store's type.
    ///   - source: the store's version; `nil` to look for it as a migration does.
    ///   - model: the version to bring it to.
    ///   - options: those that the store is added with.
    ///   - progress: called before each of the steps that `migrationSteps(forStoreAt:from:to:)` shows, with the step's
    ///     position and how many there are.
    /// - Throws: what `migrationSteps(forStoreAt:from:to:)` throws, and the errors of opening a store.
    public class func migrateStore(
        at url: URL, type: NSPersistentStore.StoreType = .sqlite, from source: NSManagedObjectModel? = nil,
        to model: NSManagedObjectModel, options: [AnyHashable: Any]? = nil,
        progress: (_ step: Int, _ count: Int) -> Void = { _, _ in }
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let (store, engine) = try coordinator.closedStore(at: url, type: type, options: options)
        let source = try source ?? coordinator.sourceModel(of: store, at: url, store.metadata ?? [:])
        let difference = try MigrationFailure.inferring(from: source, to: model, file: url)
        try withoutActuallyEscaping(progress) { progress in
            try engine.migrate(
                MigrationInPlace(
                    from: source.index, by: difference, to: coordinator.runtime, progress: progress))
        }
    }
}

extension NSManagedObjectModel {
    /// Returns what changed since an older version of the model, a line for each thing.
    ///
    /// A line begins with `+` for what is new, `-` for what is gone, `~` for what is otherwise. An addition
    /// to Apple's class.
    ///
    /// - Throws: `NSInferredMappingModelError` (134190) where a mapping between the two can't be inferred.
    public final func changes(since older: NSManagedObjectModel) throws -> [String] {
        do {
            return try MappingInference.difference(from: older.index, to: index).sentences(
                older.index, newer: index)
        } catch {
            throw MigrationFailure.refusal(error)
        }
    }
}
