// Fetches of dictionaries: columns, functions over groups, GROUP BY, HAVING, DISTINCT.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
import CoreDataTestSupport
import Testing

private typealias Column = FetchDescription.DictionaryColumn

private func path(_ path: String) -> Column { Column(name: path, source: .keyPath(path)) }

private func expression(_ name: String, _ format: String, _ type: AttributeType = .integer64) throws -> Column
{
    Column(name: name, source: .expression(try PredicateParser.expression(format), resultType: type))
}

struct DictionaryFetchTests {
    @Test func attributesRelationshipsAndTheObjectItself() throws {
        let columns = [
            path("name"), path("boss"), path("boss.name"), path("boss.boss"),
            Column(name: "me", source: .objectID),
        ]
        let statement = try Staff.statement(nil, result: .dictionaries(columns))
        expect(
            statement,
            equals: SQLStatement(
                """
                SELECT t0.ZNAME, t0.Z3_BOSS, t0.ZBOSS, t1.ZNAME, t1.Z3_BOSS, t1.ZBOSS, t0.Z_ENT, t0.Z_PK \
                FROM ZPERSON t0 LEFT OUTER JOIN ZPERSON t1 ON t1.Z_PK = t0.ZBOSS
                """))
        let planner = try Staff.planner()
        try expect(columns.map { try planner.width(of: $0, entity: "Person") }, equals: [1, 2, 1, 2, 2])
        try expect(planner.width(of: path("department"), entity: "Employee"), equals: 1)
    }

    @Test func functionsOverAllRowsCollapseThem() throws {
        let columns = [
            try expression("n", "count:(SELF)"), try expression("sum", "sum:(age)"),
            try expression("max", "max:(height)"), try expression("average", "average:(age)"),
            try expression("range", "max:(age) - min:(age)"), try expression("median", "median:(age)"),
            try expression("mode", "mode:(age)"), try expression("spread", "stddev:(age)"),
        ]
        let rows = try StaffRows().rows(nil, result: .dictionaries(columns))
        let spread = ((1.25 * 1.25 * 2 + 8.75 * 8.75 + 6.25 * 6.25) / 4).squareRoot()
        expect(
            rows,
            equals: [
                [
                    .integer(5), .integer(125), .double(1.8), .double(31.25), .integer(15), .double(30),
                    .double(30), .double(spread),
                ]
            ])
    }

    @Test func columnsOverRelationshipsDoNotCollapse() throws {
        let columns = [path("name"), try expression("friends", "friends.@count")]
        let rows = try StaffRows().rows(nil, result: .dictionaries(columns)) {
            $0.sortKeys = [SortKey("name")]
        }
        expect(
            rows,
            equals: [
                [.null, .integer(1)], [.text("Ann"), .integer(2)], [.text("Bob"), .integer(1)],
                [.text("Dora"), .integer(0)], [.text("Émile"), .integer(1)],
            ])
    }

    @Test func groupsAndTheirConditions() throws {
        let columns = [path("age"), try expression("n", "count:(SELF)")]
        let having = try PredicateParser.predicate("$n > 1")
        let change: (inout FetchDescription) -> Void = {
            $0.groupBy = [path("age")]
            $0.having = having
            $0.sortKeys = [SortKey("age", ascending: false)]
        }
        try expect(
            Staff.statement(nil, result: .dictionaries(columns), change),
            equals: SQLStatement(
                """
                SELECT t0.ZAGE, COUNT(t0.Z_PK) FROM ZPERSON t0 GROUP BY t0.ZAGE \
                HAVING COUNT(t0.Z_PK) > ? ORDER BY t0.ZAGE DESC
                """, bindings: [.integer(1)]))
        let rows = try StaffRows().rows(nil, result: .dictionaries(columns), change)
        expect(rows, equals: [[.integer(30), .integer(2)]])
    }

    @Test func groupsByAKeyPath() throws {
        let columns = [path("boss.name"), try expression("n", "count:(objectID)")]
        let rows = try StaffRows().rows(nil, result: .dictionaries(columns)) {
            $0.groupBy = [path("boss.name")]
        }
        expect(
            rows,
            equals: [
                [.null, .integer(1)], [.text("Ann"), .integer(2)], [.text("Bob"), .integer(1)],
                [.text("Émile"), .integer(1)],
            ])
    }

    @Test func distinctRowsMayBeSortedByWhatIsNotFetched() throws {
        let rows = try StaffRows().rows(
            try PredicateParser.predicate("age != nil"), result: .dictionaries([path("age")])
        ) {
            $0.returnsDistinctResults = true
            $0.sortKeys = [SortKey("age", ascending: false)]
            $0.limit = 2
        }
        expect(rows, equals: [[.integer(40)], [.integer(30)]])
        let unfetched = try StaffRows().rows(nil, result: .dictionaries([path("age")])) {
            $0.sortKeys = [SortKey("surname")]
            $0.limit = 2
        }
        expect(unfetched, equals: [[.integer(40)], [.integer(30)]])
    }

    @Test func constantsAndConditionsAsColumns() throws {
        let columns = [
            try expression("one", "1"),
            try expression("sign", "TERNARY(balance < 0, 'minus', 'plus')", .string),
        ]
        let rows = try StaffRows().rows(nil, result: .dictionaries(columns)) {
            $0.sortKeys = [SortKey("objectID", ascending: false)]
            $0.limit = 2
        }
        expect(rows, equals: [[.integer(1), .text("minus")], [.integer(1), .text("plus")]])
    }

    @Test func rowsAreCountedInOneStatement() throws {
        let columns = [path("age"), try expression("n", "count:(SELF)")]
        let having = try PredicateParser.predicate("$n > 1")
        let change: (inout FetchDescription) -> Void = {
            $0.groupBy = [path("age")]
            $0.having = having
            $0.sortKeys = [SortKey("age")]
            $0.limit = 3
        }
        try expect(
            Staff.statement(nil, result: .dictionaryCount(columns), change),
            equals: SQLStatement(
                """
                SELECT COUNT(*) FROM (SELECT t0.ZAGE, COUNT(t0.Z_PK) FROM ZPERSON t0 GROUP BY t0.ZAGE \
                HAVING COUNT(t0.Z_PK) > ? LIMIT ?) t1
                """, bindings: [.integer(1), .integer(3)]))
        func count(_ columns: [Column], _ change: (inout FetchDescription) -> Void) throws -> [[SQLBinding]] {
            try StaffRows().rows(nil, result: .dictionaryCount(columns), change)
        }
        try expect(count(columns, change), equals: [[.integer(1)]])
        try expect(count([path("age")]) { $0.returnsDistinctResults = true }, equals: [[.integer(4)]])
        try expect(
            count([path("age"), path("age")]) {
                $0.returnsDistinctResults = true
                $0.offset = 1
            }, equals: [[.integer(3)]])
        try expect(count([expression("n", "count:(SELF)")]) { _ in }, equals: [[.integer(1)]])
    }

    @Test func whatAGroupCannotHaveIsRefused() throws {
        func failure(
            _ columns: [Column], _ change: @escaping (inout FetchDescription) -> Void
        ) -> TranslationFailure? {
            do {
                _ = try Staff.statement(nil, result: .dictionaries(columns), change)
                return nil
            } catch {
                return error as? TranslationFailure
            }
        }
        expect(
            failure([path("name")]) { $0.groupBy = [path("age")] }?.reason,
            equals: """
                with GROUP BY, a fetch can have only properties that it groups by and functions over a group: \
                "name" is neither
                """)
        let having = try PredicateParser.predicate("age > 1")
        expect(
            failure([path("age")]) { $0.having = having }?.reason,
            equals: "havingPredicate needs propertiesToGroupBy")
        expect(failure([path("friends")]) { _ in }?.reason, equals: "to-many key not allowed here: friends")
        expect(failure([]) { _ in }?.reason, equals: "a dictionary result needs properties to fetch")
    }
}
