import CoreDataPredicate
import CoreDataSQL
import CoreDataSupport
import CoreDataTestSupport
import Testing

private func equals(_ path: String, _ value: Value) -> PredicateTree {
    .comparison(.init(.keyPath(path), op: .equalTo, right: .constant(value)))
}

struct FetchPlannerTests {
    @Test func rowsHaveEntityKeyVersionAndTheColumnsAskedFor() throws {
        try expect(
            Staff.statement(nil, result: .rows(columns: ["ZNAME", "ZAGE"])),
            equals: SQLStatement("SELECT t0.Z_ENT, t0.Z_PK, t0.Z_OPT, t0.ZNAME, t0.ZAGE FROM ZPERSON t0"))
        try expect(
            Staff.statement(of: "Tag", nil, result: .rows(columns: ["ZNAME"])),
            equals: SQLStatement("SELECT t0.Z_PK, t0.Z_OPT, t0.ZNAME FROM ZTAG t0"))
    }

    @Test func subentitiesAreToldApartByNumber() throws {
        let employee = try #require(try Staff.layout()["Employee"]).number
        let person = try #require(try Staff.layout()["Person"]).number
        try expect(
            Staff.statement(of: "Employee", nil),
            equals: SQLStatement("SELECT t0.Z_ENT, t0.Z_PK FROM ZPERSON t0 WHERE t0.Z_ENT = \(employee)"))
        try expect(
            Staff.statement(nil) { $0.includesSubentities = false },
            equals: SQLStatement("SELECT t0.Z_ENT, t0.Z_PK FROM ZPERSON t0 WHERE t0.Z_ENT = \(person)"))
    }

    @Test func orderLimitAndOffset() throws {
        let statement = try Staff.statement(of: "Tag", nil) {
            $0.sortKeys = [
                SortKey("name", comparison: .caseInsensitiveCompare), SortKey("objectID", ascending: false),
            ]
            $0.limit = 5
            $0.offset = 10
        }
        expect(
            statement,
            equals: SQLStatement(
                """
                SELECT t0.Z_PK FROM ZTAG t0 ORDER BY t0.ZNAME COLLATE NSCollateNoCase, t0.Z_PK DESC \
                LIMIT ? OFFSET ?
                """, bindings: [.integer(5), .integer(10)]))
    }

    @Test func sortAndPredicateShareAJoin() throws {
        let statement = try Staff.statement(equals("boss.name", .string("Ann"))) {
            $0.sortKeys = [SortKey("boss.age"), SortKey("boss.boss.name", ascending: false)]
        }
        expect(
            statement,
            equals: SQLStatement(
                """
                SELECT t0.Z_ENT, t0.Z_PK FROM ZPERSON t0 LEFT OUTER JOIN ZPERSON t1 ON t1.Z_PK = t0.ZBOSS \
                LEFT OUTER JOIN ZPERSON t2 ON t2.Z_PK = t1.ZBOSS WHERE t1.ZNAME = ? \
                ORDER BY t1.ZAGE, t2.ZNAME DESC
                """, bindings: [.text("Ann")]))
    }

    @Test func countsIgnoreTheOrderAndCountInsideTheWindow() throws {
        let predicate = equals("age", .integer(3))
        try expect(
            Staff.statement(predicate, result: .count) { $0.sortKeys = [SortKey("boss.name")] },
            equals: SQLStatement("SELECT COUNT(*) FROM ZPERSON t0 WHERE t0.ZAGE = ?", bindings: [.integer(3)])
        )
        try expect(
            Staff.statement(predicate, result: .count) { $0.limit = 2 },
            equals: SQLStatement(
                "SELECT COUNT(*) FROM (SELECT 1 FROM ZPERSON t0 WHERE t0.ZAGE = ? LIMIT ?) t1",
                bindings: [.integer(3), .integer(2)]))
    }

    @Test func compoundPredicatesKeepTheirShape() throws {
        let predicate = PredicateTree.or([
            .and([equals("name", .string("Ann")), equals("age", .null)]),
            .not(equals("isActive", .bool(true))),
        ])
        try expect(
            Staff.condition(predicate),
            equals: SQLStatement(
                "((t0.ZNAME = ? AND t0.ZAGE IS NULL) OR (t0.ZISACTIVE = ?) IS NOT TRUE)",
                bindings: [.text("Ann"), .integer(1)]))
    }

    @Test func unknownKeysAreNamed() {
        #expect(throws: TranslationFailure("keypath salary not found in entity Person")) {
            try Staff.statement(equals("salary", .integer(1)))
        }
        #expect(throws: TranslationFailure("to-many key not allowed here: can't sort by \"friends.name\"")) {
            try Staff.statement(nil) { $0.sortKeys = [SortKey("friends.name")] }
        }
    }
}
