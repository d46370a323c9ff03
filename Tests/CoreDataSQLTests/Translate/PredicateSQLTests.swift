// The SQL of each construct of the predicate language, over persons.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Testing

/// A predicate, and the condition that it is to become.
struct Translation: Sendable, CustomTestStringConvertible {
    let format: String
    let sql: String
    let bindings: [SQLBinding]

    init(_ format: String, _ sql: String, _ bindings: SQLBinding...) {
        self.format = format
        self.sql = sql
        self.bindings = bindings
    }

    var testDescription: String { format }
}

struct PredicateSQLTests {
    @Test(arguments: Expected.comparisons)
    func comparisons(_ expected: Translation) throws { try check(expected) }

    @Test(arguments: Expected.strings)
    func strings(_ expected: Translation) throws { try check(expected) }

    @Test(arguments: Expected.functions)
    func functions(_ expected: Translation) throws { try check(expected) }

    @Test(arguments: Expected.lists)
    func lists(_ expected: Translation) throws { try check(expected) }

    @Test(arguments: Expected.relationships)
    func relationships(_ expected: Translation) throws { try check(expected) }

    private func check(_ expected: Translation) throws {
        let statement = try Staff.condition(try PredicateParser.predicate(expected.format))
        expect(statement.text, equals: expected.sql)
        expect(statement.bindings, equals: expected.bindings)
    }

    @Test func objectsBecomeTheirKeys() throws {
        let boss = try PredicateParser.predicate("boss == %@", arguments: [try Staff.token("Employee", 7)])
        try expect(Staff.condition(boss), equals: SQLStatement("t0.ZBOSS = ?", bindings: [.integer(7)]))
        let friends = try PredicateParser.predicate(
            "friends CONTAINS %@", arguments: [try Staff.token("Person", 7)])
        try expect(
            Staff.condition(friends),
            equals: SQLStatement(
                """
                t0.Z_PK IN (SELECT t1.Z_3FRIENDOF FROM Z_3FRIENDS t1 WHERE t1.Z_3FRIENDS = ?)
                """, bindings: [.integer(7)]))
        let several = try PredicateParser.predicate(
            "SELF IN %@",
            arguments: [
                [try Staff.token("Person", 1), try Staff.token("Employee", 2), RowToken(nil)] as [AnyObject]
            ])
        try expect(
            Staff.condition(several),
            equals: SQLStatement("t0.Z_PK IN (?, ?)", bindings: [.integer(1), .integer(2)]))
    }

    @Test func objectsOfOtherTreesAndUnsavedOnesEqualNothing() throws {
        let tag = try PredicateParser.predicate("boss == %@", arguments: [try Staff.token("Tag", 1)])
        try expect(Staff.condition(tag), equals: SQLStatement("1 = 0"))
        let unsaved = try PredicateParser.predicate("boss != %@", arguments: [RowToken(nil)])
        try expect(Staff.condition(unsaved), equals: SQLStatement("1 = 1"))
    }

    @Test func longListsAreOneParameter() throws {
        let numbers = PredicateTree.comparison(
            .init(.keyPath("age"), op: .in, right: .constant(.array((0..<40_000).map { .integer($0) }))))
        let statement = try Staff.condition(numbers)
        expect(statement.text, equals: "t0.ZAGE IN (SELECT value FROM json_each(?))")
        expect(statement.bindings.count, equals: 1)
        let doubles = PredicateTree.comparison(
            .init(
                .keyPath("height"), op: .in,
                right: .constant(.array((0..<200).map { .double(Double($0) / 7) }))))
        try expect(
            Staff.condition(doubles).text,
            equals: "t0.ZHEIGHT IN (SELECT NSCoreDataElement(value) FROM json_each(?))")
    }

    @Test(arguments: Expected.refusals)
    func whatHasNoSQLIsNamed(_ format: String, _ reason: String) throws {
        let predicate = try PredicateParser.predicate(format)
        #expect(throws: TranslationFailure(reason)) { try Staff.statement(predicate) }
    }

    @Test func deepTreesAreRefusedAndWideOnesAreNot() throws {
        let leaf = try PredicateParser.predicate("age == 1")
        var deep = leaf
        for level in 0..<1000 { deep = level.isMultiple(of: 2) ? .not(deep) : .and([leaf, deep]) }
        #expect(throws: TranslationFailure("the predicate is nested more than 80 levels deep")) {
            try Staff.statement(deep)
        }
        var long = leaf
        for _ in 0..<1000 { long = .and([long, leaf]) }
        try expect(Staff.condition(long).bindings.count, equals: 1001)
        var negated = leaf
        for _ in 0..<1001 { negated = .not(negated) }
        try expect(
            Staff.condition(negated),
            equals: SQLStatement("(t0.ZAGE = ?) IS NOT TRUE", bindings: [.integer(1)]))
        let wide = try Staff.condition(.or(Array(repeating: leaf, count: 5000)))
        expect(wide.bindings.count, equals: 5000)
    }

    @Test func blocksAndSelectorsAreRefused() throws {
        #expect(
            throws: TranslationFailure(
                "a block predicate has no SQL form: it can be evaluated in memory only")
        ) {
            try Staff.statement(.block(ObjectReference(RowToken(nil))))
        }
        let custom = PredicateTree.comparison(
            .init(
                .keyPath("name"), op: .customSelector, right: .constant(.string("a")),
                customSelector: "isNice:"))
        #expect(throws: TranslationFailure("a comparison by the selector isNice: has no SQL form")) {
            try Staff.statement(custom)
        }
    }
}

private enum Expected {
    static let comparisons: [Translation] = [
        Translation("name == 'Ann'", "t0.ZNAME = ?", .text("Ann")),
        Translation("'Ann' == name", "t0.ZNAME = ?", .text("Ann")),
        Translation("name != 'Ann'", "t0.ZNAME IS NOT ?", .text("Ann")),
        Translation("name == nil", "t0.ZNAME IS NULL"),
        Translation("name != nil", "t0.ZNAME IS NOT NULL"),
        Translation("name == surname", "t0.ZNAME IS t0.ZSURNAME"),
        Translation("name != surname", "t0.ZNAME IS NOT t0.ZSURNAME"),
        Translation("age > 3", "t0.ZAGE > ?", .integer(3)),
        Translation("3 > age", "t0.ZAGE < ?", .integer(3)),
        Translation("age >= 3.5", "t0.ZAGE >= ?", .double(3.5)),
        Translation("isActive == YES", "t0.ZISACTIVE = ?", .integer(1)),
        Translation("age BETWEEN {1, 9}", "(t0.ZAGE >= ? AND t0.ZAGE <= ?)", .integer(1), .integer(9)),
        Translation("name == 5", "1 = 0"),
        Translation("name != 5", "1 = 1"),
        Translation("age < nil", "1 = 0"),
        Translation("color == 'red'", "t0.ZCOLOR = ?", .blob(Data("red".utf8))),
        Translation("photo != nil", "t0.ZPHOTO IS NOT NULL"),
        Translation("TRUEPREDICATE", "SELECT t0.Z_ENT, t0.Z_PK FROM ZPERSON t0"),
        Translation("FALSEPREDICATE", "1 = 0"),
        Translation("NOT name == 'Ann'", "(t0.ZNAME = ?) IS NOT TRUE", .text("Ann")),
    ]

    static let strings: [Translation] = [
        Translation("name BEGINSWITH 'An'", "(t0.ZNAME >= ? AND t0.ZNAME < ?)", .text("An"), .text("Ao")),
        Translation("name BEGINSWITH 'É'", "(t0.ZNAME >= ? AND t0.ZNAME < ?)", .text("É"), .text("Ê")),
        Translation("name BEGINSWITH ''", "1 = 0"),
        Translation("name CONTAINS 'n'", "instr(t0.ZNAME, ?) > 0", .text("n")),
        Translation("name BEGINSWITH[c] 'an'", "NSCoreDataStringSearch(t0.ZNAME, ?, 1, 8)", .text("an")),
        Translation("name ENDSWITH 'n'", "NSCoreDataStringSearch(t0.ZNAME, ?, 0, 9)", .text("n")),
        Translation("name CONTAINS[cd] 'e'", "NSCoreDataStringSearch(t0.ZNAME, ?, 3, 99)", .text("e")),
        Translation("name LIKE 'A*'", "NSCoreDataStringSearch(t0.ZNAME, ?, 0, 7)", .text("A*")),
        Translation("name MATCHES 'A.+'", "NSCoreDataStringSearch(t0.ZNAME, ?, 0, 6)", .text("A.+")),
        Translation("name ==[c] 'ann'", "NSCoreDataStringSearch(t0.ZNAME, ?, 1, 4)", .text("ann")),
        Translation(
            "name !=[c] 'ann'", "(NSCoreDataStringSearch(t0.ZNAME, ?, 1, 4)) IS NOT TRUE", .text("ann")),
        Translation("'n' IN name", "instr(t0.ZNAME, ?) > 0", .text("n")),
        Translation("'Anna' CONTAINS name", "NSCoreDataStringSearch(?, t0.ZNAME, 0, 99)", .text("Anna")),
        Translation("name CONTAINS surname", "NSCoreDataStringSearch(t0.ZNAME, t0.ZSURNAME, 0, 99)"),
        Translation("name.length > 3", "NSCoreDataLength(t0.ZNAME) > ?", .integer(3)),
        Translation("characters(name) > 3", "NSCoreDataCharacters(t0.ZNAME) > ?", .integer(3)),
        Translation("uppercase(name) == 'ANN'", "NSCoreDataUppercase(t0.ZNAME) = ?", .text("ANN")),
        Translation("canonical:(name) == 'emile'", "NSCoreDataCanonical(t0.ZNAME) = ?", .text("emile")),
    ]

    static let functions: [Translation] = [
        Translation("age + 1 == 31", "(t0.ZAGE + ?) = ?", .integer(1), .integer(31)),
        Translation("age / 7 == 4", "(t0.ZAGE / ?) = ?", .integer(7), .integer(4)),
        Translation("balance / 2 > 1", "(CAST(t0.ZBALANCE AS REAL) / ?) > ?", .integer(2), .integer(1)),
        Translation("modulus:by:(age, 2) == 0", "(t0.ZAGE % ?) = ?", .integer(2), .integer(0)),
        Translation("(age & 1) == 1", "(t0.ZAGE & ?) = ?", .integer(1), .integer(1)),
        Translation("age ** 2 > 900", "NSCoreDataPower(t0.ZAGE, ?) > ?", .integer(2), .integer(900)),
        Translation("abs(balance) == 1", "NSCoreDataAbs(t0.ZBALANCE) = ?", .integer(1)),
        Translation("floor(height) == 1", "NSCoreDataFloor(t0.ZHEIGHT) = ?", .integer(1)),
        Translation("CAST(birthday, 'NSNumber') > 5", "t0.ZBIRTHDAY > ?", .integer(5)),
        Translation("birthday > CAST(5, 'NSDate')", "t0.ZBIRTHDAY > ?", .double(5)),
        Translation("age > 1 + 2 * 3", "t0.ZAGE > ?", .integer(7)),
        Translation("name == uppercase('ann')", "t0.ZNAME = ?", .text("ANN")),
        Translation("birthday.timeIntervalSinceReferenceDate > 5", "t0.ZBIRTHDAY > ?", .integer(5)),
        Translation("FUNCTION(name, 'length') > 3", "NSCoreDataLength(t0.ZNAME) > ?", .integer(3)),
        Translation(
            "TERNARY(age > 3, 1, 2) == 1", "CASE WHEN t0.ZAGE > ? THEN ? ELSE ? END = ?", .integer(3),
            .integer(1), .integer(2), .integer(1)),
    ]

    static let lists: [Translation] = [
        Translation("age IN {1, 2}", "t0.ZAGE IN (?, ?)", .integer(1), .integer(2)),
        Translation("age IN {1}", "t0.ZAGE = ?", .integer(1)),
        Translation("age IN {}", "1 = 0"),
        Translation("age IN {1, nil}", "(t0.ZAGE = ? OR t0.ZAGE IS NULL)", .integer(1)),
        Translation(
            "name IN[c] {'ann', 'bob'}",
            """
            EXISTS (SELECT 1 FROM json_each(?) WHERE NSCoreDataStringSearch(t0.ZNAME, value, 1, 4))
            """, .text(#"["ann","bob"]"#)),
        Translation(
            "'Ann' IN {name, surname}", "(t0.ZNAME = ? OR t0.ZSURNAME = ?)", .text("Ann"), .text("Ann")),
    ]

    static let relationships: [Translation] = [
        Translation("boss == nil", "t0.ZBOSS IS NULL"),
        Translation("boss == SELF", "t0.ZBOSS IS t0.Z_PK"),
        Translation("boss.objectID == nil", "t0.ZBOSS IS NULL"),
        Translation(
            "ANY friends.name == 'Bob'",
            """
            t0.Z_PK IN (SELECT t1.Z_3FRIENDOF FROM Z_3FRIENDS t1 LEFT OUTER JOIN ZPERSON t2 \
            ON t2.Z_PK = t1.Z_3FRIENDS WHERE t2.ZNAME = ?)
            """, .text("Bob")),
        Translation(
            "ANY reports.age > 30",
            "EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK AND t1.ZAGE > ?)", .integer(30)),
        Translation(
            "ALL reports.age > 30",
            """
            NOT EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK AND (t1.ZAGE > ?) IS NOT TRUE)
            """, .integer(30)),
        Translation(
            "NONE reports.age > 30",
            """
            (EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK AND t1.ZAGE > ?)) IS NOT TRUE
            """, .integer(30)),
        Translation(
            "ANY reports.reports.age > 30",
            """
            EXISTS (SELECT 1 FROM ZPERSON t1 JOIN ZPERSON t2 ON t2.ZBOSS = t1.Z_PK \
            WHERE t1.ZBOSS = t0.Z_PK AND t2.ZAGE > ?)
            """, .integer(30)),
        Translation(
            "ANY boss.reports.age > age",
            "EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.ZBOSS AND t1.ZAGE > t0.ZAGE)"),
        Translation(
            "reports.@count == 0",
            "(SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK) = ?", .integer(0)),
        Translation(
            "reports.@avg.age > 30",
            "(SELECT AVG(t1.ZAGE) FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK) > ?", .integer(30)),
        Translation(
            "SUBQUERY(reports, $r, $r.age > age AND $r.name != nil).@count > 1",
            """
            (SELECT COUNT(*) FROM ZPERSON t1 WHERE t1.ZBOSS = t0.Z_PK AND \
            (t1.ZAGE > t0.ZAGE AND t1.ZNAME IS NOT NULL)) > ?
            """, .integer(1)),
        Translation(
            "SELF IN boss.reports",
            "EXISTS (SELECT 1 FROM ZPERSON t1 WHERE t1.ZBOSS = t0.ZBOSS AND t1.Z_PK IS t0.Z_PK)"),
        Translation(
            "max:({age, 5}) == 5", "(SELECT MAX(t1.v) FROM (SELECT t0.ZAGE AS v UNION ALL SELECT ?) t1) = ?",
            .integer(5),
            .integer(5)),
    ]

    static let refusals: [(String, String)] = [
        ("friends == 5", "to-many key not allowed here: friends"),
        ("friends.name == 'a'", "to-many key not allowed here: friends.name"),
        ("wrong == 1", "keypath wrong not found in entity Person"),
        ("boss.wrong == 1", "keypath boss.wrong not found in entity Person"),
        ("nick == 'a'", "\"nick\" of entity Person is a transient property: it has no column"),
        ("photo == 'a'", "photo may be stored outside the database: it can only be compared with nil"),
        (
            "friends.@distinctUnionOfObjects.name CONTAINS 'a'",
            "\"friends.@distinctUnionOfObjects.name\" has no SQL form: @distinctUnionOfObjects is not known to SQL"
        ),
        ("$x == 1", "$x has no value"),
        ("ANY age > 1", "the left side of ANY must be a to-many key path or a collection"),
        ("age LIKE '1*'", "age is no string: LIKE is between strings"),
        ("age < 'a'", "age and the value compared with it are of types that have no order"),
        ("token < token", "values of token have no order in SQL"),
        ("age + name == 2", "add:to: needs numbers: age, name"),
        (
            "age == max:(age)",
            "\"max:\" computes over the fetched rows: only the columns of a dictionary result can"
        ),
    ]
}
