// Random Swift predicates: a store finds what Foundation's own evaluation holds for.

import CoreData
import CoreDataTestSupport
import Testing

private typealias Condition = any StandardPredicateExpression<Bool>
private typealias ChampionVariable = PredicateExpressions.Variable<Champion>

@Suite struct RandomSwiftPredicateTests {
    @Test func storesAgreeWithFoundation() throws {
        let crowd = try Crowd(seed: 99)
        var random = SeededGenerator(seed: 4242)
        for _ in 0..<rounds(300, long: 20_000) {
            let depth = Int.random(in: 0...3, using: &random)
            let predicate = Predicate<Champion> { Maker(person: $0).condition(depth, &random) }
            try crowd.expectSame(predicate)
        }
    }
}

/// Builds conditions as `#Predicate` does.
private struct Maker {
    typealias Build = PredicateExpressions
    let person: ChampionVariable

    func condition(_ depth: Int, _ random: inout SeededGenerator) -> Condition {
        if depth == 0 { return leaf(&random) }
        func next() -> Condition { condition(depth - 1, &random) }
        switch Int.random(in: 0..<6, using: &random) {
        case 0: return Self.and(next(), next())
        case 1: return Self.or(next(), next())
        case 2: return Self.not(next())
        case 3: return Self.same(next(), next())
        case 4: return Self.choice(next(), next(), next())
        default: return Self.or(Self.not(next()), next())
        }
    }

    private func leaf(_ random: inout SeededGenerator) -> Condition {
        let number = Int64.random(in: -1..<5, using: &random)
        let text = ["a", "b", "b1", "", "É"].randomElement(using: &random) ?? ""
        let optional: String? = Bool.random(using: &random) ? text : nil
        let flag = Bool.random(using: &random)
        switch Int.random(in: 0..<20, using: &random) {
        case 0: return Build.build_Equal(lhs: name, rhs: Build.build_Arg(optional))
        case 1: return Build.build_NotEqual(lhs: name, rhs: Build.build_Arg(optional))
        case 2: return compare(age, number, &random)
        case 3: return Build.build_Equal(lhs: age, rhs: Build.build_Arg(number))
        case 4: return Build.build_NotEqual(lhs: age, rhs: Build.build_Arg(number))
        case 5: return Build.build_KeyPath(root: person, keyPath: \.isActive)
        case 6: return Build.build_Equal(lhs: activity, rhs: Build.build_Arg(flag as Bool?))
        case 7: return Build.build_NilCoalesce(lhs: activity, rhs: Build.build_Arg(flag))
        case 8: return Build.build_contains(nick, Build.build_Arg(text))
        case 9: return Build.build_starts(nick, with: Build.build_Arg(text))
        case 10: return Build.build_Equal(lhs: bossName, rhs: Build.build_Arg(optional))
        case 11: return Build.build_NotEqual(lhs: bossAge, rhs: Build.build_Arg(number as Int64?))
        case 12:
            return compare(Build.build_NilCoalesce(lhs: bossAge, rhs: Build.build_Arg(number)), 2, &random)
        case 13: return Build.build_Equal(lhs: Build.build_ForcedUnwrap(name), rhs: Build.build_Arg(text))
        case 14:
            return compare(
                Build.build_KeyPath(root: Build.build_ForcedUnwrap(boss), keyPath: \.age), number, &random)
        case 15: return Build.build_Equal(lhs: boss, rhs: Build.build_NilLiteral())
        case 16: return Build.build_contains(talents) { compare($0, Int32(clamping: number)) }
        case 17: return Build.build_allSatisfy(talents) { compare($0, Int32(clamping: number)) }
        case 18: return Build.build_contains(Build.build_Arg([number, 0]), age)
        default:
            return compare(
                Build.build_Arithmetic(lhs: age, rhs: Build.build_Arg(number), op: .add), number, &random)
        }
    }

    private var age: Build.KeyPath<ChampionVariable, Int64> {
        Build.build_KeyPath(root: person, keyPath: \.age)
    }
    private var name: Build.KeyPath<ChampionVariable, String?> {
        Build.build_KeyPath(root: person, keyPath: \.name)
    }
    private var nick: Build.KeyPath<ChampionVariable, String> {
        Build.build_KeyPath(root: person, keyPath: \.nick)
    }
    private var boss: Build.KeyPath<ChampionVariable, Champion?> {
        Build.build_KeyPath(root: person, keyPath: \.boss)
    }
    private var activity: Build.KeyPath<ChampionVariable, Bool?> {
        Build.build_KeyPath(root: person, keyPath: \.activity)
    }
    private var talents: Build.KeyPath<ChampionVariable, Set<Talent>> {
        Build.build_KeyPath(root: person, keyPath: \.talents)
    }
    private var bossName: some StandardPredicateExpression<String?> {
        Build.build_flatMap(boss) { Build.build_KeyPath(root: $0, keyPath: \.name) }
    }
    private var bossAge: some StandardPredicateExpression<Int64?> {
        Build.build_flatMap(boss) { Build.build_KeyPath(root: $0, keyPath: \.age) }
    }

    private func compare(
        _ left: some StandardPredicateExpression<Int64>, _ number: Int64, _ random: inout SeededGenerator
    ) -> Condition {
        let op: Build.ComparisonOperator =
            [.lessThan, .lessThanOrEqual, .greaterThan].randomElement(using: &random) ?? .greaterThanOrEqual
        return Build.build_Comparison(lhs: left, rhs: Build.build_Arg(number), op: op)
    }

    private func compare(
        _ talent: Build.Variable<Talent>, _ number: Int32
    ) -> some StandardPredicateExpression<Bool> {
        Build.build_Comparison(
            lhs: Build.build_KeyPath(root: talent, keyPath: \.force), rhs: Build.build_Arg(number),
            op: .greaterThan)
    }

    // MARK: Compounds, whose parts are of types that are known only here.

    private static func and(
        _ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>
    ) -> Condition { Build.build_Conjunction(lhs: left, rhs: right) }

    private static func or(
        _ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>
    ) -> Condition { Build.build_Disjunction(lhs: left, rhs: right) }

    private static func not(_ part: some StandardPredicateExpression<Bool>) -> Condition {
        Build.build_Negation(part)
    }

    private static func same(
        _ left: some StandardPredicateExpression<Bool>, _ right: some StandardPredicateExpression<Bool>
    ) -> Condition { Build.build_Equal(lhs: left, rhs: right) }

    private static func choice(
        _ test: some StandardPredicateExpression<Bool>, _ yes: some StandardPredicateExpression<Bool>,
        _ no: some StandardPredicateExpression<Bool>
    ) -> Condition { Build.build_Conditional(test, yes, no) }
}
