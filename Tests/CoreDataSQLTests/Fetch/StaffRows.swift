// A few rows of the model of `Staff`, written by hand into plain SQLite with our functions registered.

import CSQLite
import CoreDataPredicate
import CoreDataSQL
import Foundation

/// | key | entity   | name  | surname | age | height | boss | friends | tags      | department | salary |
/// |-----|----------|-------|---------|-----|--------|------|---------|-----------|------------|--------|
/// | 1   | Employee | Ann   | Smith   | 30  | 1.7    |      | 2, 3    | red, blue | Sales      | 100    |
/// | 2   | Person   | Bob   |         | 40  |        | 1    | 3       | red       |            |        |
/// | 3   | Person   | Émile | Émile   |     | 1.8    | 1    | 5       |           |            |        |
/// | 4   | Employee | Dora  | smith   | 25  | 1.6    | 2    |         |           | Sales      |        |
/// | 5   | Person   |       | Jones   | 30  | 1.75   | 3    | 1       |           |            |        |
///
/// Company 1, Acme, has Lab (2) and Sales (1) in this order; company 2, Void, has none; department 3 has no
/// company.
struct StaffRows {
    let database: ScratchDatabase

    init() throws {
        database = try ScratchDatabase()
        try database.registerFunctions()
        let blueprint = try LayoutBuilder.blueprint(for: Staff.index)
        for definition in blueprint.definitions { try database.rows(SQLStatement(definition)) }
        for statement in try Self.inserts() { try database.rows(SQLStatement(statement)) }
    }

    private static func inserts() throws -> [String] {
        let layout = try Staff.layout()
        let person = layout["Person"]?.number ?? 0
        let employee = layout["Employee"]?.number ?? 0
        let columns = """
            Z_PK, Z_ENT, Z_OPT, ZNAME, ZSURNAME, ZAGE, ZHEIGHT, ZBOSS, ZDEPARTMENT, ZSALARY, ZISACTIVE, ZBALANCE, \
            ZBIRTHDAY, ZTOKEN, ZHOMEPAGE, ZCOLOR, ZPHOTO
            """
        let rows = [
            """
            1, \(employee), 1, 'Ann', 'Smith', 30, 1.7, NULL, 1, 100, 1, 10.5, 0, X'\(uuid)', 'http://a.b/', \
            X'726564', X'01AA'
            """,
            "2, \(person), 1, 'Bob', NULL, 40, NULL, 1, NULL, NULL, 0, 7, 86400, NULL, NULL, NULL, NULL",
            """
            3, \(person), 1, 'Émile', 'Émile', NULL, 1.8, 1, NULL, NULL, 1, NULL, NULL, NULL, NULL, NULL, NULL
            """,
            """
            4, \(employee), 1, 'Dora', 'smith', 25, 1.6, 2, 1, NULL, NULL, 3, 100.5, NULL, NULL, NULL, NULL
            """,
            "5, \(person), 1, NULL, 'Jones', 30, 1.75, 3, NULL, NULL, 0, -1, NULL, NULL, NULL, NULL, NULL",
        ]
        return rows.map { "INSERT INTO ZPERSON (\(columns)) VALUES (\($0))" } + [
            "INSERT INTO ZTAG (Z_PK, Z_ENT, Z_OPT, ZNAME) VALUES (1, 5, 1, 'red'), (2, 5, 1, 'blue')",
            """
            INSERT INTO ZCOMPANY (Z_PK, Z_ENT, Z_OPT, ZNAME, ZFOUNDED) VALUES (1, 1, 1, 'Acme', 0), \
            (2, 1, 1, 'Void', NULL)
            """,
            """
            INSERT INTO ZDEPARTMENT (Z_PK, Z_ENT, Z_OPT, ZNAME, ZCOMPANY, Z_FOK_COMPANY) VALUES \
            (1, 2, 1, 'Sales', 1, 4096), (2, 2, 1, 'Lab', 1, 2048), (3, 2, 1, 'Empty', NULL, NULL)
            """,
        ] + (try joins(layout, "friends", [(1, 2), (1, 3), (2, 3), (3, 5), (5, 1)]))
            + (try joins(layout, "tags", [(1, 1), (1, 2), (2, 1)]))
    }

    static let uuid = "00112233445566778899AABBCCDDEEFF"

    private static func joins(
        _ layout: StoreLayout, _ name: String, _ pairs: [(Int, Int)]
    ) throws -> [String] {
        guard case .join(let join)? = layout["Person"]?.columns[name] else { return [] }
        return pairs.map { pair in
            """
            INSERT INTO \(join.table) (\(join.sourceColumn), \(join.destinationColumn)) \
            VALUES (\(pair.0), \(pair.1))
            """
        }
    }

    /// The keys of the matching rows, in ascending order.
    func keys(of entity: String = "Person", _ predicate: PredicateTree) throws -> [Int64] {
        try rows(of: entity, predicate).compactMap { $0.last?.integer }.sorted()
    }

    func rows(
        of entity: String = "Person", _ predicate: PredicateTree?, result: FetchDescription.Result = .keys,
        _ change: (inout FetchDescription) -> Void = { _ in }
    ) throws -> [[SQLBinding]] {
        try database.rows(Staff.statement(of: entity, predicate, result: result, change))
    }
}
