// Predicates and expressions within others.

import CoreData
import CoreDataTestSupport
import Testing

/// Has archives try what parts of predicates say of them.
private struct Holder: Codable {
    typealias Part = PredicateExpressions.PredicateEvaluate<
        PredicateExpressions.ManagedConstant<Predicate<Int>>, PredicateExpressions.Value<Int>
    >

    let part: Part

    init(_ part: Part) { self.part = part }
    init(from decoder: any Decoder) throws { part = try Part(from: decoder) }
    func encode(to encoder: any Encoder) throws { try part.encode(to: encoder) }
}

@Suite struct PredicateExpressionsEvaluateTests {
    private typealias Build = PredicateExpressions

    private let crowd: Crowd
    private let old = #Predicate<Champion> { $0.age > 3 }
    private let active = #Predicate<Champion> { $0.isActive }

    init() throws {
        crowd = try Crowd()
    }

    private func format(_ predicate: Predicate<Champion>) throws -> String? {
        try crowd.expectSame(predicate)
        return NSPredicate(predicate).formatString
    }

    @Test func predicatesAreParts() throws {
        let (old, active) = (old, active)
        let both = Predicate<Champion> {
            Build.build_Conjunction(
                lhs: Build.build_evaluate(Build.build_Arg(old), $0),
                rhs: Build.build_evaluate(Build.build_Arg(active), $0))
        }
        try expect(format(both), equals: "age > 3 AND isActive == 1")
        let neither = Predicate<Champion> {
            Build.build_Negation(Build.build_evaluate(Build.build_Arg(both), $0))
        }
        try expect(format(neither), equals: "NOT (age > 3 AND isActive == 1)")
    }

    @Test func relatedObjectsAreAsked() throws {
        let old = old
        let hasOldMinions = Predicate<Champion> { champion in
            Build.build_Equal(
                lhs: Build.build_flatMap(Build.build_KeyPath(root: champion, keyPath: \.minions)) { minions in
                    Build.build_contains(minions) { Build.build_evaluate(Build.build_Arg(old), $0) }
                },
                rhs: Build.build_Arg(true as Bool?))
        }
        try crowd.expectSame(hasOldMinions)
        let obeysTheOld = Predicate<Champion> { champion in
            Build.build_Equal(
                lhs: Build.build_flatMap(Build.build_KeyPath(root: champion, keyPath: \.boss)) {
                    Build.build_evaluate(Build.build_Arg(old), $0)
                },
                rhs: Build.build_Arg(true as Bool?))
        }
        try crowd.expectSame(obeysTheOld)
    }

    @Test func expressionsAreParts() throws {
        let doubled = #Expression<Champion, Int64> { $0.age * 2 }
        let isAbove = #Expression<Champion, Int64, Bool> { champion, age in champion.age > age }
        let compared = Predicate<Champion> {
            Build.build_Equal(
                lhs: Build.build_evaluate(Build.build_Arg(doubled), $0), rhs: Build.build_Arg(Int64(4)))
        }
        try crowd.expectSame(compared)
        let above = Predicate<Champion> {
            Build.build_evaluate(Build.build_Arg(isAbove), $0, Build.build_Arg(Int64(2)))
        }
        try expect(format(above), equals: "age > 2")
    }

    @Test func partsAreInNoArchive() throws {
        let part = Build.PredicateEvaluate(
            predicate: Build.build_Arg(#Predicate<Int> { $0 > 3 }), input: Build.build_Arg(4))
        try expect(part.evaluate(PredicateBindings()), equals: true)
        expect(part.input.value, equals: 4)
        try expect(part.predicate.value.evaluate(3), equals: false)
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(Holder(part)) }
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Holder.self, from: Data("{}".utf8))
        }
        #expect(Holder.Part.Output.self == Bool.self)
    }
}
