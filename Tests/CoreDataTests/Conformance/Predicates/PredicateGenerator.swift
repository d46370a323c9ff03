// Random predicates over the model of the differential test. Left out is what is documented to differ: arithmetic
// of decimals, and sums of doubles whose last bit depends on the order.

import CoreDataTestSupport

struct PredicateGenerator {
    private var random: SeededGenerator
    private var variables: [String] = []
    private var names = 0

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    private mutating func pick<T>(_ choices: [T]) -> T {
        choices[Int.random(in: 0..<choices.count, using: &random)]
    }

    private mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

    // MARK: Predicates

    mutating func predicate(_ depth: Int = 4) -> Term {
        if depth > 0, chance(40) {
            let (first, second) = (predicate(depth - 1), predicate(depth - 1))
            return pick([
                Term(.predicate, "NOT (", .term(first), ")"),
                Term(.predicate, "(", .term(first), " AND ", .term(second), ")"),
                Term(.predicate, "(", .term(first), " OR ", .term(second), ")"),
            ])
        }
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: return compare(number(depth), number(depth))
        case 2: return texts(depth)
        case 3: return chance(70) ? compare(date(), date()) : compare(decimal(), number(depth))
        case 4: return objects()
        case 5, 6: return quantified(depth)
        case 7: return membership(depth)
        case 8: return between(depth)
        default:
            return Term(
                .predicate,
                .text(pick(["TRUEPREDICATE", "FALSEPREDICATE", "flag == YES", "flag != NO", "flag == nil"])))
        }
    }

    private mutating func compare(_ left: Term, _ right: Term) -> Term {
        Term(
            .predicate, .term(left), .text(pick([" == ", " != ", " < ", " <= ", " > ", " >= "])), .term(right)
        )
    }

    private mutating func between(_ depth: Int) -> Term {
        Term(
            .predicate, .term(number(depth)), " BETWEEN {", .term(number(1)), ", ", .term(number(1)), "}")
    }

    private mutating func texts(_ depth: Int) -> Term {
        let op = pick(["==", "!=", "CONTAINS", "BEGINSWITH", "ENDSWITH", "LIKE", "<", ">=", "IN"])
        let options = pick(["", "", "[c]", "[d]", "[cd]", "[n]"])
        return Term(.predicate, .term(text(depth)), .text(" \(op)\(options) "), .term(text(depth)))
    }

    private mutating func objects() -> Term {
        let (left, right) = pick([(object(), object()), (boxed(), boxed())])
        return Term(.predicate, .term(left), .text(pick([" == ", " != "])), .term(right))
    }

    private mutating func quantified(_ depth: Int) -> Term {
        let word = pick(["ANY ", "ALL ", "NONE ", "NOT ALL ", "SOME "])
        let many = many(depth)
        let (key, right, ops): (String, Term, [String]) =
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                (
                    pick(["str", "text", "parent.str", "labels.word"]), text(depth),
                    ["==", "!=", "CONTAINS[c]", "<"]
                )
            case 1: ("date", date(), ["==", "!=", "<", ">="])
            case 2: ("parent", object(), ["==", "!="])
            default:
                (
                    pick([
                        "i16", "i32", "dbl", "parent.i16", "box.size", "children.i16", "parent.children.i32",
                    ]), number(depth), ["==", "!=", "<", ">="]
                )
            }
        return Term(.predicate, .text(word), .term(many), .text(".\(key) \(pick(ops)) "), .term(right))
    }

    private mutating func membership(_ depth: Int) -> Term {
        let many = Term.Part.term(many(depth))
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            return Term(
                .predicate, .term(number(depth)), " IN {", .term(number(1)), ", ", .term(number(1)), ", nil}")
        case 1: return Term(.predicate, .term(number(depth)), " IN ", many, ".i16")
        case 2: return Term(.predicate, .term(text(depth)), .text(" IN\(pick(["", "[c]"])) "), many, ".str")
        case 3: return Term(.predicate, .term(object()), " IN ", many)
        case 4: return Term(.predicate, many, " CONTAINS ", .term(object()))
        default:
            return Term(
                .predicate, .term(text(depth)), .text(" IN\(pick(["", "[cd]"])) {"), .term(text(1)),
                ", 'BEN', ", .term(text(1)), "}")
        }
    }

    // MARK: Values

    /// A key of the object, of its parents, or of a variable.
    private mutating func path(_ keys: [String]) -> Term.Part {
        let base = pick(["", "", "parent.", "parent.parent."] + variables.map { "$\($0)." })
        return .text(base + pick(keys))
    }

    private mutating func number(_ depth: Int) -> Term {
        guard depth > 0, chance(50) else {
            if chance(60) {
                return Term(.number, path(["i16", "i32", "i64", "dbl", "flt", "flag", "box.size", "id"]))
            }
            return Term(
                .number,
                .text(
                    pick([
                        "0", "1", "-5", "5", "2.5", "-0.5", "100", "9007199254740993", "9223372036854775807",
                        "1e300",
                    ])))
        }
        let (a, b) = (Term.Part.term(number(depth - 1)), Term.Part.term(number(depth - 1)))
        switch Int.random(in: 0..<8, using: &random) {
        case 0, 1: return Term(.number, "(", a, .text(pick([" + ", " - ", " * ", " / "])), b, ")")
        case 2: return Term(.number, "(", a, .text(pick([" & ", " | ", " ^ ", " << ", " >> "])), b, ")")
        case 3: return Term(.number, "modulus:by:(", a, ", ", b, ")")
        case 4:
            return Term(
                .number, .text(pick(["abs", "floor", "ceiling", "trunc", "sqrt", "onesComplement:"])), "(", a,
                ")")
        case 5: return Term(.number, "TERNARY(", .term(predicate(depth - 1)), ", ", a, ", ", b, ")")
        case 6: return Term(.number, "length(", .term(text(depth - 1)), ")")
        default: return aggregate(depth - 1)
        }
    }

    private mutating func aggregate(_ depth: Int) -> Term {
        let many = Term.Part.term(many(depth))
        switch Int.random(in: 0..<5, using: &random) {
        case 0: return Term(.number, many, ".@count")
        case 1:
            return Term(
                .number, many, .text(".@\(pick(["sum", "avg", "min", "max"])).\(pick(["i16", "i32", "flt"]))")
            )
        case 2:
            return Term(
                .number, many, .text(".@\(pick(["min", "max"])).\(pick(["dbl", "i64", "parent.dbl"]))"))
        case 3: return Term(.number, many, .text(".@sum.\(pick(["i64", "children.i16", "labels.weight"]))"))
        default: return Term(.number, .text(pick(["median", "mode", "sum", "max"])), ":(", many, ".i16)")
        }
    }

    /// For comparisons only.
    private mutating func decimal() -> Term {
        if chance(70) { return Term(.number, path(["dec"])) }
        return Term(.number, .text(pick(["children.@max.dec", "friends.@min.dec"])))
    }

    private mutating func text(_ depth: Int) -> Term {
        guard depth > 0, chance(35) else {
            if chance(50) { return Term(.text, path(["str", "text", "box.name"])) }
            return Term(
                .text,
                .text(
                    pick(["'a'", "''", "'ben'", "'ÄRMEL'", "'e'", "'é'", "'A*'", "'?e*'", "'12abc'", "'n'"])))
        }
        let a = Term.Part.term(text(depth - 1))
        if chance(30) {
            return Term(
                .text, "TERNARY(", .term(predicate(depth - 1)), ", ", a, ", ", .term(text(depth - 1)), ")")
        }
        return Term(.text, .text(pick(["uppercase", "lowercase", "canonical"])), "(", a, ")")
    }

    private mutating func date() -> Term {
        if chance(60) { return Term(.date, path(["date"])) }
        if chance(50) {
            return Term(.date, "(", path(["date"]), .text(pick([" + ", " - "])), .term(number(0)), ")")
        }
        return Term(
            .date, .text(pick(["CAST(0, 'NSDate')", "CAST(100, 'NSDate')", "CAST(-100.5, 'NSDate')"])))
    }

    private mutating func object() -> Term {
        Term(
            .object,
            .text(
                pick(
                    ["SELF", "parent", "parent.parent"] + variables.flatMap { ["$\($0)", "$\($0).parent"] })))
    }

    private mutating func boxed() -> Term { Term(.object, path(["box"])) }

    /// A collection of items.
    private mutating func many(_ depth: Int) -> Term {
        let base = pick(["", "", "parent."] + variables.map { "$\($0)." })
        let keys = [
            "children", "friends", "friendOf", "box.items", "friends.children", "children.parent.friends",
            "children.box.items",
        ]
        guard depth > 1, chance(25), variables.count < 3 else { return Term(.list, .text(base + pick(keys))) }
        let source = base + pick(keys)
        names += 1
        let variable = "v\(names)"
        variables.append(variable)
        let test = predicate(depth - 2)
        variables.removeLast()
        return Term(.list, .text("SUBQUERY(\(source), $\(variable), "), .term(test), ")")
    }
}
