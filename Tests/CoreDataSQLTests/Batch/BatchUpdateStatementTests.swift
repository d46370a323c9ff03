// The SQL of batch updates.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSupport
import CoreDataTestSupport
import Testing

struct BatchUpdateStatementTests {
    @Test func allRowsOfATableNeedNoCondition() throws {
        var description = BatchUpdateDescription(rows: FetchDescription(entityName: "Tag", result: .keys))
        description.constants = [("ZNAME", "\(binding: .text("x"), as: .ofPlace)")]
        try expect(
            Staff.planner().update(description),
            equals: SQLStatement(
                "UPDATE ZTAG AS t0 SET ZNAME = ?, Z_OPT = IFNULL(t0.Z_OPT, 0) % \(Int64.max) + 1",
                bindings: [.text("x")]))
    }

    @Test func expressionsAndAPredicate() throws {
        var rows = FetchDescription(entityName: "Person", result: .keys)
        rows.predicate = .comparison(.init(.keyPath("age"), op: .equalTo, right: .constant(.integer(3))))
        var description = BatchUpdateDescription(rows: rows)
        description.expressions = [("name", .constant(.string("x"))), ("age", .keyPath("age"))]
        description.returnsKeys = true
        let statement = try Staff.planner().update(description)
        #expect(statement.text.hasPrefix("UPDATE ZPERSON AS t0 SET ZNAME = ?, ZAGE = t0.ZAGE, Z_OPT = "))
        #expect(statement.text.hasSuffix(" RETURNING Z_ENT, Z_PK"))
        #expect(statement.text.contains(" WHERE "))
        #expect(!statement.text.contains("SELECT"))
        description.rows.limit = 2
        let limited = try Staff.planner().update(description)
        #expect(limited.text.contains("WHERE t0.Z_PK IN (SELECT t0.Z_PK FROM ZPERSON t0 WHERE "))
    }

    @Test func whatIsOfAnotherKindIsRefused() throws {
        var description = BatchUpdateDescription(rows: FetchDescription(entityName: "Person", result: .keys))
        description.expressions = [("age", .keyPath("name"))]
        #expect(throws: TranslationFailure.self) { try Staff.planner().update(description) }
        description.expressions = [("unknown", .keyPath("name"))]
        #expect(throws: TranslationFailure.self) { try Staff.planner().update(description) }
    }
}
