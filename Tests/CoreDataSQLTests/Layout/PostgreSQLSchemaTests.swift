// The statements that make a store in a PostgreSQL database.

import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

struct PostgreSQLSchemaTests {
    private func schema(_ index: ModelIndex = Staff.index, _ name: String = "staff") throws
        -> PostgreSQLSchema
    {
        PostgreSQLSchema(try LayoutBuilder.blueprint(for: index, form: .postgreSQL), schema: name)
    }

    private func texts(_ index: ModelIndex = Staff.index) throws -> [String] {
        try schema(index).statements(uuid: "U", propertyList: Data([1]), model: nil, checksum: "C").map(
            \.text)
    }

    @Test func everyRootHasATableWithASequence() throws {
        let texts = try texts()
        expect(texts.first, equals: #"CREATE SCHEMA IF NOT EXISTS "staff""#)
        expect(texts.filter { $0.hasPrefix("CREATE TABLE") }.count, equals: 4 + 2 + 5)
        for expected in [
            #"CREATE SEQUENCE "person_key_seq" INCREMENT BY 64 OWNED BY "person"."object_id""#,
            #"ALTER TABLE "person" ALTER COLUMN "object_id" SET DEFAULT nextval('"person_key_seq"')"#,
            #"ALTER TABLE "tag" ALTER COLUMN "object_entity" SET DEFAULT 5"#,
            #"COMMENT ON COLUMN "person"."is_active" IS 'Person.isActive'"#,
            #"COMMENT ON TABLE "person" IS 'Entities Person, Employee'"#,
            #"CREATE SCHEMA "coredata_staff""#,
        ] { #expect(texts.contains(expected), "\(expected)") }
        #expect(!texts.contains { $0.contains(#""person" ALTER COLUMN "object_entity" SET DEFAULT"#) })
    }

    @Test func foreignKeysAreCheckedAtTheEnd() throws {
        let keys = try texts().filter { $0.contains("FOREIGN KEY") }
        #expect(
            keys.contains(
                """
                ALTER TABLE "department" ADD CONSTRAINT "department_company_id_fkey" FOREIGN KEY ("company_id") \
                REFERENCES "company" ("object_id") DEFERRABLE INITIALLY DEFERRED
                """))
        // Three to-one relationships, and both sides of two join tables.
        expect(keys.count, equals: 3 + 4)
    }

    @Test func whatMayLeadToNobodyHasNoForeignKey() throws {
        func entity(_ inverse: String?, _ rule: DeleteRule) -> ModelIndex {
            var kids = RelationshipTraits(destinationEntityName: "Kid", inverseName: inverse)
            kids.deleteRule = rule
            let parent = RelationshipTraits(
                destinationEntityName: "Parent", inverseName: inverse == nil ? nil : "kids", maxCount: 1)
            return ModelIndex(
                ModelSchema(entities: [
                    EntitySchema(
                        name: "Parent", properties: [PropertySchema(name: "kids", kind: .relationship(kids))]),
                    EntitySchema(
                        name: "Kid", properties: [PropertySchema(name: "parent", kind: .relationship(parent))]
                    ),
                ]))
        }
        for index in [entity("parent", .noAction), entity(nil, .nullify)] {
            #expect(try !texts(index).contains { $0.contains("FOREIGN KEY") })
        }
        #expect(try texts(entity("parent", .cascade)).contains { $0.contains("FOREIGN KEY") })
    }

    @Test func theSecondTableOfOneNameGetsANumber() throws {
        let friends = PropertySchema(
            name: "friends",
            kind: .relationship(RelationshipTraits(destinationEntityName: "Person", inverseName: "friends")))
        let index = ModelIndex(
            ModelSchema(entities: [
                EntitySchema(name: "Person", properties: [friends]),
                EntitySchema(name: "PersonFriends", properties: []),
            ]))
        let tables = try texts(index).filter { $0.hasPrefix("CREATE TABLE \"person") }.map {
            $0.split(separator: "\"")[1]
        }
        expect(tables, equals: ["person", "person_friends", "person_friends1"])
    }

    @Test func twoTablesOfOneStatedNameAreRefused() throws {
        var (one, two) = (
            EntitySchema(name: "One", properties: []), EntitySchema(name: "Two", properties: [])
        )
        one.userInfo = [.string("postgreSQLTable"): .string("things")]
        two.userInfo = one.userInfo
        let index = ModelIndex(ModelSchema(entities: [one, two]))
        let failure = try #require(throws: LayoutFailure.self) { try texts(index) }
        #expect(failure.description.contains("\"One\""))
    }

    @Test func theCatalogueStandsBesideTheTables() throws {
        let catalogue = PostgreSQLCatalogue(schemaOfTables: "public")
        expect(catalogue.schema, equals: "coredata_public")
        expect(catalogue.store.text, equals: #"SELECT format, uuid, metadata FROM "coredata_public".store"#)
        let long = PostgreSQLCatalogue(schemaOfTables: String(repeating: "x", count: 63)).schema
        #expect(long.utf8.count <= 63 && long.hasPrefix("coredata_x"))
        try expect(
            schema().destruction().map(\.text),
            equals: [
                #"DROP TABLE "company", "department", "person", "tag", "person_friends", "person_tags""#,
                #"DROP SCHEMA "coredata_staff" CASCADE"#,
            ])
    }
}
