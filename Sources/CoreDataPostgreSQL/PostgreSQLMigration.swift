// One migration of a store on a server: beside programs at work as far as that goes, and the rest in one transaction.

import CoreDataFiles
import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// A migration that is planned or carried out.
struct PostgreSQLMigration {
    /// Seconds to wait until nobody has the store open any more, or uses its tables.
    private static let timeout = 2

    private let migration: MigrationInPlace
    private let store: ConnectedStore
    private let options: PostgreSQLOptions
    private let url: URL
    private var connection: ServerConnection { store.connection }
    private var catalogue: PostgreSQLCatalogue { store.catalogue }

    /// Connects. No statement runs twice, and some wait for all transactions: a pooler that changes connections won't do.
    init(_ migration: MigrationInPlace, options: PostgreSQLOptions, at url: URL) throws {
        self.migration = migration
        self.options = options
        self.url = url
        store = try options.workingStore(at: url)
    }

    func close() { connection.close() }

    func run() throws {
        try prepare()
        try change()
        PostgreSQLRowStore.doWork(on: store, of: migration.model.index)
    }

    /// Fills columns of large tables beside programs at work, where that makes the transaction shorter.
    private func prepare() throws {
        let metadata = try metadata()
        if try isDone(metadata) { return }
        let plan = try plan()
        if plan.spares.isEmpty { return }
        try check(plan, metadata: metadata)
        let count = plan.steps.count
        try store.fill(plan.spares) { _ in migration.progress(0, count) }
    }

    /// Runs the steps in one transaction, with nobody else at it who goes by the older version unless the steps only add.
    ///
    /// - Parameter unlimited: the names of indexes that rows have too long values for.
    private func change(unlimited: Set<String> = []) throws {
        do {
            try connection.transaction {
                try connection.run(catalogue.exclusion)
                let metadata = try metadata()
                // Another program may have migrated the store while this one waited for it.
                if try isDone(metadata) { return }
                let plan = try plan(unlimited: unlimited)
                if !plan.isAdditive {
                    try store.waitUntilClosed(seconds: Double(Self.timeout))
                }
                try check(plan, metadata: metadata)
                try store.limitWaiting(seconds: Self.timeout)
                try store.run(plan, progress: migration.progress)
                try record(plan, metadata: metadata)
            }
        } catch let doubt as UncertainCommit {
            try resolve(doubt)
        } catch let failure as ServerFailure where failure.kind == .limit {
            // The failing statement is the one that makes the index.
            guard let index = failure.sql.flatMap(IndexShape.name(madeBy:)),
                !unlimited.contains(index)
            else { throw failure }
            try change(unlimited: unlimited.union([index]))
        }
    }

    private func record(_ plan: MigrationPlan, metadata: StoreMetadata) throws {
        let index = migration.model.index
        var metadata = metadata
        metadata.name(migration.model)
        try store.record(
            plan, metadata: StoredMetadata(uuid: metadata.uuid, propertyList: metadata.propertyList()),
            model: CachedModel.data(for: index.model),
            checksum: VersionHash.checksum(of: VersionHash.hashes(of: index).mapValues(\.data)))
    }

    /// Finds out whether a migration stands whose connection was lost at its end.
    private func resolve(_ doubt: UncertainCommit) throws {
        let other = try PostgreSQLMigration(migration, options: options, at: url)
        defer { other.close() }
        // The lost transaction, as long as it goes on, keeps this one waiting.
        let isMigrated = try other.connection.transaction {
            try other.connection.run(other.catalogue.exclusion)
            return try other.isDone(other.metadata())
        }
        guard isMigrated else { throw doubt.failure }
        Log.warning("the connection was lost after a migration, which the server has committed")
    }

    private func metadata() throws -> StoreMetadata {
        try PostgreSQLRowStore.read(connection.metadata(catalogue))
    }

    /// Returns whether the store is of the newer version.
    private func isDone(_ metadata: StoreMetadata) throws -> Bool {
        try PostgreSQLVersions.differences(migration.model.index, members: nil, metadata: metadata).isEmpty
    }

    /// Plans the way from the store's own copy of its model, by which its tables have their names.
    private func plan(isPrepared: Bool = false, unlimited: Set<String> = []) throws -> MigrationPlan {
        let kept = try PostgreSQLRowStore.keptModel(of: store, at: url).map { ModelIndex($0) }
        return try store.plan(
            from: kept ?? migration.source, to: migration.model.index, by: migration.difference,
            largeFrom: options.largeTableSize, isPrepared: isPrepared,
            unlimited: unlimited)
    }

    private func check(_ plan: MigrationPlan, metadata: StoreMetadata) throws {
        try MigrationFailure.check(
            unmet: store.unmetCheck(of: plan), misfit: { try store.misfit(of: plan) }, of: metadata.uuid,
            file: url)
    }

    // MARK: The plan, for people

    func plannedSteps() throws -> [PlannedStep] {
        try connection.readOnly {
            let plan = try plan(isPrepared: true)
            try check(plan, metadata: metadata())
            return try steps(of: plan)
        }
    }

    private func steps(of plan: MigrationPlan) throws -> [PlannedStep] {
        func step(_ summary: String, statements: [String] = []) -> PlannedStep {
            PlannedStep(summary: summary, count: nil, losesData: false, statements: statements)
        }
        let waits =
            plan.isAdditive
            ? "let programs with the older version go on" : "wait until nobody has the store open"
        let before = plan.spares.enumerated().map { position, spare in
            var numbered = spare
            numbered.number = Int64(position + 1)
            return step(
                "beside programs at work: fill \(spare.table).\(spare.column)",
                statements: catalogue.definitions(of: numbered).map(\.inlined))
        }
        let steps = try plan.steps.map { step in
            PlannedStep(
                summary: step.summary, count: try step.count.map { try connection.fetchCount($0) },
                losesData: step.losesData, statements: step.statements.map(\.inlined))
        }
        let after = plan.workLeft.map { work in
            step(
                "beside programs at work: \(work.summary)",
                statements: [work.preparation, work.statement].compactMap(\.self))
        }
        return before + [step(waits)] + steps + after
    }
}

extension PostgreSQLErrors {
    /// The error of a migration.
    static func migration(_ error: any Error, to index: ModelIndex, file url: URL) -> NSError {
        switch error {
        case let use as StoreInUse: return inUse(use.holders, file: url)
        case let failure as ServerFailure:
            let underlying = Self.error(failure, occasion: .saving, url: url)
            switch failure.kind {
            case .timeout: return inUse([], underlying: underlying, file: url)
            case .unique: return notUnique(failure, in: index, underlying: underlying, file: url)
            case .full, .connection, .crowded, .access, .address: return underlying
            default: return MigrationFailure.inPlace(underlying, file: url)
            }
        default: return ErrorMapping.error(error, occasion: .opening, file: url) as NSError
        }
    }

    static func inUse(
        _ holders: [ConnectedStore.Holder],
        sentence: String = "The persistent store is in use and can't be migrated.",
        underlying: NSError? = nil, file url: URL
    ) -> NSError {
        let list = holders.map(\.description).joined(separator: ", ")
        return CoreDataError.make(
            ErrorCode.timeout, description: sentence, file: url,
            reason: holders.isEmpty
                ? "Another process or coordinator uses the store's tables."
                : "Another process or coordinator has the store open: \(list).",
            underlying: underlying)
    }

    private static func notUnique(
        _ failure: ServerFailure, in index: ModelIndex, underlying: NSError, file url: URL
    ) -> NSError {
        // A store whose entities' names clash may have given the index another number.
        let indexes = try? LayoutBuilder.blueprint(for: index, form: .postgreSQL).indexes()
        let refused = constraint(failure, indexes: indexes ?? [], url: url)
        return CoreDataError.make(
            ErrorCode.migrationConstraintViolation, description: MigrationFailure.sentence, file: url,
            entity: refused?.userInfo[CoreDataError.Key.entity] as? String,
            reason: refused?.localizedDescription ?? failure.message, underlying: underlying)
    }
}
