// The rows of `StaffRows` on a server of PostgreSQL.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataSupport

extension Staff {
    static func postgreSQLPlanner() throws -> FetchPlanner {
        try planner(form: .postgreSQL)
    }

    static func postgreSQL(
        of entity: String = "Person", _ predicate: PredicateTree?, result: FetchDescription.Result = .keys,
        _ change: (inout FetchDescription) -> Void = { _ in }
    ) throws -> SQLStatement {
        var description = FetchDescription(entityName: entity, result: result)
        description.predicate = predicate
        change(&description)
        return try postgreSQLPlanner().statement(for: description)
    }
}

/// A server with tables, functions and rows; one for all tests of a process.
struct PostgreSQLRows: Sendable {
    static let shared = Result { try PostgreSQLRows() }

    let server: ThrowawayServer

    private init() throws {
        server = try ThrowawayServer()
        let blueprint = try LayoutBuilder.blueprint(for: Staff.index, form: .postgreSQL)
        var script = PostgreSQLFunctions.definitions(for: PostgreSQLDialect()).map(\.text)
        script += blueprint.definitions + (try blueprint.indexes().map(\.text))
        _ = try server.rows((script + Self.inserts).joined(separator: ";\n") + ";")
    }

    private static let inserts =
        [
            """
            INSERT INTO person (object_id, object_entity, object_version, name, surname, age, height, boss_id, \
            department_id, salary, is_active, balance, birthday, token, homepage, color, photo) VALUES \
            (1, 4, 1, 'Ann', 'Smith', 30, 1.7, NULL, 1, 100, true, 10.5, '2001-01-01 00:00:00Z', \
            '00112233-4455-6677-8899-aabbccddeeff', 'http://a.b/', '\\x726564', '\\x01aa'), \
            (2, 3, 1, 'Bob', NULL, 40, NULL, 1, NULL, NULL, false, 7, '2001-01-02 00:00:00Z', NULL, NULL, NULL, NULL), \
            (3, 3, 1, 'Émile', 'Émile', NULL, 1.8, 1, NULL, NULL, true, NULL, NULL, NULL, NULL, NULL, NULL), \
            (4, 4, 1, 'Dora', 'smith', 25, 1.6, 2, 1, NULL, NULL, 3, '2001-01-01 00:01:40.5Z', NULL, NULL, NULL, NULL), \
            (5, 3, 1, NULL, 'Jones', 30, 1.75, 3, NULL, NULL, false, -1, NULL, NULL, NULL, NULL, NULL)
            """,
            "INSERT INTO tag (object_id, object_entity, object_version, name) VALUES (1, 5, 1, 'red'), (2, 5, 1, 'blue')",
            """
            INSERT INTO company (object_id, object_entity, object_version, name, founded) VALUES \
            (1, 1, 1, 'Acme', '2001-01-01 00:00:00Z'), (2, 1, 1, 'Void', NULL)
            """,
            """
            INSERT INTO department (object_id, object_entity, object_version, name, company_id, company_order) VALUES \
            (1, 2, 1, 'Sales', 1, 4096), (2, 2, 1, 'Lab', 1, 2048), (3, 2, 1, 'Empty', NULL, NULL)
            """,
        ]
        + joins("friends", [(1, 2), (1, 3), (2, 3), (3, 5), (5, 1)])
        + joins("tags", [(1, 1), (1, 2), (2, 1)])

    private static func joins(_ name: String, _ pairs: [(Int, Int)]) -> [String] {
        let layout = try? LayoutBuilder.layout(for: Staff.index, form: .postgreSQL)
        guard case .join(let join)? = layout?["Person"]?.columns[name] else { return [] }
        return pairs.map { pair in
            """
            INSERT INTO \(join.table) (\(join.sourceColumn), \(join.destinationColumn)) \
            VALUES (\(pair.0), \(pair.1))
            """
        }
    }

    /// The last value of each row of several statements, in ascending order, a list for each statement.
    func keys(_ statements: [SQLStatement]) throws -> [[Int64]] {
        let script = statements.enumerated().map { number, statement in
            "\\echo #\(number)\n" + ThrowawayServer.execution(statement, named: "s\(number)")
        }
        var found: [[Int64]] = []
        for row in try server.rows(script.joined()) {
            if row.hasPrefix("#") {
                found.append([])
            } else if let key = row.split(separator: "|").last.flatMap({ Int64($0) }) {
                found[found.count - 1].append(key)
            }
        }
        return found.map { $0.sorted() }
    }
}
