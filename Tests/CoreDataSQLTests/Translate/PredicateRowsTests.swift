// The rows that predicates find in plain SQLite; the expected keys are worked out by hand from `StaffRows`.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

struct PredicateRowsTests {
    @Test(arguments: Found.values)
    func values(_ format: String, _ keys: [Int64]) throws { try check(format, keys) }

    @Test(arguments: Found.strings)
    func strings(_ format: String, _ keys: [Int64]) throws { try check(format, keys) }

    @Test(arguments: Found.arithmetic)
    func arithmetic(_ format: String, _ keys: [Int64]) throws { try check(format, keys) }

    @Test(arguments: Found.toOne)
    func toOne(_ format: String, _ keys: [Int64]) throws { try check(format, keys) }

    @Test(arguments: Found.quantifiers)
    func quantifiers(_ format: String, _ keys: [Int64]) throws { try check(format, keys) }

    @Test(arguments: Found.collections)
    func collections(_ format: String, _ keys: [Int64]) throws { try check(format, keys) }

    private func check(_ format: String, _ keys: [Int64]) throws {
        try expect(StaffRows().keys(try PredicateParser.predicate(format)), equals: keys)
    }

    @Test func objects() throws {
        let rows = try StaffRows()
        func keys(_ format: String, _ arguments: Any?...) throws -> [Int64] {
            try rows.keys(try PredicateParser.predicate(format, arguments: arguments))
        }
        let ann = try Staff.token("Employee", 1)
        let bob = try Staff.token("Person", 2)
        try expect(keys("boss == %@", ann), equals: [2, 3])
        try expect(keys("boss != %@", ann), equals: [1, 4, 5])
        try expect(keys("SELF == %@", bob), equals: [2])
        try expect(keys("SELF IN %@", [ann, bob]), equals: [1, 2])
        try expect(keys("NOT SELF IN %@", [ann, bob]), equals: [3, 4, 5])
        try expect(keys("boss IN %@", [ann, bob]), equals: [2, 3, 4])
        try expect(keys("ANY friends == %@", ann), equals: [5])
        try expect(keys("friends CONTAINS %@", bob), equals: [1])
        try expect(keys("%@ IN friends", bob), equals: [1])
        try expect(keys("ANY friends IN %@", [ann, bob]), equals: [1, 5])
        try expect(keys("NONE friends == %@", bob), equals: [2, 3, 4, 5])
        try expect(keys("boss == %@", RowToken(nil)), equals: [])
        try expect(keys("ANY tags == %@", bob), equals: [])
    }

    @Test func valuesOfEveryTypeMatchTheirColumns() throws {
        let rows = try StaffRows()
        func keys(_ path: String, _ value: Value) throws -> [Int64] {
            try rows.keys(.comparison(.init(.keyPath(path), op: .equalTo, right: .constant(value))))
        }
        let uuid = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        try expect(keys("token", .uuid(uuid)), equals: [1])
        #expect(try keys("homepage", .url(try #require(URL(string: "http://a.b/")))) == [1])
        try expect(keys("birthday", .date(Date(timeIntervalSinceReferenceDate: 100.5))), equals: [4])
        try expect(keys("balance", .decimal(try #require(Decimal(string: "10.5")))), equals: [1])
        try expect(keys("balance", .decimal(7)), equals: [2])
        try expect(keys("isActive", .integer(0)), equals: [2, 5])
        try expect(keys("isActive", .string("0")), equals: [])
    }

    @Test func longListsOfEveryType() throws {
        let rows = try StaffRows()
        func keys(_ path: String, _ values: [Value]) throws -> [Int64] {
            try rows.keys(.comparison(.init(.keyPath(path), op: .in, right: .constant(.array(values)))))
        }
        try expect(keys("age", (26..<50_000).map { .integer($0) }), equals: [1, 2, 5])
        try expect(keys("height", (0..<200).map { .double(Double($0) / 20) }), equals: [1, 3, 4, 5])
        let uuids = (0..<200).map { _ in Value.uuid(UUID()) }
        let own = try #require(UUID(uuidString: "00112233-4455-6677-8899-AABBCCDDEEFF"))
        try expect(keys("token", uuids + [.uuid(own)]), equals: [1])
        let texts = (0..<200).map { Value.string("\"\\\u{1}\($0)é") }
        try expect(keys("name", texts + [.string("Émile"), .null]), equals: [3, 5])
        try expect(keys("name", texts + [.string("a\0b"), .string("Bob")]), equals: [2])
    }

    @Test func wideCompoundsRun() throws {
        let parts = (0..<5000).map {
            PredicateTree.comparison(.init(.keyPath("age"), op: .equalTo, right: .constant(.integer($0))))
        }
        try expect(StaffRows().keys(.or(parts)), equals: [1, 2, 4, 5])
    }

    @Test func deepCompoundsRun() throws {
        let leaf = try PredicateParser.predicate("age == 30")
        let other = try PredicateParser.predicate("name == 'Bob'")
        var deep = leaf
        for level in 0..<70 {
            deep = level.isMultiple(of: 2) ? .or([other, deep]) : .and([.constant(true), deep])
        }
        try expect(StaffRows().keys(deep), equals: [1, 2, 5])
    }

    @Test func subentitiesAndOrderedRelationships() throws {
        let rows = try StaffRows()
        func keys(_ entity: String, _ format: String) throws -> [Int64] {
            try rows.keys(of: entity, try PredicateParser.predicate(format))
        }
        try expect(keys("Employee", "age > 0"), equals: [1, 4])
        try expect(keys("Employee", "salary == nil"), equals: [4])
        try expect(keys("Employee", "department.name == 'Sales'"), equals: [1, 4])
        try expect(keys("Department", "staff.@count == 2"), equals: [1])
        try expect(keys("Department", "ANY staff.boss.name == 'Bob'"), equals: [1])
        try expect(keys("Company", "departments[FIRST].name == 'Lab'"), equals: [1])
        try expect(keys("Company", "departments[LAST].name == 'Sales'"), equals: [1])
        try expect(keys("Company", "departments[1].name == 'Sales'"), equals: [1])
        try expect(keys("Company", "departments[SIZE] == 0"), equals: [2])
        try expect(keys("Company", "ANY departments.staff.name == 'Dora'"), equals: [1])
        try expect(keys("Company", "ALL departments.staff.name == 'Dora'"), equals: [2])
    }
}

private enum Found {
    static let values: [(String, [Int64])] = [
        ("name == 'Ann'", [1]), ("name != 'Ann'", [2, 3, 4, 5]), ("NOT name == 'Ann'", [2, 3, 4, 5]),
        ("name == nil", [5]), ("name != nil", [1, 2, 3, 4]), ("name == surname", [3]),
        ("age == 30", [1, 5]), ("age > 25 AND age < 40", [1, 5]), ("NOT (age > 25)", [3, 4]),
        ("age BETWEEN {25, 30}", [1, 4, 5]), ("age IN {25, 40, nil}", [2, 3, 4]),
        ("NOT age IN {30}", [2, 3, 4]),
        ("height == 1.75", [5]), ("balance == 10.5", [1]), ("balance < 0", [5]), ("isActive == YES", [1, 3]),
        ("birthday == CAST(86400, 'NSDate')", [2]), ("token != nil", [1]), ("color == 'red'", [1]),
        ("photo == nil", [2, 3, 4, 5]), ("TRUEPREDICATE", [1, 2, 3, 4, 5]), ("FALSEPREDICATE", []),
        ("age == 40 OR name == nil", [2, 5]), ("name == 5", []), ("name != 5", [1, 2, 3, 4, 5]),
    ]

    static let strings: [(String, [Int64])] = [
        ("name BEGINSWITH 'A'", [1]), ("name BEGINSWITH 'É'", [3]), ("name BEGINSWITH[d] 'E'", [3]),
        ("name ENDSWITH 'n'", [1]), ("name CONTAINS 'o'", [2, 4]), ("name CONTAINS[cd] 'E'", [3]),
        ("NOT name CONTAINS 'o'", [1, 3, 5]), ("name LIKE '?o*'", [2, 4]), ("name MATCHES '[AB].*'", [1, 2]),
        ("surname ==[c] 'SMITH'", [1, 4]), ("surname !=[c] 'SMITH'", [2, 3, 5]),
        ("surname IN[c] {'SMITH', 'JONES'}", [1, 4, 5]), ("name <[c] 'bob'", [1]),
        ("'ann' IN[c] {name}", [1]),
        ("uppercase(name) == 'ÉMILE'", [3]), ("canonical(name) == 'emile'", [3]), ("name.length == 5", [3]),
        ("length(name) < 4", [1, 2]), ("surname ==[c] boss.boss.name", [2]),
        ("surname !=[c] boss.boss.name", [1, 3, 4, 5]), ("'Anna' BEGINSWITH name", [1]),
    ]

    static let arithmetic: [(String, [Int64])] = [
        ("age + 10 == 40", [1, 5]), ("age * 2 > 60", [2]), ("age - 5 == 20", [4]), ("age / 7 == 4", [1, 5]),
        ("balance / 2 == 3.5", [2]), ("modulus:by:(age, 25) == 0", [4]), ("(age & 1) == 1", [4]),
        ("bitwiseXor:with:(age, 1) == 31", [1, 5]), ("(age | 1) == 41", [2]), ("age ** 2 == 900", [1, 5]),
        ("abs(balance) == 1", [5]), ("ceiling(height) == 2", [1, 3, 4, 5]), ("floor(height) == 2", []),
        ("trunc(height) == 1", [1, 3, 4, 5]), ("sqrt(age) == 5", [4]), ("birthday < now()", [1, 2, 4]),
        ("TERNARY(age > 28, 'old', 'young') == 'young'", [3, 4]),
        ("birthday + 10 == CAST(10, 'NSDate')", [1]),
        ("max:({age, 35}) == 40", [2]), ("sum:({age, 1, 2}) == 33", [1, 5]),
        ("median:({age, 30}) == 30", [1, 3, 5]),
    ]

    static let toOne: [(String, [Int64])] = [
        ("boss == nil", [1]), ("boss != nil", [2, 3, 4, 5]), ("boss.name == 'Ann'", [2, 3]),
        ("boss.boss.name == 'Ann'", [4, 5]), ("boss.name == nil", [1]), ("boss.name != 'Ann'", [1, 4, 5]),
        ("boss.age == age", []), ("boss.boss == nil", [1, 2, 3]), ("boss.objectID != nil", [2, 3, 4, 5]),
    ]

    static let quantifiers: [(String, [Int64])] = [
        ("ANY friends.name == 'Émile'", [1, 2]), ("ANY friends.age > 35", [1]),
        ("ANY friends.age == nil", [1, 2]),
        ("NONE friends.age == nil", [3, 4, 5]), ("ALL friends.age > 20", [3, 4, 5]),
        ("ALL friends.name == 'Émile'", [2, 4]), ("ANY friends.friends.name == nil", [1, 2]),
        ("ANY friends.tags.name == 'blue'", [5]), ("ANY friends.boss.name == 'Ann'", [1, 2]),
        ("ANY tags.name IN {'blue', 'green'}", [1]), ("ANY tags.name BEGINSWITH 'r'", [1, 2]),
        ("ANY boss.reports.name == 'Bob'", [2, 3]), ("ANY friends.age > age", [1]),
        ("'red' IN tags.name", [1, 2]), ("name IN boss.reports.name", [2, 3, 4, 5]),
        ("SELF IN boss.friends", [2, 3, 5]), ("friends.name.@count == 2", [1]),
        ("SELF IN friends.friends", []),
    ]

    static let collections: [(String, [Int64])] = [
        ("friends.@count == 0", [4]), ("friends.@count > 1", [1]), ("count:(tags) == 2", [1]),
        ("friends.@sum.age == 40", [1]), ("friends.@sum.age == 0", [2, 4]), ("reports.@max.age == 40", [1]),
        ("reports.@min.height == 1.8", [1]), ("reports.@avg.age == 40", [1]),
        ("average:(reports.age) == 25", [2]),
        ("SUBQUERY(friends, $f, $f.age > 29).@count == 1", [1, 3, 5]),
        ("SUBQUERY(friends, $f, $f.boss == SELF).@count == 2", [1]),
        ("SUBQUERY(friends, $f, ANY $f.tags.name == 'red').@count > 0", [1, 5]),
        ("SUBQUERY(friends, $f, SUBQUERY($f.friends, $g, $g == $f.boss).@count > 0).@count > 0", []),
        ("SUBQUERY(reports, $r, $r.age > 39).@avg.height == nil", [1, 2, 3, 4, 5]),
        ("ANY SUBQUERY(friends, $f, $f.age == 40).name == 'Bob'", [1]),
        ("(friends UNION reports).@count == 2", [1, 2]),
        ("(friends INTERSECT reports).@count == 2", [1]), ("(friends MINUS reports).@count == 1", [2, 5]),
    ]
}
