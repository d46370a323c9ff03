// The SQL of batch deletions.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Testing

struct DeletionStatementsTests {
    private func table(_ name: String, number: Int) -> EntityTable {
        EntityTable(
            entityName: name, number: number, superNumber: 0, rootName: name, table: "Z" + name.uppercased(),
            isPolymorphic: false, subtreeNumbers: [number], columns: [:])
    }

    private func rule(_ place: PropertyColumn) throws -> DeletionRule {
        try #require(
            DeletionRule(
                place, owner: table("Person", number: 2), root: 2, destination: table("Note", number: 3),
                destinationRoot: 3, in: SQLiteDialect()))
    }

    @Test func aForeignKeyOnTheOtherSide() throws {
        let place = PropertyColumn.toMany(
            table: "ZNOTE", column: "ZAUTHOR", entityColumn: "Z2_AUTHOR", orderColumn: "Z_FOK_AUTHOR",
            destination: "Note")
        let rule = try rule(place)
        expect(
            rule.cascade(round: 0).text,
            equals: """
                INSERT OR IGNORE INTO temp.Z_DOOMED SELECT 3, Z_PK, ? FROM ZNOTE WHERE Z_PK IN \
                (SELECT Z_PK FROM ZNOTE WHERE ZAUTHOR IN \
                (SELECT Z_PK FROM temp.Z_DOOMED WHERE Z_ROOT = 2 AND Z_ROUND = ?))
                """)
        expect(rule.cascade(round: 4).bindings, equals: [.integer(5), .integer(4)])
        #expect(rule.disconnect == nil)
        let toOne = PropertyColumn.toOne(
            column: "ZAUTHOR", entityColumn: nil, orderColumn: "Z_FOK_AUTHOR", destination: "Person")
        let text = try #require(rule.nullify(toOne)?.text)
        #expect(text.contains("ZAUTHOR"))
        #expect(text.contains("Z_FOK_AUTHOR"))
        #expect(text.contains("Z_OPT = IFNULL(Z_OPT, 0) % \(Int64.max) + 1 WHERE"))
        let loose = try #require(rule.nullify(place)?.text)
        #expect(!loose.contains("Z_OPT"))
    }

    /// A cascade along a chain has as many rounds as rows: none may look at the rows of all others.
    @Test func aRoundIsFoundByItsIndex() throws {
        let database = try ScratchDatabase()
        try database.run([
            SQLStatement("CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, ZAUTHOR INTEGER)"),
            SQLStatement("CREATE INDEX ZNOTE_ZAUTHOR_INDEX ON ZNOTE (ZAUTHOR)"),
            DeletionStatements(SQLiteDialect()).create, DeletionStatements(SQLiteDialect()).indexRounds,
        ])
        let rule = try rule(
            .toMany(
                table: "ZNOTE", column: "ZAUTHOR", entityColumn: nil, orderColumn: nil, destination: "Note"))
        let statement = rule.cascade(round: 3)
        let plan = try database.rows(
            SQLStatement("EXPLAIN QUERY PLAN " + statement.text, bindings: statement.bindings))
        let steps = plan.compactMap { row -> String? in
            if case .text(let text)? = row.last { text } else { nil }
        }
        #expect(steps.contains { $0.contains("Z_DOOMED_ROUND (Z_ROOT=? AND Z_ROUND=?)") }, "\(steps)")
        #expect(!steps.contains { $0.hasPrefix("SCAN") }, "\(steps)")
    }

    @Test func aJoinTable() throws {
        let place = PropertyColumn.join(
            JoinColumns(
                table: "Z_2NOTES", sourceColumn: "Z_2PEOPLE", destinationColumn: "Z_3NOTES",
                orderColumn: nil, inverseOrderColumn: nil, destination: "Note"))
        let rule = try rule(place)
        #expect(try #require(rule.disconnect?.text).hasPrefix("DELETE FROM"))
        #expect(rule.nullify(place) == nil)
        #expect(rule.staying.text.hasSuffix("LIMIT 1"))
    }

    /// A relationship that is its own inverse has each pair twice.
    @Test func aJoinTableOfOneRelationship() throws {
        let place = PropertyColumn.join(
            JoinColumns(
                table: "Z_2FRIENDS", sourceColumn: "REFLEXIVE", destinationColumn: "Z_2FRIENDS",
                orderColumn: nil, inverseOrderColumn: nil, destination: "Person"))
        let person = table("Person", number: 2)
        let rule = try #require(
            DeletionRule(
                place, owner: person, root: 2, destination: person, destinationRoot: 2, isReflexive: true,
                in: SQLiteDialect()))
        expect(
            rule.disconnect?.text,
            equals: """
                DELETE FROM Z_2FRIENDS WHERE REFLEXIVE IN (SELECT Z_PK FROM temp.Z_DOOMED WHERE Z_ROOT = 2) \
                OR Z_2FRIENDS IN (SELECT Z_PK FROM temp.Z_DOOMED WHERE Z_ROOT = 2)
                """)
    }

    @Test func attributesHaveNoRule() {
        let place = PropertyColumn.attribute(column: "ZNAME", .string)
        #expect(
            DeletionRule(
                place, owner: table("Person", number: 2), root: 2, destination: table("Note", number: 3),
                destinationRoot: 3, in: SQLiteDialect()) == nil)
    }

    @Test func rowsWithoutTiesGoInOneStatement() throws {
        let planner = try Staff.planner()
        var rows = FetchDescription(entityName: "Tag", result: .keys)
        try expect(
            planner.deletion(of: rows, returnsKeys: false), equals: SQLStatement("DELETE FROM ZTAG AS t0"))
        rows.limit = 3
        try expect(
            planner.deletion(of: rows, returnsKeys: true),
            equals: SQLStatement(
                "DELETE FROM ZTAG AS t0 WHERE t0.Z_PK IN (SELECT t0.Z_PK FROM ZTAG t0 LIMIT ?) "
                    + "RETURNING Z_ENT, Z_PK", bindings: [.integer(3)]))
        var people = FetchDescription(entityName: "Person", result: .keys)
        people.predicate = .comparison(.init(.keyPath("age"), op: .equalTo, right: .constant(.integer(3))))
        let direct = try planner.deletion(of: people, returnsKeys: false)
        #expect(direct.text.hasPrefix("DELETE FROM ZPERSON AS t0 WHERE "))
        #expect(!direct.text.contains("SELECT"))
        expect(direct.bindings, equals: [.integer(3)])
        #expect(throws: TranslationFailure.self) {
            try planner.deletion(of: FetchDescription(entityName: "None", result: .keys), returnsKeys: false)
        }
    }

    @Test func lookUpsBindEveryCombination() {
        let lookup = UniqueLookup(table("Person", number: 2), dialect: SQLiteDialect())
        let statement = lookup.rows(with: [
            [("ZNAME", "\(binding: .text("a"))"), ("ZAGE", "\(binding: .integer(1))")],
            [("ZCODE", "\(binding: .integer(2))")],
        ])
        expect(statement.bindings, equals: [.text("a"), .integer(1), .integer(2)])
        #expect(statement.text.contains(" = ?) OR ("))
    }
}
