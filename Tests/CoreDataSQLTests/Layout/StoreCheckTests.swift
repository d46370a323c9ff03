import CoreDataSQL
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

struct StoreCheckTests {
    private func store(_ index: ModelIndex, _ rows: String...) throws -> ScratchDatabase {
        let database = try ScratchDatabase()
        let blueprint = try LayoutBuilder.blueprint(for: index)
        try database.run(
            SchemaStatements(blueprint, uuid: "0", propertyList: Data(), modelCache: nil).statements)
        try database.run(rows.map { SQLStatement($0) })
        return database
    }

    private func faults(_ index: ModelIndex, _ database: ScratchDatabase) throws -> [String] {
        let blueprint = try LayoutReader.blueprint(for: index, catalog: database.catalog())
        return try StoreCheck.checks(for: blueprint).filter {
            try !database.rows(SQLStatement($0.sql)).isEmpty
        }.map(\.name)
    }

    @Test func aSoundStoreHasNoFaults() throws {
        let database = try store(
            library, "UPDATE Z_PRIMARYKEY SET Z_MAX = 1",
            "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT) VALUES (1, 2, 1)",
            "INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZBOOK, Z1_BOOK) VALUES (1, 4, 1, 1, 2)")
        try expect(faults(library, database), equals: [])
    }

    @Test func faultsOfRows() throws {
        let database = try store(
            library, "INSERT INTO ZBOOK (Z_PK, Z_ENT, Z_OPT) VALUES (1, 5, 0)",
            "INSERT INTO ZPAGE (Z_PK, Z_ENT, Z_OPT, ZBOOK, Z1_BOOK) VALUES (1, 4, 1, 1, 1)")
        try expect(
            faults(library, database),
            equals: [
                "ZBOOK: entity numbers", "ZBOOK: versions", "ZBOOK: key counter", "ZPAGE: key counter",
                "Page.book: targets", "Page.book: entity numbers of targets",
            ])
    }

    @Test func faultsOfJoinRows() throws {
        let database = try store(
            network, "UPDATE Z_PRIMARYKEY SET Z_MAX = 9",
            "INSERT INTO ZALBUM (Z_PK, Z_ENT, Z_OPT) VALUES (1, 1, 1)",
            "INSERT INTO ZSONG (Z_PK, Z_ENT, Z_OPT) VALUES (1, 4, 1), (2, 4, 1)",
            "INSERT INTO Z_1SONGS (Z_1ALBUMS, Z_4SONGS, Z_FOK_4SONGS) VALUES (1, 1, 7), (1, 2, 7), (5, 2, 8)")
        try expect(faults(network, database), equals: ["Album.songs: order", "Song.albums: targets"])
    }

    /// A reader of one side sees another object than a reader of the other.
    @Test func sidesOfAOneToOneRelationshipThatDisagree() throws {
        let index = model(
            entity(
                "Person", toOne("passport", "Passport", inverse: "holder"),
                toOne("spouse", "Person", inverse: "spouse")),
            entity("Passport", toOne("holder", "Person", inverse: "passport")))
        let sound = [
            "UPDATE Z_PRIMARYKEY SET Z_MAX = 9",
            "INSERT INTO ZPASSPORT (Z_PK, Z_ENT, Z_OPT, ZHOLDER) VALUES (1, 1, 1, 1), (2, 1, 1, NULL), (3, 1, 1, 3)",
            """
            INSERT INTO ZPERSON (Z_PK, Z_ENT, Z_OPT, ZPASSPORT, ZSPOUSE) \
            VALUES (1, 2, 1, 1, 2), (2, 2, 1, NULL, 1), (3, 2, 1, 3, NULL), (4, 2, 1, NULL, 4)
            """,
        ]
        for (changes, expected) in [
            ([], []),
            (["UPDATE ZPERSON SET ZPASSPORT = NULL WHERE Z_PK = 1"], ["Passport.holder: other sides"]),
            (["UPDATE ZPASSPORT SET ZHOLDER = NULL WHERE Z_PK = 3"], ["Person.passport: other sides"]),
            (
                ["UPDATE ZPERSON SET ZPASSPORT = 3 WHERE Z_PK = 1"],
                ["Passport.holder: other sides", "Person.passport: other sides"]
            ), (["UPDATE ZPERSON SET ZSPOUSE = 3 WHERE Z_PK = 2"], ["Person.spouse: other sides"]),
        ] as [([String], [String])] {
            let database = try store(index)
            try database.run((sound + changes).map { SQLStatement($0) })
            try expect(faults(index, database), equals: expected)
        }
    }

    @Test func theLayoutOfANewStoreHasNoDifference() throws {
        for index in [library, network] {
            let catalog = try store(index).catalog()
            try expect(LayoutComparison.differences(of: catalog, from: index), equals: [])
        }
    }

    @Test func differencesAreNamed() throws {
        let database = try store(
            library, "DROP INDEX ZPAGE_ZBOOK_INDEX", "DROP TABLE ZFEEDBACK",
            "ALTER TABLE ZPAGE DROP COLUMN ZNUMBER", "ALTER TABLE ZBOOK ADD COLUMN ZEXTRA VARCHAR",
            "CREATE TABLE OTHER (x)", "CREATE INDEX MINE ON ZBOOK (ZEXTRA)",
            "UPDATE Z_PRIMARYKEY SET Z_SUPER = 0 WHERE Z_NAME = 'Author'")
        let found = try LayoutComparison.differences(of: database.catalog(), from: library)
        func difference(_ kind: LayoutDifference.Kind, _ table: String, _ name: String? = nil)
            -> LayoutDifference
        {
            LayoutDifference(kind: kind, table: table, name: name)
        }
        expect(
            Set(found),
            equals: [
                difference(.otherSuperentity, "Z_PRIMARYKEY", "Author"),
                difference(.missingTable, "ZFEEDBACK"),
                difference(.missingColumn, "ZPAGE", "ZNUMBER"), difference(.extraColumn, "ZBOOK", "ZEXTRA"),
                difference(.missingIndex, "ZPAGE", "ZPAGE_ZBOOK_INDEX"),
                difference(.extraIndex, "ZBOOK", "MINE"), difference(.extraTable, "OTHER"),
            ])
        expect(found.filter(\.isHarmful).count, equals: 3)
    }

    @Test func unknownEntitiesAreNamed() throws {
        let database = try store(library, "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Page'")
        let found = try LayoutComparison.differences(of: database.catalog(), from: library)
        #expect(found.map(\.kind) == [.missingEntity] && found.first?.name == "Page")
    }
}
