// A server of PostgreSQL and SQLite give the same answers to the same predicates.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSupport
import Foundation
import Testing

@Suite(.enabled(if: ThrowawayServer.programs != nil, "no server of PostgreSQL can be started here"))
struct PostgreSQLServerTests {
    static let formats = [
        "name == 'Ann'", "name != 'Ann'", "NOT name == 'Ann'", "name == nil", "name != nil",
        "name == surname",
        "name != surname", "age > 29", "29 > age", "age >= 29.5", "age == 30.0", "isActive == YES",
        "isActive == NO", "isActive != YES", "isActive == 1", "isActive < 1", "age BETWEEN {25, 30}",
        "balance == 10.5", "balance > 2.9", "height > 1.65", "height == 1.8", "name == 5",
        "birthday == CAST(0, 'NSDate')", "birthday > CAST(0.5, 'NSDate')",
        "birthday + 1 > CAST(100, 'NSDate')",
        "birthday - CAST(0, 'NSDate') == 100.5", "birthday.timeIntervalSinceReferenceDate == 86400",
        "color == 'red'", "photo != nil", "FALSEPREDICATE", "TRUEPREDICATE",
        "name BEGINSWITH 'A'", "name BEGINSWITH 'É'", "name BEGINSWITH ''", "name CONTAINS 'n'",
        "name ENDSWITH 'b'",
        "name ENDSWITH ''", "name CONTAINS[cd] 'EMI'", "name BEGINSWITH[c] 'an'", "name BEGINSWITH[d] 'E'",
        "name ==[cd] 'emile'", "name !=[c] 'ann'", "surname ==[c] 'SMITH'", "name <[c] 'BOB'",
        "name LIKE 'A*'",
        "name LIKE '?o*'", "name LIKE[cd] 'é*e'", "name LIKE '\\\\*'", "name LIKE '%'", "name LIKE '*'",
        "name MATCHES 'A.+'", "name MATCHES '[A-C].*'", "name MATCHES '(Ann|Bob)'", "name MATCHES 'o'",
        "'Anna' CONTAINS name", "name CONTAINS surname", "'n' IN name", "name.length > 3", "name.length == 5",
        "uppercase(name) == 'ÉMILE'", "canonical:(name) == 'emile'", "lowercase(surname) == 'smith'",
        "age + 1 == 31", "age / 7 == 4", "age / 0 == 4", "balance / 2 > 1", "modulus:by:(age, 7) == 2",
        "(age & 1) == 1",
        "age ** 2 > 900", "abs(balance) == 1", "floor(height) == 1", "sqrt(balance) > 2", "ln(balance) > 1",
        "leftshift:by:(age, 1) == 60", "rightshift:by:(age, 70) == 0", "bitwiseXor:with:(age, 1) == 31",
        "onesComplement:(age) == -31", "TERNARY(age > 29, 1, 2) == 1",
        "TERNARY(isActive == YES, age, balance) > 8",
        "age IN {30, 40}", "age IN {30}", "age IN {}", "age IN {30, nil}", "age IN {30, 40.5}",
        "isActive IN {YES, NO}",
        "isActive IN {1, 5}", "height IN {1.7, 1.8}", "balance IN {7, 10.5}",
        "name IN {'Ann', 'Bob', 'x\"y'}",
        "name IN[cd] {'EMILE', 'bob'}", "'Ann' IN {name, surname}",
        "birthday IN {CAST(0, 'NSDate'), CAST(86400, 'NSDate')}",
        "boss == nil", "boss != nil", "boss == SELF", "boss.name == 'Ann'", "boss.boss.name == 'Ann'",
        "ANY friends.name == 'Bob'", "ANY reports.age > 24", "ALL reports.age > 30", "NONE reports.age > 30",
        "ANY reports.reports.age > 24", "ANY boss.reports.age > age", "reports.@count == 0",
        "reports.@avg.age > 30",
        "reports.@sum.age > 30", "reports.@max.height > 1", "friends.@count == 2",
        "ANY tags.name IN {'red', 'blue'}",
        "SUBQUERY(reports, $r, $r.age > age AND $r.name != nil).@count > 0", "SELF IN boss.reports",
        "max:({age, 35}) == 35", "sum:({age, 1}) == 31", "self.entity == nil", "name.intValue == 0",
        "CAST(age, 'NSString') == '30'", "homepage != nil", "isActive + age == 31",
    ]

    @Test func answersAsSQLite() throws {
        let server = try PostgreSQLRows.shared.get()
        let rows = try StaffRows()
        let predicates = try Self.formats.map { try PredicateParser.predicate($0) }
        let found = try server.keys(predicates.map { try Staff.postgreSQL($0) })
        #expect(found.count == predicates.count)
        for (position, predicate) in predicates.enumerated() where position < found.count {
            #expect(try rows.keys(predicate) == found[position], "\(Self.formats[position])")
        }
    }

    /// More values than SQLite takes one by one.
    @Test func longListsOfEachType() throws {
        let server = try PostgreSQLRows.shared.get()
        let rows = try StaffRows()
        let lists: [(String, [Value])] = [
            ("age", (0..<200).map { .integer($0) }), ("height", (0..<200).map { .double(Double($0) / 100) }),
            ("name", (0..<200).map { .string("\\n\($0)") } + [.string("Ann"), .string("O'\"\\")]),
            ("birthday", (0..<200).map { .date(.init(timeIntervalSinceReferenceDate: Double($0) * 86400)) }),
            ("color", (0..<200).map { .string("red\($0 == 0 ? "" : String($0))") }),
        ]
        let predicates = lists.map {
            PredicateTree.comparison(.init(.keyPath($0.0), .in, .constant(.array($0.1))))
        }
        let found = try server.keys(predicates.map { try Staff.postgreSQL($0) })
        for (position, predicate) in predicates.enumerated() {
            #expect(try rows.keys(predicate) == found[position], "\(lists[position].0)")
        }
    }

    @Test func ordersAsSQLite() throws {
        let server = try PostgreSQLRows.shared.get()
        let rows = try StaffRows()
        for keys in [
            [SortKey("age"), SortKey("objectID")], [SortKey("age", ascending: false), SortKey("name")],
            [SortKey("name")],
            [SortKey("surname", comparison: .caseInsensitiveCompare), SortKey("objectID")],
            [SortKey("boss.name", ascending: false), SortKey("objectID", ascending: false)],
        ] {
            let expected = try rows.rows(nil) { $0.sortKeys = keys }.compactMap { $0.last?.integer }
            let statement = try Staff.postgreSQL(nil) { $0.sortKeys = keys }
            let script = ThrowawayServer.execution(statement, named: "o")
            let found = try server.server.rows(script).compactMap {
                $0.split(separator: "|").last.flatMap { Int64($0) }
            }
            #expect(found == expected, "\(keys)")
        }
    }

    /// The functions are those that SQLite has registered.
    @Test(arguments: [
        ("canonical", SQLFunction.Name.canonical), ("uppercase", .uppercase), ("lowercase", .lowercase),
        ("utf16_length", .length), ("leading_number", .leadingNumber),
    ])
    func functionsOfTexts(_ name: String, _ function: SQLFunction.Name) throws {
        let server = try PostgreSQLRows.shared.get().server
        let body = try #require(SQLFunction.all.first { $0.name == function }).body
        guard case .scalar(let body) = body else { return }
        for text in ["", "Ann", "Émile", "ÀÉÎõü", "😀a", "12.5e1x", " -7", "x1", "1.", ".5", "-"] {
            let found = try server.rows("SELECT '=' || coredata.\(name)('\(text)');").first
            let expected: String =
                switch try body([.text(text)]) {
                case .text(let text): text
                case .integer(let number): String(number)
                case .double(let number): number == number.rounded() ? String(Int(number)) : String(number)
                case .null, .blob: "?"
                }
            #expect(found == "=" + expected, "\(name) of \(text)")
        }
    }

    @Test func cataloguesAreRead() throws {
        let server = try PostgreSQLRows.shared.get().server
        let catalogue = PostgreSQLDialect().catalogue
        let columns = try server.rows(catalogue.columns.text + ";")
        #expect(columns.contains("person|object_id|bigint|1"))
        #expect(columns.contains("person|birthday|timestamp with time zone|0"))
        #expect(columns.contains("person_friends|friend_of_id|bigint|1"))
        #expect(columns.contains("person_friends|friends_id|bigint|2"))
        #expect(
            try server.rows(catalogue.indexes.text + ";").contains {
                $0.hasPrefix("person_boss_id_idx|person|CREATE INDEX ")
            })
        #expect(try server.rows(catalogue.machinery.text + ";").isEmpty)
        #expect(try server.rows(catalogue.triggers.text + ";").isEmpty)
    }

    /// What no test runs for its answer is understood by the server.
    @Test func statementsThatWrite() throws {
        let server = try PostgreSQLRows.shared.get().server
        let statements = try PostgreSQLStatements.writing()
        #expect(statements.count > 20)
        var script = "BEGIN;\n\(DeletionStatements(PostgreSQLDialect()).create.text);\n"
        for (number, text) in statements.enumerated() { script += "PREPARE w\(number) AS \(text);\n" }
        #expect(try server.rows(script + "ROLLBACK;").isEmpty)
    }
}
