// Rows worked out by hand from `DifferentialRows`, for the cases that memory and SQL could both get wrong
// alike.

import Foundation

struct Expected {
    var format: String
    var arguments: [Any] = []
    var entity = "Item"
    var ids: [Int]

    init(_ format: String, _ ids: [Int], _ arguments: [Any] = [], entity: String = "Item") {
        (self.format, self.ids, self.arguments, self.entity) = (format, ids, arguments, entity)
    }
}

enum ExpectedRows {
    enum Group: CaseIterable {
        case null, toMany, strings, numbers, dates, others

        var rows: [Expected] {
            switch self {
            case .null: ExpectedRows.null
            case .toMany: ExpectedRows.toMany
            case .strings: ExpectedRows.strings
            case .numbers: ExpectedRows.numbers
            case .dates: ExpectedRows.dates
            case .others: ExpectedRows.others
            }
        }
    }

    static let all = [1, 2, 3, 4, 5, 6, 7, 8]

    static var null: [Expected] {
        [
            .init("str == nil", [4]), .init("str != nil", [1, 2, 3, 5, 6, 7, 8]),
            .init("i32 != 0", [1, 3, 4, 5, 6, 7, 8]), .init("NOT (i32 == 0)", [1, 3, 4, 5, 6, 7, 8]),
            .init("i32 > 0", [1, 5, 8]), .init("NOT (i32 > 0)", [2, 3, 4, 6, 7]), .init("i32 <= nil", []),
            .init("NOT (i32 < nil)", all), .init("i32 BETWEEN {0, 3}", [2, 5, 8]),
            .init("NOT i32 BETWEEN {0, 3}", [1, 3, 4, 6, 7]), .init("i32 BETWEEN {nil, 3}", []),
            .init("i32 IN {}", []), .init("NOT i32 IN {}", all), .init("i32 IN {nil, 100}", [1, 3, 4, 7]),
            .init("NOT i32 IN {100, 2}", [2, 3, 4, 5, 6, 7]), .init("NOT i32 IN {100, nil}", [2, 5, 6, 8]),
            .init("i32 == i64", [4]), .init("i32 != i64", [1, 2, 3, 5, 6, 7, 8]),
            .init("i32 + 1 == nil", [3, 4, 7]), .init("NOT str CONTAINS 'n'", [3, 4, 5, 6, 7, 8]),
            .init("flag == NO", [2, 6]), .init("flag != YES", [2, 3, 4, 6, 7]),
            .init("NOT flag == YES", [2, 3, 4, 6, 7]), .init("flag == 1", [1, 5, 8]),
            .init("parent.str == nil", [1, 4]), .init("parent.str != 'Anna'", [1, 4, 5, 6, 7, 8]),
            .init("parent.parent.str == 'Anna'", [5, 6, 7]), .init("parent == nil", [1, 4]),
            .init("parent.parent == nil", [1, 2, 3, 4]), .init("box.size == nil", [4, 5, 8]),
            .init("box.name == nil", [3, 4, 5, 7, 8]), .init("NOT box.size > 1", [1, 2, 4, 5, 6, 8]),
        ]
    }

    static var toMany: [Expected] {
        [
            .init("ANY children.i16 == 5", [2]), .init("ANY children.i16 != 5", [1, 2, 3, 7]),
            .init("NONE children.i16 == 5", [1, 3, 4, 5, 6, 7, 8]),
            .init("NOT ANY children.i16 == 5", [1, 3, 4, 5, 6, 7, 8]),
            .init("ALL children.i16 > 0", [2, 3, 4, 5, 6, 8]), .init("NOT ALL children.i16 > 0", [1, 7]),
            .init("ANY friends.i32 == nil", [1, 6]), .init("ALL friends.i32 != nil", [2, 3, 4, 5, 7, 8]),
            .init("ALL friends.str CONTAINS 'n'", [2, 3, 4, 8]),
            .init("ANY friends.friends.str == 'Anna'", [1, 6, 7]),
            .init("children.@count == 0", [4, 5, 6, 8]),
            .init("children.@sum.i16 == 0", [4, 5, 6, 8]), .init("children.@avg.i16 == nil", [4, 5, 6, 8]),
            .init("friends.@max.i32 == nil", [3, 6, 8]), .init("friends.@min.i16 == -5", [1, 7]),
            .init("friends.@avg.i16 == -2.5", [1]), .init("labels.@sum.weight == 5", [6, 8]),
            .init("SUBQUERY(children, $c, $c.i16 > 100).@count == 0", [1, 2, 4, 5, 6, 7, 8]),
            .init("SUBQUERY(friends, $f, $f.i32 == nil).@count == 2", [1]),
            .init("ANY labels.word == nil", [6, 8]), .init("SELF IN friends", [5]),
            .init("ANY children.box.items.str == nil", []), .init("ALL children.box.items.i16 > -100", all),
            .init("ANY children.box.name == nil", [1, 2, 3, 7]),
            .init("box.items[FIRST] == SELF", [3, 6]), .init("box.items[LAST].i16 == -5", [1, 2, 6]),
            .init("box.items[SIZE] == 0", [4, 5, 8]), .init("box.items[5] == nil", all),
            .init("box.items.@count == 2", [3, 7]),
            .init("items.@count == 0", [3], entity: "Box"),
            .init("items[1].str == 'Anna'", [1], entity: "Box"),
            .init("ALL items.i16 > -1", [2, 3], entity: "Box"),
            .init("parent == %@", [2, 3], [Ref.item(1)]),
            .init("parent != %@", [1, 4, 5, 6, 7, 8], [Ref.item(1)]),
            .init("NONE friends == %@", [1, 3, 5, 6, 7, 8], [Ref.item(1)]),
            .init("extra == ''", [8], entity: "Special"),
            .init("parent.i16 == 32767", [8], entity: "Special"),
        ]
    }

    static var strings: [Expected] {
        [
            .init("str ==[c] 'ANNA'", [1]), .init("str == 'anna'", []),
            .init("str BEGINSWITH[cd] 'armel'", [3, 8]), .init("str ==[d] 'Armel'", [3]),
            .init("text == %@", [8], ["\u{E9}"]), .init("text == %@", [7], ["e\u{301}"]),
            .init("text IN %@", [7], [["e\u{301}", "x"]]),
            .init("text IN %@", [8], [NSSet(array: ["\u{E9}"])]),
            .init("text ==[d] 'e'", [7, 8]),
            .init("str CONTAINS ''", []), .init("str BEGINSWITH ''", []), .init("str ENDSWITH ''", []),
            .init("str == ''", [5]), .init("str.length == 0", [5]), .init("length(str) == 4", [1]),
            .init("str LIKE 'a\\\\*b*'", [6]), .init("str LIKE 'a?b*'", [6]), .init("str LIKE ''", [5]),
            .init("str LIKE 'ÄRMEL*'", [8]), .init("str LIKE[c] 'B?N'", [2]), .init("str LIKE 'nn'", []),
            .init("str MATCHES 'nn'", []), .init("str MATCHES '.*nn.*'", [1]),
            .init("text MATCHES 'line one.line two'", [1]), .init("str MATCHES[c] 'anna|BEN'", [1, 2]),
            .init("str CONTAINS '\"q\"'", [7]), .init("str CONTAINS %@", [7], ["😀"]),
            .init("text CONTAINS %@", [6], ["%"]), .init("str CONTAINS %@", [7], ["'"]),
            .init("str < 'b'", [1, 5, 6]), .init("str >= 'b'", [2, 3, 7, 8]),
            .init("str IN {'ben', 'Anna'}", [1, 2]), .init("str IN[c] {'BEN'}", [2]),
            .init("'x' IN str", []), .init("'nn' IN str", [1]), .init("str == 5", []), .init("str != 5", all),
            .init("text ==[c] str", [2, 3, 4]), .init("text !=[c] str", [1, 5, 6, 7, 8]),
            .init("lowercase(str) == 'ärmel'", [3]), .init("canonical(text) == 'e'", [7, 8]),
        ]
    }

    static var numbers: [Expected] {
        [
            .init("i64 == 9007199254740993", [7]), .init("i64 == 9007199254740992.0", []),
            .init("dbl == 9007199254740992", [7]), .init("i64 == dbl", [3, 4]), .init("dec == 9.99", [7]),
            .init("dec > 9.98 AND dec < 10", [7]), .init("i16 / 2 == 2", [1, 6]), .init("i16 / 2 == -2", [2]),
            .init("i16 / 2.0 == 2.5", [1, 6]), .init("dec / 2 == 3.5", [5]), .init("i16 / 0 == nil", all),
            .init("i16 / i32 == nil", [2, 3, 4, 7]), .init("modulus:by:(i16, 3) == -2", [2]),
            .init("modulus:by:(i16, -3) == 2", [1, 6]), .init("modulus:by:(i16, 0) == nil", all),
            .init("i64 + 1 > 9.2e18", [2]), .init("abs(i64) > 9.2e18", [2, 5]),
            .init("0 - i64 > 9.2e18", [5]), .init("children.@sum.i64 > 9.2e18", [1]),
            .init("friends.@sum.i64 > 9.2e18", [1, 7]), .init("sqrt(i16) == nil", [2, 4, 8]),
            .init("sum:({i64, i64}) > 1.8e19", [2]), .init("modulus:by:(dbl, 10) == nil", [4, 5]),
            .init("(dbl | 1) == nil", [4, 5]), .init("dbl.intValue == 2", [1, 6]),
            .init("dbl.intValue == nil", [4, 5]),
            .init("i16 * 2 == 10", [1, 6]), .init("-i16 == 5", [2]),
            .init("(i16 & 1) == 1", [1, 2, 5, 6, 7, 8]),
            .init("flag + 1 == 2", [1, 5, 8]), .init("i16 ** 2 == 25", [1, 2, 6]),
            .init("TERNARY(i16 > 0, 'pos', 'neg') == 'neg'", [2, 3, 4, 8]),
            .init("text.intValue == 12", [5]), .init("text.intValue == 100", [6]),
            .init("CAST(text, 'NSNumber') == 12", [5]), .init("CAST(text, 'NSDecimalNumber') == 12", [5]),
            .init("CAST(text, 'NSDecimalNumber') == 0", [1, 2, 3, 7, 8]),
            .init("children.@sum.children.i16 == 32779", [1]),
            .init("children.@max.friends.i16 == 5", [1, 3]),
        ]
    }

    static var dates: [Expected] {
        [
            .init("date == CAST(0, 'NSDate')", [1, 8]), .init("date - CAST(0, 'NSDate') == 100", [2]),
            .init("date + 100.5 == CAST(0, 'NSDate')", [5]), .init("date < CAST(0, 'NSDate')", [5]),
            .init("NOT date >= CAST(0, 'NSDate')", [3, 4, 5, 7]), .init("date < now()", [1, 2, 5, 6, 8]),
            .init("date - parent.date == 100", [2]), .init("date == %@", [2], [DifferentialRows.date(100)]),
            .init("date BETWEEN %@", [1, 2, 8], [[DifferentialRows.date(0), DifferentialRows.date(100)]]),
            .init("friends.@max.date == CAST(86400, 'NSDate')", [7]),
        ]
    }

    static var others: [Expected] {
        [
            .init("uuid == %@", [1], [UUID(uuidString: DifferentialRows.uuid) as Any]),
            .init("uuid != %@", [2, 3, 4, 5, 6, 7, 8], [UUID(uuidString: DifferentialRows.uuid) as Any]),
            .init("uri == %@", [1], [URL(string: "http://a.example/x") as Any]),
            .init("blob == %@", [2], [Data()]),
            .init("tags == %@", [1], [["x", "y"]]), .init("tags == nil", [2, 3, 4, 5, 7, 8]),
            .init("big == nil", all), .init("SELF == %@", [3], [Ref.item(3)]),
            .init("SELF IN %@", [3, 5], [[Ref.item(3), Ref.item(5).id]]),
            .init("objectID == %@", [3], [Ref.item(3).id]), .init("SELF == %@", [], [Ref.box(1)]),
            .init("NOT SELF IN %@", [2, 3, 4, 6, 7, 8], [[Ref.item(1), Ref.item(5)]]),
        ]
    }
}
