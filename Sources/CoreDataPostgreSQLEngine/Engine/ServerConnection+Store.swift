// A store's data about itself: its tables, metadata, model and keys.

package import CoreDataSQL
package import Foundation

/// The metadata of a store as its table holds them.
package struct StoredMetadata: Sendable {
    package let uuid: String
    package let propertyList: Data

    package init(uuid: String, propertyList: Data) {
        self.uuid = uuid
        self.propertyList = propertyList
    }
}

extension ServerConnection {
    /// The schema that new tables go to and that tables are looked for in: the first of the search path that is there, or
    /// the one that the address names.
    package func schemaOfTables() throws -> String {
        let result = try run("SELECT current_schema()::text")
        guard result.rowCount == 1, !result.isNull(0, column: 0) else { return address.schema }
        let found = String(decoding: result.bytes(0, column: 0), as: UTF8.self)
        // A search path may name several, the first of which isn't there yet.
        return address.schema == "public" ? found : address.schema
    }

    /// Indicates whether there is a store.
    package func hasStore(_ catalogue: PostgreSQLCatalogue) throws -> Bool {
        try run(catalogue.isThere).rowCount > 0
    }

    /// The store's row about itself. Throws for one of a form that another release made.
    package func metadata(_ catalogue: PostgreSQLCatalogue) throws -> StoredMetadata {
        guard let row = try fetchValues(catalogue.store).first, case .integer(let format) = row[0],
            case .text(let uuid) = row[1], case .blob(let list) = row[2]
        else { throw ServerFailure(.schema, message: "The schema \(catalogue.schema) holds no store.") }
        if format != PostgreSQLCatalogue.format {
            throw ServerFailure(
                .server,
                message:
                    "The store has the form \(format), and this library reads the form \(PostgreSQLCatalogue.format)."
            )
        }
        return StoredMetadata(uuid: uuid, propertyList: list)
    }

    /// The store's own copy of its model.
    package func model(_ catalogue: PostgreSQLCatalogue) throws -> Data? {
        guard case .blob(let data)? = try fetchValues(catalogue.model).first?.first else { return nil }
        return data
    }

    /// The numbers of the store's entities, by name.
    package func entityNumbers(_ catalogue: PostgreSQLCatalogue) throws -> [String: Int] {
        var numbers: [String: Int] = [:]
        for row in try fetchValues(catalogue.entities) {
            if case .integer(let number) = row[0], case .text(let name) = row[1] {
                numbers[name] = Int(number)
            }
        }
        return numbers
    }

    /// The tables that a schema has, whoever made them.
    package func existingTables(in schema: String) throws -> [String: ExistingTable] {
        let queries = ExistingTables(in: schema)
        return ExistingTables.read(
            columns: try fetchValues(queries.columns), constraints: try fetchValues(queries.constraints),
            indexes: try fetchValues(queries.indexes))
    }

    /// The tables that a store was laid over, with the columns that it added to them.
    package func adoptedTables(_ catalogue: PostgreSQLCatalogue) throws -> [String: [String]] {
        var tables: [String: [String]] = [:]
        if try run(catalogue.hasAdopted).rowCount == 0 { return tables }
        for row in try fetchValues(catalogue.adoptedColumns) {
            guard case .text(let table) = row[0] else { continue }
            tables[table, default: []] += { if case .text(let column) = row[1] { [column] } else { [] } }()
        }
        return tables
    }

    /// Makes a store's tables and first rows, all or nothing. Returns false, and does nothing, if somebody else was quicker.
    package func create(_ catalogue: PostgreSQLCatalogue, statements: [SQLStatement]) throws -> Bool {
        try transaction {
            try run(catalogue.exclusionOfMakers)
            try run(catalogue.exclusion)
            if try hasStore(catalogue) { return false }
            for statement in statements { try send(statement) }
            try finish()
            return true
        }
    }

    /// Takes fresh keys of a table, which needn't follow each other: nobody has to wait for the transaction's end.
    package func takeScatteredKeys(_ count: Int, of table: EntityTable, from source: KeySource? = nil)
        throws -> [Int64]
    {
        let source = source ?? KeySource(ofTable: table.table)
        let size = source.block
        let blocks = (Int64(count) + size - 1) / size
        let result = try run(PostgreSQLSchema.takeScatteredBlocks(Int(blocks), from: source))
        let keys = (0..<result.rowCount).flatMap { row in
            let first = result.integer(row, column: 0)
            return first..<first + size
        }
        return Array(keys.prefix(count))
    }

    /// Takes fresh keys of a table that follow each other, some whole blocks of them.
    ///
    /// - Returns: as many keys as are wanted, and more.
    package func takeKeys(_ count: Int, of table: EntityTable, from source: KeySource? = nil) throws -> Range<
        Int64
    > {
        let source = source ?? KeySource(ofTable: table.table)
        let size = source.block
        let blocks = max(1, (Int64(count) + size - 1) / size)
        // Others' insertions without a key may come in between, but hardly again and again.
        for _ in 0..<100 {
            let result = try run(PostgreSQLSchema.takeBlocks(Int(blocks), from: source))
            let keys = (0..<result.rowCount).map { result.integer($0, column: 0) }
            if let first = keys.first, keys.enumerated().allSatisfy({ $1 == first + Int64($0) * size }) {
                return first..<first + blocks * size
            }
        }
        throw ServerFailure(.timeout, message: "Others take keys of \(table.table) all the time.")
    }
}
