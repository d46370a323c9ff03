// Indexes that predicates use, by what the server says that it will do.

import CoreDataPostgreSQLEngine
import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct IndexUseTests {
    private let connection: ServerConnection
    private let planner: FetchPlanner

    init() throws {
        let schema = "i_" + UUID().uuidString.prefix(8).lowercased()
        connection = try ServerConnection(
            ServerAddress(parsing: PostgreSQLServer.shared().address()).with(schema: schema))
        var word = EntitySchema(
            name: "Word", properties: [PropertySchema(name: "text", kind: .attribute(.init(.string)))])
        let folded = ExpressionTree.function(
            operand: nil, name: "canonical:", arguments: [.keyPath(.evaluatedObject, "text")])
        word.indexes = [
            FetchIndexSchema(name: "plain", elements: [.init(.property("text"))]),
            FetchIndexSchema(
                name: "folded",
                elements: [.init(.expression(name: "folded", folded, resultType: .string))]),
        ]
        let index = ModelIndex(ModelSchema(entities: [word]))
        let blueprint = try LayoutBuilder.blueprint(for: index, form: .postgreSQL)
        planner = FetchPlanner(
            index: index, layout: blueprint.layout(), key: { _ in nil }, transform: { _, value in value },
            fetch: { _ in throw TranslationFailure("no nested fetch here") })
        let statements = try PostgreSQLSchema(blueprint, schema: schema).statements(
            uuid: "U", propertyList: Data(), model: nil, checksum: "C")
        _ = try connection.create(PostgreSQLCatalogue(schemaOfTables: schema), statements: statements)
        try connection.run("INSERT INTO word (text) SELECT 'Wörd ' || n FROM generate_series(1, 20000) AS n")
        try connection.run("ANALYZE word")
    }

    private func plan(_ format: String) throws -> String {
        var fetch = FetchDescription(entityName: "Word", result: .keys)
        fetch.predicate = try PredicateParser.predicate(format)
        let statement = try planner.statement(for: fetch)
        let rows = try connection.fetchValues(
            SQLStatement("EXPLAIN " + statement.text, bindings: statement.bindings))
        return rows.map { if case .text(let line)? = $0.first { line } else { "" } }.joined(separator: "\n")
    }

    @Test(arguments: ["text == 'Wörd 7'", "text BEGINSWITH 'Wörd 77'", "text IN {'Wörd 1', 'Wörd 2'}"])
    func textsAreLookedUp(_ format: String) throws {
        let plan = try plan(format)
        #expect(plan.contains("word_plain_fetch"), "\(plan)")
    }

    @Test(arguments: ["text ==[cd] 'WORD 7'", "text BEGINSWITH[cd] 'word 77'", "canonical(text) == 'word 7'"])
    func foldedTextsAreLookedUp(_ format: String) throws {
        let plan = try plan(format)
        #expect(plan.contains("word_folded_fetch"), "\(plan)")
    }

    @Test func rangesAndOrdersAreLookedUp() throws {
        #expect(try plan("text > 'Wörd 9998'").contains("word_plain_fetch"))
        var fetch = FetchDescription(entityName: "Word", result: .keys)
        fetch.sortKeys = [SortKey("text")]
        fetch.limit = 10
        let statement = try planner.statement(for: fetch)
        let rows = try connection.fetchValues(
            SQLStatement("EXPLAIN " + statement.text, bindings: statement.bindings))
        #expect(
            rows.contains {
                if case .text(let line)? = $0.first { line.contains("word_plain_fetch") } else { false }
            })
    }
}
