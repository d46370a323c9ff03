// Every construct of the format language over the model of the differential test.

import Foundation

/// A predicate that all stores must answer alike.
struct Construct {
    var format: String
    var arguments: [Any] = []
    var entity = "Item"

    init(_ format: String, _ arguments: [Any] = [], entity: String = "Item") {
        (self.format, self.arguments, self.entity) = (format, arguments, entity)
    }
}

enum Constructs {
    static var all: [Construct] {
        comparisons + searches + (plain + values + collections + functions + sets).map { Construct($0) }
            + objects
    }

    private static let shapes = [
        "%", "NOT (%)", "parent.%", "parent.parent.%", "ANY children.%", "SOME friends.%", "ALL friends.%",
        "NONE children.%", "NOT ALL children.%", "ANY friends.parent.%", "ANY friends.children.%",
        "ANY parent.children.%", "ANY box.items.%", "ALL children.box.items.%",
    ]

    private static func inShapes(_ test: String) -> [String] {
        shapes.map { $0.replacingOccurrences(of: "%", with: test) }
    }

    /// Every operator over every type, in key paths of every shape.
    private static var comparisons: [Construct] {
        let uuid = UUID(uuidString: DifferentialRows.uuid) as Any
        let ordered: [(String, [Any])] = [
            ("i16", [5, -5.5, true]), ("i32", [0]), ("i64", [Int.max, 9_007_199_254_740_992.0]),
            ("dbl", [2, 2.5, Decimal(string: "2.5") as Any]), ("flt", [1.5]),
            ("dec", [7, 10.5, Decimal(string: "9.99") as Any]), ("flag", [true, 0]),
            ("str", ["ben", "", "Ä"]),
            ("date", [DifferentialRows.date(0), DifferentialRows.date(-100.5)]),
        ]
        let unordered: [(String, [Any])] = [
            ("uuid", [uuid]), ("uri", [URL(string: "http://a.example/x") as Any]),
            ("blob", [Data(), Data([1, 2])]),
            ("tags", [["x", "y"], [String]()]), ("str", [5]), ("i16", ["5"]), ("date", [100]),
        ]
        var result: [Construct] = []
        func add(_ cases: [(String, [Any])], _ operators: [String]) {
            for (key, constants) in cases {
                for op in operators {
                    for constant in constants + [NSNull()] {
                        result += inShapes("\(key) \(op) $C".replacingOccurrences(of: "$C", with: "#")).map {
                            Construct($0.replacingOccurrences(of: "#", with: "%@"), [constant])
                        }
                    }
                }
            }
        }
        add(ordered, ["==", "!=", "<", "<=", ">", ">="])
        add(unordered, ["==", "!="])
        for (key, constants) in ordered + unordered.prefix(3) {
            let lists: [Any] = [
                constants, constants + [NSNull()], [NSNull()], [Any](),
            ]
            result += lists.flatMap { list in inShapes("\(key) IN #").map { (list, $0) } }.map {
                Construct($0.1.replacingOccurrences(of: "#", with: "%@"), [$0.0])
            }
        }
        for (key, constants) in ordered {
            for range in [
                [constants[0], constants[0]], [NSNull(), constants[0]], [constants[0], NSNull()],
            ] {
                result += inShapes("\(key) BETWEEN #").map {
                    Construct($0.replacingOccurrences(of: "#", with: "%@"), [range])
                }
            }
        }
        return result
    }

    /// Every string operator with every option.
    private static var searches: [Construct] {
        let patterns = [
            "", "a", "armel", "ÄRMEL", "*", "?", "a\\*b*", "e", "\u{E9}", "n", "%", "_", ".*", "\\d+.*",
            "A.*", "\n",
        ]
        var result: [Construct] = []
        for op in ["==", "!=", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "MATCHES", "IN", "<", ">="] {
            for options in ["", "[c]", "[d]", "[cd]", "[n]", "[l]"] where options != "[l]" || op.first != "M"
            {
                for pattern in patterns where op != "MATCHES" || (pattern != "*" && pattern != "?") {
                    let argument: Any = op == "IN" ? [pattern, "ben"] : pattern
                    for key in ["str", "NOT text", "ANY children.text", "ALL friends.str", "parent.str"] {
                        result.append(Construct("\(key) \(op)\(options) %@", [argument]))
                    }
                }
                if op != "IN", op != "MATCHES" {
                    result.append(Construct("text \(op)\(options) str"))
                    result.append(Construct("text \(op)\(options) parent.text"))
                    result.append(Construct("str \(op)\(options) nil"))
                    result.append(Construct("ANY friends.str \(op)\(options) text"))
                }
            }
        }
        return result
    }

    private static let plain = [
        "TRUEPREDICATE", "FALSEPREDICATE", "NOT TRUEPREDICATE", "i16 == 5 AND flag == YES",
        "i16 == 5 && flag == NO",
        "i16 == 5 OR str == nil", "i16 == 5 || NOT (str == nil)", "! (i16 = 5)", "i16 <> 5", "i16 =< 5",
        "i16 => 5",
        "NOT (i16 > 0 AND i32 > 0)", "NOT (i16 > 0 OR i32 > 0)", "NOT NOT i16 > 0", "5 == i16", "5 < i16",
        "nil == str",
        "1 == 1", "1 == 2", "'a' < 'b'", "nil == nil", "nil != nil", "i16 == i32", "i16 < dbl", "i64 > dec",
        "flag == i16",
        "dbl >= dec", "str == text", "str != text", "str < text", "date == parent.date", "date > parent.date",
        "str == 'a' OR (NOT (flag == YES AND i16 > 2) AND dbl < 3)", "SELF == SELF", "parent == SELF",
        "parent != SELF",
        "parent == parent.parent", "box == parent.box", "box != parent.box", "box == nil", "box != nil",
        "parent.objectID == nil", "objectID != nil", "parent.self.str == 'Anna'", "box == parent",
        "#i16 == 5", "noindex:(i16) == 5", "i16 IN {5, i32, 7}", "i16 IN {i32, nil}",
        "i16 BETWEEN {i32, dbl}",
        "i16 BETWEEN {-6, i32}", "str BETWEEN {'A', 'c'}", "{5, 7} CONTAINS i16", "'ben' IN {str, text}",
        "str IN 'ben'",
        "str IN text", "text CONTAINS str", "i16 IN nil", "nil IN {1, nil}", "nil IN children.str",
        "1 IN {1, 2}",
        "ANY {1, 2} == 2", "ALL {1, 2} > i16", "ANY {i16, i32} == 5", "ALL {i16, i32} == nil",
        "NONE {i16, i32} == 0",
    ]

    private static let values = [
        "i16 + 1 == 6", "i16 - i32 > 0", "i16 * i32 == 500", "i16 / 2 == 2", "i32 / i16 > 0", "i16 ** 2 > 20",
        "i64 + i64 > 0", "i64 * 2 > 0", "i64 - 1 < 0", "i64 * i64 > 0", "i64 / -1 > 0", "dbl / 0 == nil",
        "dbl * dbl > 1",
        "dec + 1 == 8", "dec * 2 == 21", "dec / 2 == 3.5", "dec - dbl == 0", "-i16 > 0", "i16 + flag > 5",
        "i16 + nil == nil",
        "(i16 & 3) == 1", "(i16 | 8) == 13", "(i16 ^ 1) == 4", "(i16 << 1) == 10", "(i16 >> 1) == 2",
        "(i16 << -1) == 2",
        "(i16 << 70) == 0", "(i16 >> 70) < 0", "(i64 & i16) > 0", "~i16 == -6", "modulus:by:(i16, 3) == 2",
        "modulus:by:(i64, -1) == 0", "modulus:by:(i64, i16) > 0", "modulus:by:(dbl, 2) == 0",
        "(dbl & 1) == 0",
        "bitwiseXor:with:(i64, dbl) != nil", "onesComplement:(dbl) == -3", "onesComplement:(i64) > 0",
        "abs(i16) == 5", "abs(dbl) == 2.5", "abs(dec) == 7.25", "abs(i64) > 0", "abs(i64 - 1) > 0",
        "floor(dbl) == 2",
        "ceiling(dbl) == 3", "trunc(dbl) == -2", "floor(i16) == 5", "sqrt(i16) > 2", "sqrt(dbl) == nil",
        "ln(i16) > 1",
        "log(i32) == 2", "log(i16) == nil", "exp(i16) > 100", "exp(i16) == nil", "ln(0) == nil",
        "raise:toPower:(i16, 2) == 25",
        "date + 60 > CAST(0, 'NSDate')", "date - 60 < CAST(0, 'NSDate')", "60 + date == CAST(60, 'NSDate')",
        "date - parent.date > 0", "date - date == 0", "date.timeIntervalSinceReferenceDate == 100",
        "date.timeIntervalSince1970 == 978307200", "CAST(date, 'NSNumber') == 100",
        "CAST(i16, 'NSDate') > date",
        "CAST(i16, 'NSNumber') == 5", "CAST(text, 'NSNumber') == 12", "CAST(str, 'NSString') == 'ben'",
        "CAST(i16, 'NSString') == '5'", "CAST(uri, 'NSString') BEGINSWITH 'http'",
        "CAST('5', 'NSNumber') == i16",
        "CAST(dbl, 'NSDecimalNumber') == 2.5", "CAST(i64, 'NSDecimalNumber') == 10", "now() > date",
        "now() - 60 > date",
        "TERNARY(flag == YES, i16, i32) > 0", "TERNARY(str == nil, 'none', str) == 'none'",
        "TERNARY(i16 > 0, date, parent.date) == CAST(0, 'NSDate')", "TERNARY(i16 > 0, 1, 2.5) == 2.5",
        "TERNARY(flag == YES, nil, i16) == nil", "1 + 2 == 3",
    ]

    private static let collections = [
        "children.@count > 1", "friends.@count == labels.@count", "children.friends.@count == 2",
        "friends.friends.@count > 1",
        "children.@sum.i16 > 0", "children.@sum.str == 0", "friends.@avg.date > 0", "friends.@avg.dbl < 0",
        "friends.@min.dec < 0", "friends.@max.str == 'ben'",
        "friends.@min.date == CAST(0, 'NSDate')", "children.@max.i64 > 0", "friends.@sum.i64 > 0",
        "friends.@sum.dbl == 2",
        "labels.@avg.weight > 1", "labels.@min.word == 'blue'", "friends.labels.@count == 1",
        "friends.@sum.flag == 1",
        "parent.children.@count == 2", "parent.children.@avg.i16 > 0", "box.items.@count == 2",
        "box.items.@max.i16 > 5",
        "children.box.items.@count > 0", "children.box.@count == 2", "children.box.name.@count == 2",
        "count:(children) == 2",
        "sum:(children.i16) == 12", "average:(friends.i16) == 0", "max:(friends.dbl) == 2",
        "min:(friends.dbl) == -2.5",
        "median:(friends.i16) == -2.5", "mode:(friends.i16) == -5", "stddev:(friends.i16) == 2.5",
        "stddev:(children.i16) == nil",
        "median:(children.i16) == nil", "mode:(children.i16) == nil", "max(i16, i32) == 100",
        "min({i16, i32}) == nil",
        "sum({i16, i32, 1}) == 1", "average:({i16, 7}) == 6", "count:({i16, i32}) == 2", "max({1, 2}) == 2",
        "sum({}) == 0",
        "median:({i16, i32, 0}) == 2", "stddev:({1, 3}) == 1", "sum:({i64, i64}) > 0",
        "SUBQUERY(children, $c, $c.i16 > 0).@count > 0", "SUBQUERY(children, $c, $c.i16 > i16).@count > 0",
        "SUBQUERY(friends, $f, $f == SELF).@count == 1",
        "SUBQUERY(friends, $f, $f.parent == SELF).@count == 2",
        "SUBQUERY(friends, $f, $f IN children).@count == 2",
        "SUBQUERY(friends, $f, ANY $f.labels.word == 'red').@count > 0",
        "SUBQUERY(friends, $f, SUBQUERY($f.friends, $g, $g == SELF).@count > 0).@count > 0",
        "SUBQUERY(friends, $f, $f.children.@count == 2).@count == 1",
        "ANY SUBQUERY(friends, $f, $f.i16 < 0).str == 'ben'",
        "SUBQUERY(children, $c, $c.i16 > 0).@avg.i16 == 6",
        "SUBQUERY(children, $c, TRUEPREDICATE).i16.@max == 7",
        "SUBQUERY(box.items, $x, $x != SELF).@count == 1",
        "SUBQUERY(parent.children, $x, $x.i16 > i16).@count == 0",
        "SUBQUERY(friends.children, $x, $x.i16 == 5).@count == 1",
        "SUBQUERY(children, $c, $c.i16 == nil).@count == 0",
        "i16 IN children.i16", "i16 IN friends.i16", "children.i16 CONTAINS 5",
        "friends.str CONTAINS[c] 'BEN'", "5 IN children.i16",
        "i16 IN parent.children.i16", "str IN[c] friendOf.text", "SELF IN friends", "SELF IN friends.friends",
        "parent IN friends",
        "friends CONTAINS SELF", "children CONTAINS parent", "box.items CONTAINS SELF",
        "parent IN children.children",
        "box IN children.box", "box IN friends.box", "ANY children == SELF", "ANY friends != SELF",
        "ALL friends == SELF",
        "ANY friends == parent", "NONE friends == SELF", "ANY friends.box == box", "ANY friends IN children",
        "ANY children.box.items.str == nil", "ALL children.box.items.i16 > 0",
        "ANY friends.parent.children.i16 == nil",
        "ANY friends.parent.children.parent.i16 == nil", "ANY friends.parent.labels.word == nil",

        "ANY friends.i16 > i16", "ALL friends.i16 > i16",
        "ANY friends.str.length == 3",
        "ANY friends.labels.weight > 0", "ALL friends.labels.weight > 0", "ALL friends.labels.word == 'red'",
        "ANY children.children.children.i16 < 0", "ANY children.date > date", "ALL children.date > date",
        "box.items[FIRST] == SELF", "box.items[LAST] == SELF", "box.items[0].i16 == 5",
        "box.items[1].str == 'Anna'",
        "box.items[9] == nil", "box.items[SIZE] == 3", "friends[SIZE] == 1",
        "box.items[FIRST].parent.str == 'ben'",
        "box.items[FIRST].str == nil",
    ]

    private static let functions = [
        "uppercase(str) == 'BEN'", "lowercase(str) == 'anna'", "canonical(str) == 'armel'", "length(str) > 3",
        "length(str) == nil",
        "str.length == 3", "str.uppercaseString == 'BEN'", "str.lowercaseString == 'ben'",
        "uri.absoluteString BEGINSWITH 'http'",
        "text.intValue == 12", "text.doubleValue > 0", "dbl.intValue == 2", "dec.doubleValue == 10.5",
        "i16.doubleValue == 5",
        "dbl.integerValue == nil", "FUNCTION(str, 'length') == 4", "FUNCTION(friends, 'count') == 3",
        "FUNCTION(parent, 'valueForKey:', 'str') == 'Anna'",
        "FUNCTION(SELF, 'valueForKeyPath:', 'parent.str') == 'Anna'",
        "FUNCTION(str, 'uppercaseString') == 'BEN'", "FUNCTION('abc', 'length') == 3",
        "str BEGINSWITH lowercase('BE')",
        "length(str) + length(text) > 8", "uppercase(nil) == nil", "floor(3.7) == 3",
        "distanceToLocation:fromLocation:({0, 0}, {0, 1}) > 100000",
    ]

    private static let sets = [
        "(friends UNION children).@count == 3", "(friends INTERSECT children).@count == 2",
        "(friends MINUS children).@count == 1",
        "(children UNION children).@count == 2", "(friends.i16 UNION children.i16).@count == 2",
        "(friends MINUS friends).@count == 0",
        "ANY (friends INTERSECT children).str == 'ben'", "SELF IN (friends UNION children)",

        "((friends UNION children) MINUS friendOf).@count == 1",
        "SUBQUERY(friends MINUS children, $x, $x.i16 == nil).@count == 1",
        "(friends.str UNION {'ben', 'zed'}).@count == 3",
    ]

    private static var objects: [Construct] {
        let ones: [Any] = [Ref.item(1), Ref.item(5).id, Ref.box(1), NSNull()]
        let lists: [[Any]] = [[Ref.item(1), Ref.item(2).id], [Ref.item(1), NSNull()], [], [Ref.box(1)]]
        var result: [Construct] = []
        for format in single { result += ones.map { Construct(format, [$0]) } }
        for format in listed { result += lists.map { Construct(format, [$0]) } }
        result.append(Construct("(friends UNION %@).@count == 2", [[Ref.item(1), Ref.item(3)]]))
        result.append(Construct("box.name == 'One' AND parent == %@", [Ref.item(1)]))
        result.append(Construct("extra != nil", entity: "Special"))
        result += ofBoxes.map { Construct($0, entity: "Box") }
        result.append(Construct("ANY items.box.name == 'One'", entity: "Label"))
        return result
    }

    private static let single = [
        "SELF == %@", "SELF != %@", "parent == %@", "parent != %@", "NOT parent == %@", "ANY friends == %@",
        "ALL friends == %@", "NONE children == %@", "friends CONTAINS %@", "%@ IN friends", "%@ IN box.items",
        "parent.parent == %@", "box == %@", "SUBQUERY(friends, $f, $f == %@).@count == 1",
        "ANY children.parent == %@", "%@ == parent", "objectID == %@",
    ]

    private static let listed = [
        "SELF IN %@", "parent IN %@", "ANY friends IN %@", "NOT parent IN %@", "ALL children IN %@",
    ]

    private static let ofBoxes = [
        "items.@count > 1", "ANY items.parent.str == 'Anna'", "items[0].box == SELF",
        "SUBQUERY(items, $i, $i.i16 > size).@count > 0", "ANY items.labels.word == 'red'",
    ]
}
