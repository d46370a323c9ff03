// The statements that make a new store in a PostgreSQL database: tables as a person would make them in the schema of
// choice, and what a store knows about itself in a schema beside it (`PostgreSQLCatalogue`).

import CoreDataSchema
package import Foundation

/// DDL and first rows of a store.
package struct PostgreSQLSchema: Sendable {
    let blueprint: StoreBlueprint
    let catalogue: PostgreSQLCatalogue
    let schema: String
    private let dialect: PostgreSQLDialect

    /// - Parameter schema: that of the tables, into which the connection makes new ones.
    package init(_ blueprint: StoreBlueprint, schema: String) {
        self.blueprint = blueprint
        self.schema = schema
        dialect = PostgreSQLDialect()
        catalogue = PostgreSQLCatalogue(schemaOfTables: schema)
    }

    /// To run in one transaction, in this order. `uuid` and `propertyList` are the store's metadata (`StoreMetadata`), `model` its
    /// model as a file of Apple's holds it.
    ///
    /// Tables among `existing` whose names the model states are taken over.
    ///
    /// - Parameters:
    ///   - checksum: the model's version.
    ///   - makesFunctions: whether the database lacks the functions that statements call. Only who made them may replace them.
    package func statements(
        uuid: String, propertyList: Data, model: Data?, checksum: String,
        existing: [String: ExistingTable] = [:], makesFunctions: Bool = true
    ) throws -> [SQLStatement] {
        let adoption = TableAdoption(blueprint, in: schema, existing: existing)
        let adopted = try adoption.statements()
        var blueprint = blueprint
        blueprint.tables.removeAll { adoption.includes($0.name) }
        blueprint.joins.removeAll { adoption.includes($0.table) }
        let indexes = try self.blueprint.indexes().filter { !adoption.includes($0.table) }
        try checkNames(blueprint, indexes: indexes)
        let made: SQLFragment = "CREATE SCHEMA IF NOT EXISTS \(name: schema)"
        var statements = [made.statement(in: dialect)]
        if makesFunctions { statements += PostgreSQLFunctions.definitions(for: dialect) }
        for text in blueprint.definitions + indexes.map(\.text) { statements.append(SQLStatement(text)) }
        for table in blueprint.tables { statements += keys(table).map { $0.statement(in: dialect) } }
        let own = foreignKeys.filter { !adoption.includes($0.table) }.map { $0.addition() }
        for text in own + comments(blueprint) + catalogue.definitions + adopted {
            statements.append(text.statement(in: dialect))
        }
        statements.append(catalogue.insertion(uuid: uuid, propertyList: propertyList, model: model))
        statements.append(catalogue.addVersion(checksum))
        return statements + catalogue.entityRows(self.blueprint) + (try derivations.definitions)
    }

    /// The triggers that keep derived attributes. Throws for one that can't be kept up to date.
    package var derivations: PostgreSQLDerivations {
        get throws { try PostgreSQLDerivations(blueprint.index, layout: blueprint.layout(), schema: schema) }
    }

    /// The statements that take the store away, with all that is in its tables.
    ///
    /// - Parameter adopted: the tables that it was laid over, with the columns that it added to them: those stay but for the columns.
    package func destruction(adopted: [String: [String]] = [:]) -> [SQLStatement] {
        let tables = (blueprint.tables.map(\.name) + blueprint.joins.map(\.table)).filter {
            adopted[$0] == nil
        }
        var texts: [SQLFragment] = tables.isEmpty ? [] : ["DROP TABLE \(names: tables)"]
        texts.append("DROP SCHEMA \(name: catalogue.schema) CASCADE")
        for (table, columns) in adopted.sorted(by: { $0.key < $1.key }) {
            texts += columns.map { "ALTER TABLE \(name: table) DROP COLUMN \(name: $0)" }
            texts.append("DROP SEQUENCE IF EXISTS \(name: PlainNaming.name(table, suffix: "_key_seq"))")
        }
        return texts.map { $0.statement(in: dialect) }
    }

    /// Tables, indexes and sequences have names of their own in a schema.
    func checkNames(_ blueprint: StoreBlueprint, indexes: [IndexShape]) throws {
        var taken: Set<String> = []
        let names =
            blueprint.tables.flatMap { [$0.name, Self.sequence($0)] } + blueprint.joins.map(\.table)
            + indexes.map(\.name)
        for name in names where !taken.insert(name).inserted {
            let table = blueprint.tables.first { $0.name == name || Self.sequence($0) == name }?.rootName
            let entity = blueprint.joins.first { $0.table == name }?.owner.entity ?? table ?? name
            throw LayoutFailure(
                entity: entity,
                "two tables, sequences or indexes would have the name \"\(name)\"; give one another by postgreSQLTable"
            )
        }
    }

    // MARK: Keys

    /// Keys are taken in blocks of this size: a sequence counts blocks.
    package static let keysPerBlock: Int64 = 64

    static func sequence(_ table: TableShape) -> String { sequence(ofTable: table.name) }
    static func sequence(ofTable name: String) -> String { PlainNaming.name(name, suffix: "_key_seq") }

    /// The sequence of a table's keys, and what a row gets that `INSERT` gives no key.
    func keys(_ table: TableShape) -> [SQLFragment] {
        let head = table.head
        let sequence = SQLFragment(name: Self.sequence(table))
        func alter(_ column: String, _ change: SQLFragment) -> SQLFragment {
            "ALTER TABLE \(name: table.name) ALTER COLUMN \(name: column) \(change)"
        }
        let literal = sqlText(quoted(identifier: Self.sequence(table)))
        var changes: [SQLFragment] = [
            """
            CREATE SEQUENCE \(sequence) INCREMENT BY \(number: Self.keysPerBlock) \
            OWNED BY \(name: table.name).\(name: head.key)
            """,
            alter(head.key, "SET DEFAULT nextval(\(sql: literal))"), alter(head.version, "SET DEFAULT 1"),
            alter(head.version, "SET NOT NULL"), alter(head.entity, "SET NOT NULL"),
        ]
        if !table.isPolymorphic, let number = blueprint.numbering.numbers[table.rootName] {
            changes.append(alter(head.entity, "SET DEFAULT \(number: number)"))
        }
        return changes
    }

    /// Gives the first keys of so many blocks of a table, which follow each other unless somebody else takes keys without
    /// waiting, as `INSERT` without a key does.
    package static func takeBlocks(_ count: Int, from source: KeySource) -> SQLStatement {
        let sequence = source.sequence
        let text: SQLFragment = """
            WITH turn AS MATERIALIZED (SELECT pg_advisory_xact_lock(1129268819, \(regclass(sequence))::oid::integer)) \
            SELECT nextval(\(regclass(sequence))) FROM turn, \
            generate_series(1, \(binding: .integer(Int64(count)), as: .named("integer")))
            """
        return text.statement(in: PostgreSQLDialect())
    }

    /// Gives the first keys of so many blocks of a table.
    package static func takeScatteredBlocks(_ count: Int, from source: KeySource) -> SQLStatement {
        let sequence = source.sequence
        let count = SQLFragment(binding: .integer(Int64(count)), as: .named("integer"))
        let text: SQLFragment = "SELECT nextval(\(regclass(sequence))) FROM generate_series(1, \(count))"
        return text.statement(in: PostgreSQLDialect())
    }

    private static func regclass(_ sequence: String) -> SQLFragment {
        "\(binding: .text(sequence), as: .named("regclass"))"
    }

    // MARK: Foreign keys

    /// Foreign keys where the delete rules of the model keep them whole: a relationship without inverse, or with one that
    /// takes no notice of deletions, may lead to a row that is gone.
    var foreignKeys: [ForeignKeyShape] {
        let layout = blueprint.layout()
        let distributed = Set(blueprint.tables.filter { $0.distribution != nil }.map(\.name))
        let own = blueprint.slots.sorted {
            ($0.key.entity, $0.key.property) < ($1.key.entity, $1.key.property)
        }
        .compactMap { address, place -> ForeignKeyShape? in
            guard case .toOne(let column, _, _, let destination) = place, isKept(address),
                let table = layout[address.entity], let target = layout[destination],
                distributed.isDisjoint(with: [table.table, target.table])
            else { return nil }
            return ForeignKeyShape(table: table.table, column: column, target: target)
        }
        return own
            + blueprint.joins.flatMap { join -> [ForeignKeyShape] in
                guard case .join(let columns)? = blueprint.slots[join.owner],
                    let source = layout[join.owner.entity],
                    let target = layout[columns.destination], isKept(join.owner), isKept(join.inverse),
                    distributed.isDisjoint(with: [source.table, target.table])
                else { return [] }
                return [
                    ForeignKeyShape(
                        table: join.table, column: columns.sourceColumn, target: source, isLink: true),
                    ForeignKeyShape(
                        table: join.table, column: columns.destinationColumn, target: target, isLink: true),
                ]
            }
    }

    private func isKept(_ address: PropertyAddress) -> Bool {
        let property = blueprint.index.entity(address.entity)?.propertiesByName[address.property]
        guard let traits = property?.relationship, let inverse = traits.inverseName else { return false }
        let destination = blueprint.index.entity(traits.destinationEntityName)
        return destination?.propertiesByName[inverse]?.relationship?.deleteRule != .noAction
    }

    // MARK: Comments

    /// On the tables of a blueprint, which may lack some.
    func comments(_ blueprint: StoreBlueprint) -> [SQLFragment] {
        let layout = blueprint.layout()
        let tables = blueprint.tables.map { table -> SQLFragment in
            let names = blueprint.numbering.subtree(of: table.rootName, in: blueprint.index)
            return comment(
                "TABLE \(name: table.name)",
                text: (names.count > 1 ? "Entities " : "Entity ") + names.joined(separator: ", "))
        }
        let joins = blueprint.joins.map { join in
            comment(
                "TABLE \(name: join.table)", text: "\(text(join.owner)) and its inverse \(text(join.inverse))"
            )
        }
        let columns = blueprint.slots.sorted {
            ($0.key.entity, $0.key.property) < ($1.key.entity, $1.key.property)
        }
        .flatMap { address, place -> [SQLFragment] in
            guard let table = layout[address.entity]?.table else { return [] }
            return place.columns.map { column, path in
                comment(
                    "COLUMN \(name: place.table ?? table).\(name: column)",
                    text: ([text(address)] + path).joined(separator: "."))
            }
        }
        return tables + joins + columns
    }

    private func text(_ address: PropertyAddress) -> String { "\(address.entity).\(address.property)" }

    private func comment(_ subject: SQLFragment, text: String) -> SQLFragment {
        "COMMENT ON \(subject) IS \(sql: sqlText(text))"
    }
}

extension PropertyColumn {
    /// The columns of values and keys with the paths below the property; none for join tables, which have a comment as such.
    fileprivate var columns: [(column: String, path: [String])] {
        switch self {
        case .attribute(let column, _): [(column, [])]
        case .toOne(let column, _, _, _), .toMany(_, let column, _, _, _): [(column, [])]
        case .composite(let elements):
            elements.sorted { $0.key < $1.key }.flatMap { name, place in
                place.columns.map { ($0.column, [name] + $0.path) }
            }
        case .join: []
        }
    }

    /// The table, where it isn't that of the entity.
    fileprivate var table: String? {
        if case .toMany(let table, _, _, _, _) = self { table } else { nil }
    }
}
