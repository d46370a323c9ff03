// Statements for PostgreSQL that write: saves, batches, links.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import Testing

enum PostgreSQLStatements {
    private static let dialect = PostgreSQLDialect()

    /// The texts of every kind of statement that changes rows, as tables of `Staff` have them.
    static func writing() throws -> [String] {
        try saves() + links() + batches() + deletions()
    }

    private static func saves() throws -> [String] {
        let statements = RowStatements(try table("Person"), in: dialect)
        let columns = ["name", "age", "birthday", "token", "is_active", "balance"]
        return [
            statements.insertion(columns, rows: 2), statements.update(columns),
            statements.deletion(guarded: true), statements.deletion(guarded: false),
            statements.selection(["photo"], guarded: true),
            UniqueLookup(try table("Person"), dialect: dialect).rows(with: [
                [("name", bound(.text("a"))), ("age", bound(.integer(1)))],
                [("token", bound(.text("00112233445566778899aabbccddeeff")))],
            ]).text,
        ]
    }

    private static func bound(_ value: SQLBinding) -> SQLFragment { "\(binding: value, as: .ofPlace)" }

    private static func links() throws -> [String] {
        let join = try friends()
        let shapes: [SaveShape] = [
            .assign(table: "person", columns: ["boss_id"], key: "object_id"), .connect(join),
            .connectOnce(join),
            .disconnect(join), .disconnectAll(join),
        ]
        let place = try #require(try table("Company").columns["departments"])
        let related = try #require(
            RelatedStatements(place, destination: try table("Department"), in: dialect))
        let tagged = try #require(
            RelatedStatements(.join(join), destination: try table("Person"), in: dialect))
        return shapes.map { $0.text(in: dialect) }
            + [
                related.selection(columns: ["name"], isPolymorphic: false, sources: 8),
                tagged.selection(columns: ["name"], isPolymorphic: true, sources: 1),
                related.orderKeys(of: 1)?.text, related.release(source: 1)?.text,
                related.release(2, of: 1)?.text,
                related.claim(2, for: 1)?.text, related.reorder(2, of: 1, key: 3)?.text,
            ].compactMap(\.self)
    }

    private static func batches() throws -> [String] {
        let planner = try Staff.postgreSQLPlanner()
        var rows = FetchDescription(entityName: "Person", result: .keys)
        rows.predicate = try PredicateParser.predicate("boss.name == 'Ann' AND age > 3")
        rows.limit = 2
        var update = BatchUpdateDescription(rows: rows)
        update.constants = [("name", bound(.text("x"))), ("birthday", bound(.null))]
        update.expressions = try [
            ("age", "height * 2"), ("isActive", "age"), ("balance", "age / 2"),
            ("surname", "boss.name"), ("height", "isActive"),
        ].map { ($0.0, try PredicateParser.expression($0.1)) }
        update.returnsKeys = true
        return [
            try planner.update(update).text, try planner.deletion(of: rows, returnsKeys: true).text,
        ] + (try planner.cells(["photo"], of: rows).map(\.text))
    }

    private static func deletions() throws -> [String] {
        let marks = DeletionStatements(dialect)
        let person = try table("Person")
        let rows = try Staff.postgreSQLPlanner().primaryKeys(
            for: FetchDescription(entityName: "Person", result: .keys))
        let boss = try #require(person.columns["boss"])
        let rules = try [boss, .join(friends())].map {
            try #require(
                DeletionRule($0, owner: person, root: 3, destination: person, destinationRoot: 3, in: dialect)
            )
        }
        return [
            marks.clear.text, marks.markForDeletion(rows, of: person, root: 3).text,
            marks.markOneForDeletion(person, root: 3),
            marks.delete(person, root: 3, returnsKeys: true).text, marks.keys(person, root: 3).text,
            marks.cells("photo", table: person, root: 3).text,
        ]
            + rules.flatMap {
                [
                    $0.cascade(round: 0).text, $0.staying.text, $0.disconnect?.text,
                    $0.nullify(boss, returnsKeys: true)?.text,
                ].compactMap(\.self)
            }
    }

    static func table(_ entity: String) throws -> EntityTable {
        try #require(try LayoutBuilder.layout(for: Staff.index, form: .postgreSQL)[entity])
    }

    static func friends() throws -> JoinColumns {
        let place = try #require(try table("Person").columns["friends"])
        guard case .join(let join) = place else { return try #require(nil, "friends are in no join table") }
        return join
    }
}
