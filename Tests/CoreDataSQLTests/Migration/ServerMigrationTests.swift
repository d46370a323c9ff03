// The statements of a migration of a store on a server.

import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Testing

struct ServerMigrationTests {
    private func attribute(
        _ name: String, _ type: AttributeType = .string, default value: Value = .null,
        formerly former: String? = nil
    ) -> PropertySchema {
        var traits = AttributeTraits(type)
        traits.defaultValue = value
        var property = PropertySchema(name: name, kind: .attribute(traits))
        property.renamingIdentifier = former
        return property
    }

    private func plan(
        _ old: [EntitySchema], to new: [EntitySchema], large: Set<String> = [], spares: [SpareColumn] = []
    ) throws -> MigrationPlan {
        let (source, destination) = (
            ModelIndex(ModelSchema(entities: old)), ModelIndex(ModelSchema(entities: new))
        )
        let blueprint = try LayoutBuilder.blueprint(for: source, form: .postgreSQL)
        var catalog = StoreCatalog()
        for table in blueprint.tables {
            let own = ["object_id", "object_entity", "object_version"]
            catalog.tables[table.name] =
                (own + table.columns.map(\.name) + spares.map(\.name)).map { .init(name: $0, type: "bigint") }
        }
        catalog.indexes = try blueprint.indexes().map { .init(name: $0.name, table: $0.table, text: $0.text) }
        let difference = try MappingInference.difference(from: source, to: destination)
        return try MigrationPlanner.plan(
            from: blueprint, catalog: catalog,
            to: LayoutBuilder.blueprint(for: destination, migrating: blueprint, by: difference),
            difference: difference,
            on: ServerParts(schema: "s", keepsHistory: true, largeTables: large, spares: spares))
    }

    /// Without what the store says about itself.
    private func texts(_ plan: MigrationPlan) -> [String] {
        plan.statements.map(\.inlined).filter { !$0.contains("\"coredata_s\"") && !$0.hasPrefix("COMMENT") }
    }

    @Test func anAdditionWritesNoRowsAndLetsOthersGoOn() throws {
        let found = try plan(
            [EntitySchema(name: "B", properties: [attribute("x")])],
            to: [
                EntitySchema(name: "A"),
                EntitySchema(
                    name: "B", properties: [attribute("x"), attribute("y", .boolean, default: .bool(true))]),
            ])
        #expect(found.isAdditive)
        expect(
            texts(found).filter { $0.contains("\"b\"") },
            equals: [
                #"ALTER TABLE "b" ADD COLUMN "y" boolean DEFAULT '1'::boolean"#
            ])
        // The older entity keeps its number.
        #expect(texts(found).contains(#"ALTER TABLE "a" ALTER COLUMN "object_entity" SET DEFAULT 2"#))
    }

    @Test func aRenamingKeepsOthersOutAndIsCarriedIntoTheHistory() throws {
        var former = EntitySchema(name: "Former", properties: [attribute("x"), attribute("gone")])
        var newer = EntitySchema(name: "Newer", properties: [attribute("y", formerly: "x")])
        (former.uniquenessConstraints, newer.uniquenessConstraints) = ([["x"]], [["y"]])
        newer.renamingIdentifier = "Former"
        let found = try plan([former], to: [newer])
        #expect(!found.isAdditive)
        expect(
            texts(found),
            equals: [
                #"ALTER TABLE "former" RENAME TO "newer""#,
                #"ALTER SEQUENCE "former_key_seq" RENAME TO "newer_key_seq""#,
                #"ALTER TABLE "newer" RENAME COLUMN "x" TO "y""#, #"ALTER TABLE "newer" DROP COLUMN "gone""#,
                #"ALTER INDEX "former_x_key" RENAME TO "Z_MIGRATION_INDEX_0""#,
                #"ALTER INDEX "Z_MIGRATION_INDEX_0" RENAME TO "newer_y_key""#,
            ])
        let history = found.statements.map(\.inlined).filter { $0.contains("history_change") }
        expect(history.count, equals: 2)
        #expect(
            history.allSatisfy {
                $0.contains("WHEN 'x'::text THEN 'y'::text") && $0.contains("NOT IN ('gone'::text)")
            })
    }

    @Test func largeTablesGetTheirColumnsBefore() throws {
        var (former, newer) = (
            EntitySchema(name: "A", properties: [attribute("x", .integer64)]),
            EntitySchema(name: "A", properties: [attribute("x", .double)])
        )
        newer.indexes = [FetchIndexSchema(name: "i", elements: [FetchIndexElementSchema(.property("x"))])]
        former.indexes = []
        let first = try plan([former], to: [newer], large: ["a"])
        expect(first.spares.map(\.value), equals: [#"CAST("x" AS double precision)"#])
        #expect(texts(first).contains(#"UPDATE "a" SET "x" = CAST("Z_MIGRATION_1" AS double precision)"#))
        expect(
            first.workLeft.map(\.statement),
            equals: [
                #"CREATE INDEX CONCURRENTLY "a_i_fetch" ON "a" ("x" NULLS FIRST)"#
            ])
        let filled = first.spares.map { spare in
            SpareColumn(
                number: 3, table: spare.table, column: spare.column, type: spare.type, value: spare.value,
                isFilled: true)
        }
        let second = try plan([former], to: [newer], large: ["a"], spares: filled)
        #expect(second.spares.isEmpty)
        expect(
            texts(second),
            equals: [
                #"DROP TRIGGER "coredata_spare_3" ON "a""#,
                #"ALTER TABLE "a" RENAME COLUMN "coredata_spare_3" TO "Z_MIGRATION_1""#,
                #"ALTER TABLE "a" RENAME COLUMN "x" TO "Z_MIGRATION_2""#,
                #"ALTER TABLE "a" RENAME COLUMN "Z_MIGRATION_1" TO "x""#,
                #"ALTER TABLE "a" DROP COLUMN "Z_MIGRATION_2""#,
            ])
    }

    @Test func valuesStandInTheirPlaces() {
        let statement = SQLStatement("SELECT '$1', $1::text, $2, $10", bindings: [.text("it's"), .null])
        expect(statement.inlined, equals: "SELECT '$1', 'it''s'::text, NULL, $10")
    }
}
