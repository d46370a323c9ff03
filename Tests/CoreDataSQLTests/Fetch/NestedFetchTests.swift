// Fetch request expressions, and the parts of a fetch that other statements use.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSupport
import CoreDataTestSupport
import Testing

struct NestedFetchTests {
    private func request(countOnly: Bool = false) -> ExpressionTree {
        .fetchRequest(
            request: .constant(.string("request")), context: .constant(.null), countOnly: countOnly)
    }

    private func keys(
        _ predicate: PredicateTree, _ nested: FetchDescription
    ) throws -> (text: String, keys: [Int64]) {
        var description = FetchDescription(entityName: "Person", result: .keys)
        description.predicate = predicate
        let planner = try Staff.planner { request in
            expect(request, equals: .constant(.string("request")))
            return nested
        }
        let statement = try planner.statement(for: description)
        let rows = try StaffRows().database.rows(statement)
        return (statement.text, rows.compactMap { $0.last?.integer }.sorted())
    }

    @Test func rowsOfANestedFetch() throws {
        var nested = FetchDescription(entityName: "Employee", result: .rows(columns: ["ZNAME"]))
        nested.predicate = try PredicateParser.predicate("salary > 1")
        let found = try keys(
            .comparison(.init(.keyPath("boss"), op: .in, right: request())), nested)
        expect(found.keys, equals: [2, 3])
    }

    @Test func valuesAndWindowsOfANestedFetch() throws {
        var nested = FetchDescription(
            entityName: "Person",
            result: .dictionaries([.init(name: "age", source: .keyPath("age"))]))
        nested.sortKeys = [SortKey("age", ascending: false)]
        nested.limit = 1
        let found = try keys(.comparison(.init(.keyPath("age"), op: .in, right: request())), nested)
        expect(found.keys, equals: [2])
    }

    @Test func countOfANestedFetch() throws {
        let nested = FetchDescription(entityName: "Tag", result: .keys)
        let found = try keys(
            .comparison(.init(.keyPath("tags.@count"), op: .equalTo, right: request(countOnly: true))), nested
        )
        expect(found.keys, equals: [1])
    }

    @Test func countOfANestedFetchOfGroups() throws {
        var nested = FetchDescription(
            entityName: "Person", result: .dictionaries([.init(name: "age", source: .keyPath("age"))]))
        nested.groupBy = [.init(name: "age", source: .keyPath("age"))]
        nested.predicate = try PredicateParser.predicate("age == 30")
        let found = try keys(
            .comparison(.init(.keyPath("tags.@count"), op: .equalTo, right: request(countOnly: true))), nested
        )
        expect(found.keys, equals: [2])
        #expect(found.text.contains("GROUP BY"))
    }

    @Test func primaryKeysForBatchOperations() throws {
        var description = FetchDescription(entityName: "Employee", result: .keys)
        description.predicate = try PredicateParser.predicate("boss.name == 'Bob'")
        let keys = try Staff.planner().primaryKeys(for: description)
        let statement: SQLFragment = "UPDATE ZPERSON SET ZAGE = 26 WHERE Z_PK IN (\(keys))"
        let rows = try StaffRows()
        try rows.database.rows(statement.statement(in: SQLiteDialect()))
        expect(rows.database.changes, equals: 1)
        try expect(rows.keys(try PredicateParser.predicate("age == 26")), equals: [4])
    }

    @Test func conditionsOfIndexesHaveLiterals() throws {
        let predicate = try PredicateParser.predicate(
            "age > 3 AND (name == \"O'Neil\" OR boss == nil) AND NOT balance < 1.5 AND surname BEGINSWITH 'S'"
        )
        let clause = try Staff.planner().partialIndexClause(predicate, entity: "Person")
        expect(
            clause,
            equals: """
                (ZAGE > 3 AND (ZNAME = 'O''Neil' OR ZBOSS IS NULL) AND (ZBALANCE < 1.5) IS NOT TRUE AND \
                (ZSURNAME >= 'S' AND ZSURNAME < 'T'))
                """)
        let rows = try StaffRows()
        try rows.database.rows(SQLStatement("CREATE INDEX I ON ZPERSON (ZNAME) WHERE \(clause)"))
    }

    @Test(arguments: [
        ("boss.name == 'a'", "boss"), ("ANY friends.name == 'a'", "friends"),
        ("name CONTAINS[c] 'a'", "CONTAINS"),
        ("uppercase(name) == 'A'", "uppercase:"), ("birthday < now()", "now()"),
    ])
    func whatAnIndexCannotHaveIsRefused(_ format: String, _ part: String) throws {
        let predicate = try PredicateParser.predicate(format)
        let reason = "\"\(part)\" can't be in the predicate of an index: only own columns can"
        #expect(throws: TranslationFailure(reason)) {
            try Staff.planner().partialIndexClause(predicate, entity: "Person")
        }
    }
}
