// A construct that has no SQL form, with the word that the error must name.

import Foundation

struct Refused {
    var construct: Construct
    var part: String
    /// The numbers that memory finds; nil if it refuses as well.
    var inMemory: [Int]?

    init(_ format: String, _ part: String, _ inMemory: [Int]? = nil, _ arguments: [Any] = []) {
        (construct, self.part, self.inMemory) = (Construct(format, arguments), part, inMemory)
    }
}

enum RefusedConstructs {
    static var all: [Refused] {
        [
            .init(
                "count:(children.@distinctUnionOfObjects.parent) == 1", "@distinctUnionOfObjects",
                [1, 2, 3, 7]),
            .init("count:(children.@unionOfObjects.str) == 2", "@unionOfObjects", [1, 2]),
            .init("count:(children.@distinctUnionOfSets.children) == 3", "@distinctUnionOfSets", [1]),
            .init("children.i16 == 5", "children.i16", []), .init("friends IN children", "friends", []),
            .init("friends[FIRST] == nil", "friends"), .init("box.items[-1] == SELF", "index", []),
            .init("box.items[id] == SELF", "index", [1, 2]),
            .init("uuid < %@", "uuid", nil, [UUID()]), .init("blob > %@", "blob", nil, [Data()]),
            .init("parent < %@", "parent", nil, [Ref.item(1)]), .init("tags > %@", "tags", nil, [["x"]]),
            .init("big == %@", "big", [], [Data([1])]), .init("scratch == 'a'", "scratch", []),
            .init("extra == 'boss'", "extra"), .init("nobody == 1", "nobody"),
            .init("parent.nobody == 1", "nobody"), .init("ANY children.nobody == 1", "nobody"),
            .init("ANYKEY == 100", "ANYKEY", [1]), .init("median:(i16) == 5", "median:", [1, 6]),
            .init("SUBQUERY({1, 2}, $x, $x == 1).@count == 1", "$x", ExpectedRows.all),
            .init("ANY str == 'a'", "ANY"), .init("ALL parent.i16 == 1", "ALL"),
            .init("ANY friends.i16 + 1 == 6", "friends.i16"), .init("ANY children.@count > 0", "ANY"),
            .init("str < 5", "str"), .init("str BEGINSWITH 5", "BEGINSWITH"),
            .init("i16 CONTAINS 'a'", "i16"),
            .init("uri BEGINSWITH 'http'", "uri"), .init("i16 == $X", "$X"),
            .init("CAST(dbl, 'NSString') == '2.5'", "CAST", [1]),
            .init("str.capitalizedString == 'Ben'", "str.capitalizedString", [2]),
            .init("FUNCTION(str, 'capitalizedString') == 'Ben'", "capitalizedString", [2]),
            .init("FUNCTION(box.items, 'objectAtIndex:', 0) == SELF", "objectAtIndex:", [3, 6]),
            .init("distanceToLocation:fromLocation:({i16, i32}, {0, 0}) == 0", "distanceToLocation"),
            .init("str + 1 == 2", "str"), .init("sqrt(str) == 2", "sqrt"),
            .init("uppercase(i16) == 'A'", "uppercase"),
            .init("median:(children.str) == 2", "children.str"),
            .init("friends.@max.uuid == nil", "uuid", [3, 5, 6, 8]),
            .init("(friends UNION {}).@count == 0", "a set expression", [3, 8]),
            .init("TERNARY(i16 > 0, parent, box) == nil", "parent", [1, 4, 8]),
            .init("i16 BETWEEN {1, 2, 3}", "BETWEEN"), .init("i16 IN 5", "IN"),
            .init("SELF IN parent", "parent"),
        ]
    }
}
