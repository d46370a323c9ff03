// Migrating a store in place: one transaction, on a connection that nobody else shares the file with.

import CoreDataFiles
package import CoreDataSQL
import CoreDataSQLiteEngine
package import CoreDataSchema
import CoreDataSupport
package import Foundation

extension SQLiteRowStore {
    /// Seconds to wait until nobody has the file open any more. A process that has will hardly let go of it
    /// soon.
    private static let timeout = 2.0

    package func keptModel() throws -> ModelSchema? {
        try host.url.flatMap { try Self.keptModel(at: $0, options) }
    }

    /// The model that the store at a URL keeps; `nil` if it keeps none.
    package static func keptModel(at url: URL, _ options: SQLiteStoreOptions) throws -> ModelSchema? {
        try mapping(url, occasion: .opening) {
            let found = try SQLiteEngine.reading(path: url.path, options: options.opening(.readOnly)) {
                engine in
                (try engine.modelCache(), try engine.metadata(of: url).versionHashes())
            }
            guard let content = found.0, !content.isEmpty else { return nil }
            return try CachedModel.read(content, from: url.path, hashes: found.1)
        }
    }

    /// The model that a store keeps, for a comparison of versions; `nil` if it keeps none, or one that can't be read: that alone
    /// doesn't keep a store from being opened.
    static func comparableModel(of engine: SQLiteEngine) -> ModelSchema? {
        do {
            guard let content = try engine.modelCache(), !content.isEmpty else { return nil }
            return try CachedModel.read(content, from: "the store's copy")
        } catch {
            Log.warning("the copy of its model that the store keeps can't be read: \(error)")
            return nil
        }
    }

    package func migrate(_ migration: MigrationInPlace) throws {
        guard let url = host.url else { return }
        var opening = options.opening(.readWrite)
        opening.isExclusive = true
        opening.busyMilliseconds = min(opening.busyMilliseconds, Int32(Self.timeout * 1000))
        // Files of external values go once the transaction has ended, which therefore must last.
        opening.pragmas.append((name: "synchronous", value: "FULL"))
        var isWritten = false
        do {
            let engine = try SQLiteEngine(path: url.path, opening)
            defer { engine.close() }
            engine.trace = SQLDebug.current?.trace
            try engine.transaction {
                try run(migration, on: engine, file: url)
                isWritten = true
            }
        } catch let failure as EngineFailure {
            if isWritten, isMigrated(to: migration.model) {
                return Log.warning(
                    "\(url.path) was migrated, but not all went well at its end: \(failure.message)")
            }
            throw migrationError(failure, file: url)
        } catch {
            throw ErrorMapping.error(error, occasion: .opening, file: url)
        }
    }

    private func run(_ migration: MigrationInPlace, on engine: SQLiteEngine, file url: URL) throws {
        var metadata = try engine.metadata(of: url)
        let model = migration.model
        let check = try VersionCheck(model.index, members: nil, of: metadata) {
            Self.comparableModel(of: engine)
        }
        // Another process may have migrated the store while this one waited for it.
        if try check.differences(from: metadata).isEmpty,
            try check.undecided(from: metadata).isEmpty || fits(engine, model: model)
        {
            return
        }
        let plan = try plan(migration, engine: engine, metadata: metadata, file: url)
        try engine.run(plan, progress: migration.progress)
        metadata.name(model)
        try engine.writeMetadata(uuid: metadata.uuid, propertyList: metadata.propertyList())
        try engine.writeModelCache(CachedModel.data(for: model.index.model))
    }

    package func plannedSteps(of migration: MigrationInPlace) throws -> [PlannedStep] {
        guard let url = host.url else { return [] }
        return try Self.mapping(url, occasion: .opening) {
            try SQLiteEngine.reading(path: url.path) { engine in
                try plan(migration, engine: engine, metadata: engine.metadata(of: url), file: url).steps.map {
                    step in
                    PlannedStep(
                        summary: step.summary, count: try step.count.map { Int(try engine.rowCount($0)) },
                        losesData: step.losesData)
                }
            }
        }
    }

    package func joinOwners() throws -> [PropertyAddress] {
        guard let file else { return [] }
        let blueprint = try LayoutReader.blueprint(
            for: file.model.index, catalog: file.engine.catalog(), entities: placedEntities)
        return blueprint.joins.filter { $0.owner.entity == $0.inverse.entity }.map(\.owner)
    }

    /// Returns whether the file is of the model's version. The end of a transaction may fail when its log is
    /// whole already, which whoever opens the file next then takes over.
    private func isMigrated(to model: ModelRuntime) -> Bool {
        guard let url = host.url else { return false }
        do {
            let engine = try SQLiteEngine(path: url.path, OpeningOptions(.readOnly))
            defer { engine.close() }
            let metadata = try engine.metadata(of: url)
            let check = try VersionCheck(model.index, members: nil, of: metadata) {
                Self.comparableModel(of: engine)
            }
            return try check.differences(from: metadata).isEmpty
                && (check.undecided(from: metadata).isEmpty || fits(engine, model: model))
        } catch {
            return false
        }
    }

    /// Returns whether the file has a place for everything that the model has.
    private func fits(_ engine: SQLiteEngine, model: ModelRuntime) throws -> Bool {
        do {
            _ = try LayoutReader.layout(for: model.index, catalog: engine.catalog())
            return true
        } catch is LayoutFailure {
            return false
        }
    }

    /// Plans a migration, and throws where rows stand in its way.
    private func plan(
        _ migration: MigrationInPlace, engine: SQLiteEngine, metadata: StoreMetadata, file url: URL
    ) throws -> MigrationPlan {
        let catalog = try engine.catalog()
        let members = Set(try metadata.versionHashes().keys)
        let old = try LayoutReader.blueprint(
            for: migration.source, catalog: catalog, entities: members.isEmpty ? nil : members)
        let new = try LayoutBuilder.blueprint(
            for: migration.model.index, migrating: old, by: migration.difference)
        let plan = try MigrationPlanner.plan(
            from: old, catalog: catalog, derivedTriggers: engine.derivedTriggers(), to: new,
            difference: migration.difference)
        try check(plan, engine: engine, metadata: metadata, file: url)
        return plan
    }

    private func check(
        _ plan: MigrationPlan, engine: SQLiteEngine, metadata: StoreMetadata, file url: URL
    ) throws {
        try MigrationFailure.check(
            unmet: engine.unmetCheck(of: plan), misfit: { try engine.misfit(of: plan) }, of: metadata.uuid,
            file: url)
    }

    private func migrationError(_ failure: EngineFailure, file url: URL) -> NSError {
        if case .unique(let violation) = failure.kind {
            return CoreDataError.make(
                ErrorCode.migrationConstraintViolation, description: MigrationFailure.sentence, file: url,
                reason: "Rows of \(violation.table) have the same values for "
                    + "\(violation.columns.joined(separator: ", ")), which must be unique.",
                underlying: ErrorMapping.error(failure, occasion: .saving, file: url))
        }
        if failure.kind == .busy {
            return CoreDataError.make(
                ErrorCode.timeout, description: "The persistent store is in use and can't be migrated.",
                file: url,
                reason: "Another process or coordinator has the store open.",
                underlying: ErrorMapping.error(failure, occasion: .opening, file: url))
        }
        let error = ErrorMapping.error(failure, occasion: .saving, file: url) as NSError
        return failure.kind == .full ? error : MigrationFailure.inPlace(error, file: url)
    }
}
