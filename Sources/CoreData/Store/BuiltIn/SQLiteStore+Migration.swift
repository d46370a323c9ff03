// Migrating an SQLite store in place: one transaction, on a connection that nobody else shares the file with.

import CoreDataFiles
import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension SQLiteStore {
    /// Seconds to wait until nobody has the file open any more. Who has will hardly let go of it soon.
    private static let timeout = 2.0

    /// Called with the position of each step that begins, and how many there are.
    typealias MigrationProgress = (_ step: Int, _ count: Int) -> Void

    func migrateFile(
        from source: ModelIndex, _ difference: SchemaDifference, to model: ModelRuntime,
        progress: MigrationProgress = { _, _ in }
    ) throws {
        guard let url else { return }
        var opening = SQLiteStoreOptions(options).opening(.readWrite)
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
                try migrate(engine, from: source, difference, to: model, file: url, progress)
                isWritten = true
            }
        } catch let failure as EngineFailure {
            if isWritten, isMigrated(to: model) {
                return Log.warning(
                    "\(url.path) was migrated, but not all went well at its end: \(failure.message)")
            }
            throw migrationError(failure, file: url)
        } catch {
            throw ErrorMapping.error(error, .opening, file: url)
        }
    }

    private func migrate(
        _ engine: SQLiteEngine, from source: ModelIndex, _ difference: SchemaDifference,
        to model: ModelRuntime, file url: URL, _ progress: MigrationProgress
    ) throws {
        var metadata = try engine.metadata(of: url)
        let check = VersionCheck(model.index, nil)
        // Another process may have migrated the store while this one waited for it.
        if try check.differences(from: metadata).isEmpty,
            try check.undecided(from: metadata).isEmpty || fits(engine, model)
        {
            return
        }
        let plan = try Self.plan(
            engine, from: source, members: Set(metadata.versionHashes().keys), difference, to: model.index)
        try Self.check(plan, engine, metadata, file: url)
        try engine.run(plan, progress: progress)
        metadata.name(model)
        try engine.writeMetadata(uuid: metadata.uuid, propertyList: metadata.propertyList())
        try engine.writeModelCache(CachedModel.data(for: model.index.model))
    }

    /// Whether the file is of the model's version. The end of a transaction may fail when its log is whole already, which
    /// whoever opens the file next then takes over.
    func isMigrated(to model: ModelRuntime) -> Bool {
        guard let url else { return false }
        do {
            let engine = try SQLiteEngine(path: url.path, OpeningOptions(.readOnly))
            defer { engine.close() }
            let check = VersionCheck(model.index, nil)
            let metadata = try engine.metadata(of: url)
            return try check.differences(from: metadata).isEmpty
                && (check.undecided(from: metadata).isEmpty || fits(engine, model))
        } catch {
            return false
        }
    }

    /// Whether the file has a place for everything that the model has.
    private func fits(_ engine: SQLiteEngine, _ model: ModelRuntime) throws -> Bool {
        do {
            _ = try LayoutReader.layout(for: model.index, catalog: engine.catalog())
            return true
        } catch is LayoutFailure {
            return false
        }
    }

    /// Throws where rows stand in the way of a plan.
    static func check(
        _ plan: MigrationPlan, _ engine: SQLiteEngine, _ metadata: StoreMetadata, file url: URL
    ) throws {
        if let unmet = try engine.unmetCheck(of: plan) {
            throw MigrationFailure.missingValue(entity: unmet.entity, attribute: unmet.attribute, file: url)
        }
        guard let (fit, key, value) = try engine.misfit(of: plan) else { return }
        let object = URL(string: "x-coredata://\(metadata.uuid)/\(fit.source)/p\(key)")
        throw MigrationFailure.inPlace(
            MigrationFailure.misfit(
                entity: fit.entity, attribute: fit.attribute, value: value.shown, object: object,
                fit.conversion), file: url)
    }

    static func plan(
        _ engine: SQLiteEngine, from source: ModelIndex, members formerMembers: Set<String>,
        _ difference: SchemaDifference, to destination: ModelIndex
    ) throws -> MigrationPlan {
        let catalog = try engine.catalog()
        let old = try LayoutReader.blueprint(
            for: source, catalog: catalog, entities: formerMembers.isEmpty ? nil : formerMembers)
        let new = try LayoutBuilder.blueprint(for: destination, migrating: old, by: difference)
        return try MigrationPlanner.plan(
            from: old, catalog: catalog, derivedTriggers: engine.derivedTriggers(), to: new,
            difference: difference)
    }

    private func migrationError(_ failure: EngineFailure, file url: URL) -> NSError {
        if case .unique(let violation) = failure.kind {
            return CoreDataError.make(
                NSMigrationConstraintViolationError, MigrationFailure.sentence, file: url,
                reason: "Rows of \(violation.table) have the same values for "
                    + "\(violation.columns.joined(separator: ", ")), which must be unique.",
                underlying: ErrorMapping.error(failure, .saving, file: url))
        }
        if failure.kind == .busy {
            return CoreDataError.make(
                NSPersistentStoreTimeoutError, "The persistent store is in use and can't be migrated.",
                file: url,
                reason: "Another process or coordinator has the store open.",
                underlying: ErrorMapping.error(failure, .opening, file: url))
        }
        let error = ErrorMapping.error(failure, .saving, file: url) as NSError
        return failure.kind == .full ? error : MigrationFailure.inPlace(error, file: url)
    }
}
