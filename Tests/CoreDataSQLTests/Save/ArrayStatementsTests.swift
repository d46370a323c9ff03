// Statements over many rows, whose values come as arrays.

import CoreDataSQL
import CoreDataSchema
import CoreDataTestSupport
import Testing

struct ArrayStatementsTests {
    private let statements: ArrayStatements
    private let steps: [EncodeStep]

    init() throws {
        let store = try LayoutBuilder.layout(for: Staff.index, form: .postgreSQL)
        let entity = try #require(Staff.index.entity("Person"))
        let (table, layout) = (try #require(store["Person"]), RowLayout(entity: entity, in: Staff.index))
        statements = ArrayStatements(table, in: PostgreSQLDialect())
        steps = ["name", "balance", "boss"].compactMap { name in
            layout.slot(named: name).flatMap { EncodeStep($0, table: table, layouts: [:], numbers: [:]) }
        }
    }

    @Test func insertion() {
        expect(
            statements.insertion(steps),
            equals: """
                INSERT INTO "person" ("object_id", "object_entity", "object_version", "name", "balance", "boss_id", \
                "boss_entity") SELECT k, 3, v, c0, c1, c2, c3 FROM unnest($1::bigint[], $2::bigint[], $3::text[], \
                CAST($4::text[] AS numeric[]), $5::bigint[], $6::bigint[]) AS u(k, v, c0, c1, c2, c3)
                """)
    }

    @Test func update() {
        expect(
            statements.update(Array(steps.prefix(1))),
            equals: """
                UPDATE "person" AS t SET "object_version" = u.n, "name" = u.c0 FROM unnest($1::bigint[], $2::bigint[], \
                $3::bigint[], $4::text[]) AS u(k, v, n, c0) WHERE t."object_id" = u.k \
                AND COALESCE(t."object_version", 0) = u.v RETURNING t."object_id"
                """)
    }

    @Test func deletionAndSelection() {
        expect(
            statements.deletion,
            equals: """
                DELETE FROM "person" AS t USING unnest($1::bigint[], $2::bigint[]) AS u(k, v) \
                WHERE t."object_id" = u.k AND (u.v = 0 OR COALESCE(t."object_version", 0) = u.v) RETURNING t."object_id"
                """)
        expect(
            statements.selection(["name"]),
            equals: """
                SELECT "object_entity", "object_id", "object_version", "name" FROM "person" \
                WHERE "object_id" = ANY($1::bigint[])
                """)
    }
}
