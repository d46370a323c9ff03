// The migration of a store: what there is, the plan, and its steps. The transaction is the caller's.

package import CoreDataSQL
package import CoreDataSchema
package import Foundation

extension ConnectedStore {
    // MARK: The plan

    /// Plans a migration.
    ///
    /// - Parameters:
    ///   - source: the version that the store is of.
    ///   - destination: the version that it is to be of.
    ///   - difference: leads from one to the other.
    ///   - size: the bytes from which on a table is large.
    ///   - unlimited: the names of new indexes that have to take values of any size.
    ///   - isPrepared: whether to plan as if all columns that are better filled before were filled.
    package func plan(
        from source: ModelIndex, to destination: ModelIndex, by difference: SchemaDifference,
        largeFrom size: Int64, isPrepared: Bool = false, unlimited: Set<String> = []
    ) throws -> MigrationPlan {
        let old = try blueprint(of: source)
        let new = try LayoutBuilder.blueprint(for: destination, migrating: old, by: difference)
        if old.statesTables || new.statesTables {
            throw LayoutFailure(
                entity: "", "a store over tables whose names its model states isn't migrated by itself")
        }
        var parts = try parts(largeFrom: size)
        parts.unlimitedIndexes = unlimited
        parts.lookups = try lookups(of: old)
        let catalog = try catalog(of: old)
        var plan = try MigrationPlanner.plan(
            from: old, catalog: catalog, to: new, difference: difference, on: parts)
        if !isPrepared || plan.spares.isEmpty { return plan }
        let wanted = plan.spares
        parts.spares = wanted.enumerated().map { position, spare in
            var spare = spare
            (spare.number, spare.isFilled) = (Int64(position + 1), true)
            return spare
        }
        plan = try MigrationPlanner.plan(
            from: old, catalog: catalog, to: new, difference: difference, on: parts)
        plan.spares = wanted
        return plan
    }

    /// Tables and indexes that there are of a version's.
    package func catalog(of blueprint: StoreBlueprint) throws -> StoreCatalog {
        var catalog = StoreCatalog()
        let queries = PostgreSQLDialect().catalogue
        for row in try connection.fetchValues(queries.columns) {
            guard case .text(let table) = row[0], case .text(let name) = row[1], case .text(let type) = row[2]
            else { continue }
            var column = StoreCatalog.Column(name: name, type: type)
            if case .integer(let place) = row[3] { column.primaryKeyIndex = Int(place) }
            catalog.tables[table, default: []].append(column)
        }
        let names = Set(try connection.texts(queries.indexes))
        catalog.indexes = try blueprint.indexes().filter { names.contains($0.name) }.map {
            StoreCatalog.Index(name: $0.name, table: $0.table, text: $0.text)
        }
        return catalog
    }

    /// The indexes beside a version's unique ones, by their names.
    private func lookups(of blueprint: StoreBlueprint) throws -> [String: String] {
        let names = Set(try connection.texts(PostgreSQLDialect().catalogue.indexes))
        let unique = try blueprint.indexes().filter { $0.isUnique && names.contains($0.lookupName) }
        return Dictionary(unique.map { ($0.name, $0.lookupName) }) { first, _ in first }
    }

    private func parts(largeFrom size: Int64) throws -> ServerParts {
        var parts = ServerParts(schema: schema)
        for row in try connection.fetchValues(Self.foreignKeys) {
            guard case .text(let table) = row[0], case .text(let name) = row[1] else { continue }
            parts.foreignKeys[table, default: []].insert(name)
        }
        parts.keepsHistory = try connection.hasHistory(ServerHistory(in: catalogue.schema))
        parts.largeTables = Set(try connection.texts(Self.tables(from: size)))
        parts.spares = try spares()
        return parts
    }

    private static let foreignKeys = SQLStatement(
        """
        SELECT c.relname, k.conname FROM pg_constraint AS k JOIN pg_class AS c ON c.oid = k.conrelid \
        WHERE k.contype = 'f' AND c.relnamespace = \(PostgreSQLDialect.currentSchema)
        """)

    private static func tables(from size: Int64) -> SQLStatement {
        let text: SQLFragment = """
            SELECT relname FROM pg_class WHERE relkind = 'r' AND relnamespace = \(sql: PostgreSQLDialect.currentSchema) \
            AND pg_relation_size(oid) >= \(binding: .integer(size))
            """
        return text.statement(in: PostgreSQLDialect())
    }

    // MARK: Checks

    /// The first condition of the plan that rows don't meet.
    package func unmetCheck(of plan: MigrationPlan) throws -> MigrationPlan.Check? {
        try plan.checks.first { try connection.fetchCount($0.count) > 0 }
    }

    /// The first number of the plan that doesn't fit its attribute's newer type.
    package func misfit(
        of plan: MigrationPlan
    ) throws -> (fit: MigrationPlan.Fit, key: Int64, value: SQLBinding)? {
        for fit in plan.fits {
            guard let row = try connection.fetchValues(fit.firstMisfit).first,
                case .integer(let key)? = row.first, let value = row.last
            else { continue }
            return (fit, key, value)
        }
        return nil
    }

    // MARK: Steps

    /// Has statements of the transaction wait for tables that others use, but not so long that those behind them pile up.
    package func limitWaiting(seconds: Int) throws {
        try connection.run("SET LOCAL lock_timeout = '\(seconds)s'")
    }

    /// Runs the steps, each of which is told before it begins.
    package func run(_ plan: MigrationPlan, progress: (_ step: Int, _ count: Int) -> Void) throws {
        for name in try invalidIndexes() {
            let text: SQLFragment = "DROP INDEX \(name: name)"
            try connection.run(text.statement(in: PostgreSQLDialect()))
        }
        for (position, step) in plan.steps.enumerated() {
            progress(position, plan.steps.count)
            for statement in step.statements { try connection.send(statement) }
            try connection.finish()
        }
    }

    /// Those that were being made when the server or the program stopped.
    private func invalidIndexes() throws -> [String] {
        let query = SQLStatement(
            """
            SELECT c.relname FROM pg_index AS i JOIN pg_class AS c ON c.oid = i.indexrelid \
            WHERE NOT i.indisvalid AND c.relnamespace = \(PostgreSQLDialect.currentSchema)
            """)
        return try connection.texts(query)
    }

    /// Says what the store is from now on.
    package func record(
        _ plan: MigrationPlan, metadata: StoredMetadata, model: Data, checksum: String
    ) throws {
        try connection.send(catalogue.write(uuid: metadata.uuid, propertyList: metadata.propertyList))
        try connection.send(catalogue.write(model: model))
        if !plan.isAdditive { try connection.send(catalogue.deleteVersions) }
        try connection.send(catalogue.addVersion(checksum))
        try connection.send(catalogue.deleteAllWork)
        for work in plan.workLeft { try connection.send(catalogue.addWork(work)) }
        try connection.finish()
    }
}
