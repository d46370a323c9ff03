// Which typealiases the sources of a target ask for.

import CoreDataGenerator
import Testing

@Suite struct PredicateAliasesTests {
    @Test(arguments: [
        ("let a: NSExpression? = nil", ["NSExpression"]),
        ("func f() { let p = x as? NSComparisonPredicate }", ["NSComparisonPredicate"]),
        ("let a = NSCompoundPredicate.self, b = NSExpression.self", ["NSCompoundPredicate", "NSExpression"]),
        ("let a: CoreData.NSExpression? = nil", []),
        ("// NSExpression\nlet a = \"NSExpression\"", []),
        ("typealias NSExpression = CoreData.NSExpression\nlet a: NSExpression? = nil", []),
        ("public class NSExpression {}\nlet a: NSExpression? = nil", []),
        ("enum Inner { class NSExpression {} }\nlet a: NSExpression? = nil", ["NSExpression"]),
    ])
    func namesThatAreUsedAndNotDeclared(text: String, names: [String]) {
        #expect(PredicateAliases(sources: ["import CoreData\n" + text]).names == names)
    }

    @Test func onlyTargetsThatImportCoreDataAreConcerned() {
        #expect(PredicateAliases(sources: ["import Foundation\nlet a: NSExpression? = nil"]).file == nil)
        // Such a file of a target that does gets the same class.
        let both = PredicateAliases(sources: ["let a: NSExpression? = nil", "@testable import CoreData"])
        #expect(both.names == ["NSExpression"])
    }

    @Test func whatOneFileDeclaresForItselfIsNoOthers() {
        let own =
            "import CoreData\nprivate typealias NSExpression = CoreData.NSExpression\nlet a: NSExpression"
        #expect(PredicateAliases(sources: [own]).names == [])
        #expect(PredicateAliases(sources: [own, "let b: NSExpression"]).names == ["NSExpression"])
    }

    @Test(arguments: [
        ("public func f(_ e: NSExpression) {}", true),
        ("public struct S { public let e: NSExpression }", true),
        ("public extension Int { var e: NSExpression? { nil } }", true),
        ("public protocol P { var e: NSExpression { get } }", true),
        ("public func f() { let e: NSExpression? = nil }", false), ("func f(_ e: NSExpression) {}", false),
        ("public struct S { var e: NSExpression }", false), ("public let a = 1\nvar e: NSExpression", false),
        ("public extension Int { private var e: NSExpression? { nil } }", false),
    ])
    func aNameThatIsPublicHasAPublicTypealias(text: String, isPublic: Bool) throws {
        let aliases = PredicateAliases(sources: ["import CoreData", text])
        #expect(aliases.publicNames.isEmpty != isPublic)
        let file = try #require(aliases.file)
        #expect(file.contains("\npublic typealias NSExpression = CoreData.NSExpression\n") == isPublic)
    }
}
