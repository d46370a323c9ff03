// The statements of a migration's plan. That files come out right is tested with real ones.

import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Testing

@Suite struct MigrationPlannerTests {
    private func attribute(_ name: String, default value: Value = .null) -> PropertySchema {
        var traits = AttributeTraits(.string)
        traits.defaultValue = value
        return PropertySchema(name: name, kind: .attribute(traits))
    }

    private func plan(_ old: [EntitySchema], _ new: [EntitySchema]) throws -> MigrationPlan {
        let (source, destination) = (
            ModelIndex(ModelSchema(entities: old)), ModelIndex(ModelSchema(entities: new))
        )
        let blueprint = try LayoutBuilder.blueprint(for: source)
        var catalog = StoreCatalog()
        for table in blueprint.tables {
            let fixed = ["Z_PK", "Z_ENT", "Z_OPT"].map { StoreCatalog.Column(name: $0, type: "INTEGER") }
            catalog.tables[table.name] =
                fixed + table.columns.map { StoreCatalog.Column(name: $0.name, type: $0.type) }
        }
        catalog.indexes = try blueprint.indexes().map {
            StoreCatalog.Index(name: $0.name, table: $0.table, text: $0.text)
        }
        catalog.entityNumbers = blueprint.numbering.names.enumerated().map { position, name in
            StoreCatalog.EntityNumber(number: position + 1, name: name, superNumber: 0, maximum: 7)
        }
        return try MigrationPlanner.plan(
            from: blueprint, catalog: catalog, to: LayoutBuilder.blueprint(for: destination),
            difference: MappingInference.difference(from: source, to: destination))
    }

    private func texts(_ plan: MigrationPlan) -> [String] {
        plan.statements.map(\.text).filter { !$0.contains("Z_PRIMARYKEY") }
    }

    @Test func addedAttributesWriteNoRows() throws {
        let found = try plan(
            [EntitySchema(name: "A", properties: [attribute("x")])],
            [EntitySchema(name: "A", properties: [attribute("x"), attribute("y")])])
        expect(texts(found), equals: ["ALTER TABLE ZA ADD COLUMN ZY VARCHAR"])
        expect(found.statements.last?.bindings, equals: [.integer(1), .text("A"), .integer(0), .integer(7)])
    }

    @Test func everyTableIsWrittenOnce() throws {
        let found = try plan(
            [EntitySchema(name: "B", properties: [attribute("x")])],
            [
                EntitySchema(name: "A"),
                EntitySchema(
                    name: "B",
                    properties: [
                        attribute("x"), attribute("y", default: .string("1")),
                        attribute("z", default: .string("2")),
                    ]),
            ])
        let updates = texts(found).filter { $0.hasPrefix("UPDATE") }
        expect(
            updates, equals: ["UPDATE ZB SET ZY = ?, ZZ = ?, Z_ENT = CASE Z_ENT WHEN 1 THEN 2 ELSE Z_ENT END"]
        )
    }

    @Test func swappedNamesGoThroughASpareOne() throws {
        var (first, second) = (attribute("x"), attribute("y"))
        (first.renamingIdentifier, second.renamingIdentifier) = ("y", "x")
        let found = try plan(
            [EntitySchema(name: "A", properties: [attribute("x"), attribute("y")])],
            [EntitySchema(name: "A", properties: [first, second])])
        expect(
            texts(found),
            equals: [
                "ALTER TABLE ZA RENAME COLUMN ZX TO Z_MIGRATION_1",
                "ALTER TABLE ZA RENAME COLUMN ZY TO Z_MIGRATION_2",
                "ALTER TABLE ZA RENAME COLUMN Z_MIGRATION_1 TO ZY",
                "ALTER TABLE ZA RENAME COLUMN Z_MIGRATION_2 TO ZX",
            ])
    }

    @Test func whatIsLostIsSaidWithItsRows() throws {
        let found = try plan(
            [EntitySchema(name: "A", properties: [attribute("x")]), EntitySchema(name: "Gone")],
            [EntitySchema(name: "A")])
        let losses = found.steps.filter(\.losesData)
        expect(losses.map(\.summary), equals: ["drop entity Gone", "drop A.x"])
        expect(
            losses.map(\.count?.text),
            equals: [
                "SELECT COUNT(*) FROM ZGONE WHERE Z_ENT = 2",
                "SELECT COUNT(*) FROM ZA WHERE Z_ENT = 1 AND ZX IS NOT NULL",
            ])
        expect(texts(found), equals: ["ALTER TABLE ZA DROP COLUMN ZX", "DROP TABLE ZGONE"])
    }

    @Test func bitmapsOfTheHistoryMove() {
        let move = HistoryColumnMove(places: [2, nil, 0], count: 3)
        expect(move.moved(HistoryBitmap.data([0, 1], count: 3)), equals: HistoryBitmap.data([2], count: 3))
        expect(move.moved(HistoryBitmap.data([2], count: 3)), equals: HistoryBitmap.data([0], count: 3))
    }
}
