// The expressions that Foundation lacks off Apple's systems.

import CoreData
import CoreDataTestSupport
import Testing

/// Has archives try what constants say of them.
private struct Holder: Codable {
    let constant: PredicateExpressions.ManagedConstant<Champion>

    init(_ constant: PredicateExpressions.ManagedConstant<Champion>) {
        self.constant = constant
    }

    init(from decoder: any Decoder) throws {
        constant = try PredicateExpressions.ManagedConstant(from: decoder)
    }

    func encode(to encoder: any Encoder) throws {
        try constant.encode(to: encoder)
    }
}

@Suite struct PredicateExpressionsTests {
    private typealias Build = PredicateExpressions

    @Test func searchesAndComparisonsOfStrings() throws {
        let search = Build.StringLocalizedStandardContains(
            root: Build.build_Arg("Crème"), other: Build.build_Arg("EME"))
        #expect(try search.evaluate(PredicateBindings()))
        #expect(search.root.value == "Crème" && search.other.value == "EME")
        let compare = Build.StringCaseInsensitiveCompare(
            root: Build.build_Arg("a"), other: Build.build_Arg("B"))
        try expect(compare.evaluate(PredicateBindings()), equals: .orderedAscending)
        #expect(compare.root.value == "a" && compare.other.value == "B")
        let localized = Build.StringLocalizedCompare(
            root: Build.build_Arg("b"), other: Build.build_Arg("a"))
        try expect(localized.evaluate(PredicateBindings()), equals: .orderedDescending)
        #expect(localized.root.value == "b" && localized.other.value == "a")
    }

    @Test func theMacroFindsThem() throws {
        let same = ComparisonResult.orderedSame
        let words = ["Crème", "cream", "CRÈME"]
        try expect(
            words.filter(#Predicate { $0.localizedStandardContains("ème") }), equals: ["Crème", "CRÈME"])
        try expect(words.filter(#Predicate { $0.caseInsensitiveCompare("CREAM") == same }), equals: ["cream"])
        try expect(words.filter(#Predicate { $0.localizedCompare("cream") == same }), equals: ["cream"])
    }

    @Test func managedObjectsAreConstantsThatNoArchiveHolds() throws {
        let stack = try TestStack(model: ChampionModel.make())
        try stack.context.run {
            let champion = Champion(context: stack.context)
            let constant = Build.build_Arg(champion)
            #expect(constant.value === champion)
            expect(Build.ManagedConstant([champion]).evaluate(PredicateBindings()), equals: [champion])
            let constants: [any ManagedPredicateConstant] = [champion, champion.objectID, [champion]]
            expect(constants.count, equals: 3)
            #expect(throws: EncodingError.self) { try JSONEncoder().encode(Holder(constant)) }
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(Holder.self, from: Data("{}".utf8))
            }
        }
    }
}
