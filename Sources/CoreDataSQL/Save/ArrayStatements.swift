// The statements that read and write many rows of one table at once: each column's values are one parameter, an array, so
// that there is one statement for any number of rows. For PostgreSQL.

import CoreDataSchema

/// Statements over rows by key and version.
package struct ArrayStatements: Sendable {
    private let table: EntityTable
    private let dialect: PostgreSQLDialect

    package init(_ table: EntityTable, in dialect: PostgreSQLDialect) {
        self.table = table
        self.dialect = dialect
    }

    private static let keys = SQLFragment(segments: [.parameter(nil, .named("bigint[]"))])

    /// Binds keys, versions, and the columns of the steps.
    ///
    ///     INSERT INTO "person" ("object_id", "object_entity", "object_version", "name")
    ///     SELECT k, 5, v, c0 FROM unnest($1::bigint[], $2::bigint[], $3::text[]) AS u(k, v, c0)
    package func insertion(_ steps: [EncodeStep]) -> String {
        let columns = steps.flatMap(\.columns)
        let text: SQLFragment = """
            INSERT INTO \(name: table.table) (\(names: table.head.all + columns))\(overriding) \
            SELECT \(values(["k", String(table.number), "v"], columns: columns)) \
            FROM \(rows([("k", Self.keys), ("v", Self.keys)], steps: steps))
            """
        return text.text(in: dialect)
    }

    /// Binds keys, the versions that the rows must have, the new ones, and the columns of the steps. The result is the keys
    /// of the rows that had their versions.
    ///
    ///     UPDATE "person" AS t SET "object_version" = u.n, "name" = u.c0 FROM unnest(…) AS u(k, v, n, c0)
    ///     WHERE t."object_id" = u.k AND COALESCE(t."object_version", 0) = u.v RETURNING t."object_id"
    package func update(_ steps: [EncodeStep]) -> String {
        let columns = steps.flatMap(\.columns).enumerated().map {
            "\(name: $1) = u.c\(number: $0)" as SQLFragment
        }
        let settings = ["\(name: table.head.version) = u.n"] + columns
        let text: SQLFragment = """
            UPDATE \(name: table.table) AS t SET \(settings.joined(separator: ", ")) \
            FROM \(rows([("k", Self.keys), ("v", Self.keys), ("n", Self.keys)], steps: steps)) \
            WHERE t.\(name: table.head.key) = u.k AND \(version) = u.v RETURNING t.\(name: table.head.key)
            """
        return text.text(in: dialect)
    }

    /// Binds keys and the versions that the rows must have, `RowVersion.any` for one that may have any. The result is the
    /// keys of the rows that are gone.
    package var deletion: String {
        let text: SQLFragment = """
            DELETE FROM \(name: table.table) AS t USING \(rows([("k", Self.keys), ("v", Self.keys)], steps: [])) \
            WHERE t.\(name: table.head.key) = u.k AND (u.v = \(number: RowVersion.any) OR \(version) = u.v) \
            RETURNING t.\(name: table.head.key)
            """
        return text.text(in: dialect)
    }

    /// Rows with one of the keys that are bound; the result's columns are those of `FetchDescription.Result.rows`.
    package func selection(_ columns: [String]) -> String {
        selection(columns, where: "\(name: table.head.key) = ANY(\(Self.keys))")
    }

    /// The row with the key that is bound, an integer in binary form. The server plans it in less time than an array.
    package func singleSelection(_ columns: [String]) -> String {
        selection(columns, where: "\(name: table.head.key) = \(slot: .named("bigint"))")
    }

    private func selection(_ columns: [String], where condition: SQLFragment) -> String {
        let heads = (table.isPolymorphic ? [table.head.entity] : []) + [table.head.key, table.head.version]
        let text: SQLFragment = """
            SELECT \(names: heads + columns) FROM \(name: table.table) WHERE \(condition)
            """
        return text.text(in: dialect)
    }

    /// Somebody else's keys may be identities that are always generated.
    private var overriding: SQLFragment { table.isStated ? " OVERRIDING SYSTEM VALUE" : "" }

    private var version: SQLFragment { dialect.ifNull("t.\(name: table.head.version)", and: "0") }

    private func values(_ heads: [String], columns: [String]) -> SQLFragment {
        let all = heads + columns.indices.map { "c\($0)" }
        return SQLFragment(stringLiteral: all.joined(separator: ", "))
    }

    /// The arrays as a table.
    private func rows(_ heads: [(name: String, sql: SQLFragment)], steps: [EncodeStep]) -> SQLFragment {
        let arrays = steps.flatMap { step in
            [Self.array(step.cell.kind)] + (step.cell.hasEntity ? [Self.keys] : [])
        }
        let names = heads.map(\.name) + arrays.indices.map { "c\($0)" }
        let all = (heads.map(\.sql) + arrays).joined(separator: ", ")
        return "unnest(\(all)) AS u(\(sql: names.joined(separator: ", ")))"
    }

    /// Decimals come as texts.
    private static func array(_ kind: SlotKind) -> SQLFragment {
        func of(_ type: String) -> SQLFragment { "\(slot: .named(type + "[]"))" }
        return switch kind {
        case .integer16, .integer32, .integer64, .toOne, .toOneOfSeveral: keys
        case .boolean: of("boolean")
        case .double, .float: of("double precision")
        case .date: of("timestamptz")
        case .string, .uri: of("text")
        case .uuid: of("uuid")
        case .decimal: "CAST(\(of("text")) AS numeric[])"
        case .data, .externalData, .transformable, .object: of("bytea")
        }
    }
}
