// The view that tools have of an open store.

import CoreDataPostgreSQLEngine
package import CoreDataSQL
import CoreDataSchema
package import CoreDataStores
import Foundation

extension PostgreSQLRowStore: StoreInspection {
    private func opened() throws -> PostgreSQLTables {
        guard let tables else { throw StoreErrors.removed(host.url) }
        return tables
    }

    package func statement(
        for fetch: FetchDescription, deliversRows: Bool
    ) throws -> (statement: SQLStatement, plan: [String]) {
        let tables = try opened()
        return try mapping(.fetching) {
            var fetch = fetch
            if deliversRows, let entity = tables.model.runtime(named: fetch.entityName) {
                fetch.result = .rows(columns: try tables.decoder(entity).columns)
            }
            let statement = try tables.planner().statement(for: fetch)
            return (statement, try tables.connection().plan(of: statement))
        }
    }

    package func plan(ofSQL sql: String) throws -> [String] {
        let tables = try opened()
        return try mapping(.fetching) { try tables.connection().plan(of: SQLStatement(sql)) }
    }

    package func findings() throws -> [StoreFinding] {
        let tables = try opened()
        return try mapping(.fetching) {
            let store = try ConnectedStore(tables.connection())
            let blueprint = try store.blueprint(of: tables.model.index)
            let catalog = try store.catalog(of: blueprint)
            let left = Set(try store.work().map(\.work.summary))
            return Self.missingPlaces(of: blueprint, in: catalog)
                + (try Self.missingIndexes(of: blueprint, in: catalog, left: left))
                + (try Self.unknownRows(of: blueprint, in: catalog, by: store.connection))
        }
    }

    private static func missingPlaces(
        of blueprint: StoreBlueprint, in catalog: StoreCatalog
    ) -> [StoreFinding] {
        let places =
            blueprint.tables.map { ($0.name, $0.columns.map(\.name)) }
            + blueprint.joins.map { ($0.table, $0.keyColumns + $0.orderColumns) }
        return places.flatMap { table, columns -> [StoreFinding] in
            guard let found = catalog.tables[table] else {
                return [finding("layout", explanation: "the table \(table) is missing", isHarmful: true)]
            }
            let names = Set(found.map(\.name))
            return columns.filter { !names.contains($0) }.map {
                finding("layout", explanation: "the column \(table).\($0) is missing", isHarmful: true)
            }
        }
    }

    /// - Parameter left: what a migration is still to do.
    private static func missingIndexes(
        of blueprint: StoreBlueprint, in catalog: StoreCatalog, left: Set<String>
    ) throws -> [StoreFinding] {
        let names = Set(catalog.indexes.map(\.name))
        return try blueprint.indexes().filter { !names.contains($0.name) && catalog.tables[$0.table] != nil }
            .filter { !left.contains("make index \($0.name)") }
            .map { finding("layout", explanation: "the index \($0.name) is missing", isHarmful: $0.isUnique) }
    }

    /// Rows of tables of several entities that are of none of them.
    private static func unknownRows(
        of blueprint: StoreBlueprint, in catalog: StoreCatalog, by connection: ServerConnection
    ) throws -> [StoreFinding] {
        let layout = blueprint.layout()
        return try blueprint.tables.filter { $0.isPolymorphic && catalog.tables[$0.name] != nil }.compactMap {
            table in
            guard let root = layout[table.rootName] else { return nil }
            let text: SQLFragment = """
                SELECT \(name: root.head.key) FROM \(name: table.name) \
                WHERE \(name: root.head.entity) NOT IN (\(numbers: root.subtreeNumbers)) ORDER BY 1
                """
            let rows = try connection.integers(text.statement(in: blueprint.form.dialect))
            if rows.isEmpty { return nil }
            return StoreFinding(
                check: "entities", explanation: "rows of \(table.name) are of no entity of the model",
                rows: rows.prefix(20).map { "\(table.name) \($0)" }, count: rows.count, isHarmful: true)
        }
    }

    private static func finding(_ check: String, explanation: String, isHarmful: Bool) -> StoreFinding {
        StoreFinding(check: check, explanation: explanation, rows: [], count: 1, isHarmful: isHarmful)
    }
}
