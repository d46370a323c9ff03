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
        #expect(try compare.evaluate(PredicateBindings()) == .orderedAscending)
        #expect(compare.root.value == "a" && compare.other.value == "B")
        let localized = Build.StringLocalizedCompare(
            root: Build.build_Arg("b"), other: Build.build_Arg("a"))
        #expect(try localized.evaluate(PredicateBindings()) == .orderedDescending)
        #expect(localized.root.value == "b" && localized.other.value == "a")
    }

    @Test func theMacroFindsThem() throws {
        let same = ComparisonResult.orderedSame
        let words = ["Crème", "cream", "CRÈME"]
        #expect(try words.filter(#Predicate { $0.localizedStandardContains("ème") }) == ["Crème", "CRÈME"])
        #expect(try words.filter(#Predicate { $0.caseInsensitiveCompare("CREAM") == same }) == ["cream"])
        #expect(try words.filter(#Predicate { $0.localizedCompare("cream") == same }) == ["cream"])
    }

    @Test func managedObjectsAreConstantsThatNoArchiveHolds() throws {
        let stack = try TestStack(model: ChampionModel.make())
        try stack.context.run {
            let champion = Champion(context: stack.context)
            let constant = Build.build_Arg(champion)
            #expect(constant.value === champion)
            #expect(Build.ManagedConstant([champion]).evaluate(PredicateBindings()) == [champion])
            let constants: [any ManagedPredicateConstant] = [champion, champion.objectID, [champion]]
            #expect(constants.count == 3)
            #expect(throws: EncodingError.self) { try JSONEncoder().encode(Holder(constant)) }
            #expect(throws: DecodingError.self) {
                try JSONDecoder().decode(Holder.self, from: Data("{}".utf8))
            }
        }
    }
}
