// A store over tables that exist. They keep their columns, keys and constraints, and get what a store can't do without:
//
// - `object_entity` and `object_version`, with defaults, unless the model states a column of versions;
// - a trigger that raises the version when somebody else changes a row;
// - foreign keys that can be checked at the end of a transaction for who asks for that; for all others nothing changes;
// - a sequence, if the key has none.

import CoreDataSchema

/// The tables that a new store takes over.
package struct TableAdoption: Sendable {
    private let blueprint: StoreBlueprint
    private let catalogue: PostgreSQLCatalogue
    private let schema: String
    private let existing: [String: ExistingTable]

    /// - Parameter existing: the tables of the schema.
    init(_ blueprint: StoreBlueprint, in schema: String, existing: [String: ExistingTable]) {
        self.blueprint = blueprint
        self.schema = schema
        catalogue = PostgreSQLCatalogue(schemaOfTables: schema)
        let stated =
            blueprint.tables.filter(\.isStated).map(\.name)
            + blueprint.joins.filter(blueprint.isStated).map(\.table)
        self.existing = existing.filter { stated.contains($0.key) }
    }

    func includes(_ table: String) -> Bool { existing[table] != nil }

    /// Throws `LayoutFailure` for a table that a store can't be laid over.
    func statements() throws -> [SQLFragment] {
        if existing.isEmpty { return [] }
        var statements: [SQLFragment] = [
            "CREATE TABLE \(catalogue.adopted) (table_name text PRIMARY KEY, added_columns text[] NOT NULL)"
        ]
        for table in blueprint.tables {
            guard let found = existing[table.name] else { continue }
            try check(table, against: found)
            let added = table.head.all.filter { found.column($0) == nil }
            statements +=
                additions(added, to: table) + key(table, in: found) + trigger(table) + deferring(found)
            statements.append(record(table.name, added: added))
        }
        for join in blueprint.joins {
            guard let found = existing[join.table] else { continue }
            for column in join.keyColumns + join.orderColumns where found.column(column)?.isInteger != true {
                throw LayoutFailure(
                    entity: join.owner.entity, property: join.owner.property,
                    "the table \"\(join.table)\" has no integer column \"\(column)\"")
            }
            statements += deferring(found) + [record(join.table, added: [])]
        }
        return statements
    }

    private func record(_ table: String, added: [String]) -> SQLFragment {
        let names = added.map { SQLFragment(stringLiteral: sqlText($0)) }.joined(separator: ", ")
        return "INSERT INTO \(catalogue.adopted) VALUES (\(sql: sqlText(table)), ARRAY[\(names)]::text[])"
    }

    // MARK: Checks

    private func check(_ table: TableShape, against found: ExistingTable) throws {
        guard let key = found.column(table.head.key) else {
            throw LayoutFailure(
                entity: table.rootName,
                "the table \"\(found.name)\" has no column \"\(table.head.key)\" for the key: "
                    + "the user info's \(StatedName.key.rawValue) names it")
        }
        if !key.isInteger || !found.isUnique(key.name) {
            throw LayoutFailure(
                entity: table.rootName,
                "the key \"\(key.name)\" of the table \"\(found.name)\" must be a unique integer, and is a \(key.type)"
            )
        }
        if let version = found.column(table.head.version), !version.isInteger {
            throw LayoutFailure(
                entity: table.rootName,
                "the version \"\(version.name)\" of the table \"\(found.name)\" must be an integer")
        }
        for (address, place) in blueprint.slots {
            guard blueprint.index.entity(address.entity)?.rootName == table.rootName else { continue }
            try check(address, at: place, in: found)
        }
    }

    private func check(_ address: PropertyAddress, at place: PropertyColumn, in found: ExistingTable) throws {
        func need(_ column: String, _ fits: (ExistingTable.Column) -> Bool) throws {
            guard let existing = found.column(column) else {
                throw LayoutFailure(
                    entity: address.entity, property: address.property,
                    "the table \"\(found.name)\" has no column \"\(column)\"")
            }
            if !fits(existing) {
                throw LayoutFailure(
                    entity: address.entity, property: address.property,
                    "the column \"\(column)\" of the table \"\(found.name)\" is of the type \(existing.type)")
            }
        }
        switch place {
        case .attribute(let column, let type): try need(column) { $0.fits(type) }
        case .composite(let elements):
            for element in elements.values { try check(address, at: element, in: found) }
        case .toOne(let column, let entityColumn, let orderColumn, _):
            for name in [column, entityColumn, orderColumn].compactMap(\.self) {
                try need(name, \.isInteger)
            }
        case .toMany(let table, let column, _, _, _) where table == found.name:
            try need(column, \.isInteger)
        case .toMany, .join: break
        }
    }

    // MARK: Changes

    private func additions(_ added: [String], to table: TableShape) -> [SQLFragment] {
        added.map { column in
            let value = column == table.head.entity ? blueprint.numbering.numbers[table.rootName] ?? 0 : 1
            return """
                ALTER TABLE \(name: table.name) ADD COLUMN \(name: column) bigint NOT NULL DEFAULT \(number: value)
                """
        }
    }

    private func key(_ table: TableShape, in found: ExistingTable) -> [SQLFragment] {
        if found.column(table.head.key)?.sequence != nil { return [] }
        let sequence = PostgreSQLSchema.sequence(table)
        let literal = sqlText(quoted(identifier: sequence))
        let step = PostgreSQLSchema.keysPerBlock
        return [
            """
            CREATE SEQUENCE \(name: sequence) INCREMENT BY \(number: step) \
            OWNED BY \(name: table.name).\(name: table.head.key)
            """,
            """
            SELECT setval(\(sql: literal), COALESCE((SELECT MAX(\(name: table.head.key)) FROM \(name: table.name)), 0) \
            + 1, false)
            """,
        ]
    }

    /// An update that doesn't raise the version has it raised, unless the server itself makes it for a foreign key.
    private func trigger(_ table: TableShape) -> [SQLFragment] {
        let name = PlainNaming.fitted("adopt_" + table.name)
        let version = quoted(identifier: table.head.version)
        let body = """
            BEGIN IF pg_trigger_depth() = 1 AND NEW.\(version) IS NOT DISTINCT FROM OLD.\(version) THEN \
            NEW.\(version) := COALESCE(OLD.\(version), 0) + 1; END IF; RETURN NEW; END
            """
        return [
            """
            CREATE FUNCTION \(name: catalogue.schema).\(name: name)() RETURNS trigger LANGUAGE plpgsql \
            AS \(sql: sqlText(body))
            """,
            """
            CREATE TRIGGER \(name: name) BEFORE UPDATE ON \(name: table.name) FOR EACH ROW \
            EXECUTE FUNCTION \(name: catalogue.schema).\(name: name)()
            """,
        ]
    }

    private func deferring(_ found: ExistingTable) -> [SQLFragment] {
        found.foreignKeys.filter { !$0.isDeferrable }.map { key in
            """
            ALTER TABLE \(name: found.name) ALTER CONSTRAINT \(name: key.name) DEFERRABLE INITIALLY IMMEDIATE
            """
        }
    }
}

/// The source of a table's keys.
package struct KeySource: Sendable, Hashable {
    /// The sequence, as the server reads its name.
    package var sequence: String
    /// The keys that each of its numbers stands for, itself and those behind it.
    package var block: Int64

    package init(sequence: String, block: Int64) {
        self.sequence = sequence
        self.block = block
    }

    /// Of a table that a store made.
    package init(ofTable table: String) {
        sequence = quoted(identifier: PlainNaming.name(table, suffix: "_key_seq"))
        block = PostgreSQLSchema.keysPerBlock
    }
}

extension StoreBlueprint {
    /// The sources of the keys of tables that the model states, as far as they have sequences of their own.
    package func keySources(_ existing: [String: ExistingTable]) -> [String: KeySource] {
        var sources: [String: KeySource] = [:]
        for table in tables where table.isStated {
            guard let sequence = existing[table.name]?.column(table.head.key)?.sequence else { continue }
            let own = PostgreSQLSchema.sequence(table)
            if sequence.hasSuffix(own) || sequence.hasSuffix(quoted(identifier: own)) { continue }
            sources[table.name] = KeySource(sequence: sequence, block: 1)
        }
        return sources
    }
}
