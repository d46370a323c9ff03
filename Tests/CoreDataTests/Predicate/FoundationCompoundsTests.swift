// Compounds of Foundation's class, as files make them that import both modules.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct FoundationCompoundsTests {
    private let young = NSPredicate(format: "age < 3")
    private let named = NSPredicate(format: "name == 'a'")

    @Test func theyHaveTheirFormat() {
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [young, named])
        #expect(type(of: both) == NSCompoundPredicate.self)
        expect(format(of: both), equals: "age < 3 AND name == \"a\"")
        expect(both.description, equals: format(of: both))
        let nested = NSCompoundPredicate(
            notPredicateWithSubpredicate: NSCompoundPredicate(orPredicateWithSubpredicates: [both, young]))
        expect(format(of: nested), equals: nested.formatString)
        expect(NSPredicate(format: format(of: nested)), equals: nested)
    }

    @Test func theyAreEqualByTheirParts() {
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [young, named])
        expect(both, equals: NSCompoundPredicate(andPredicateWithSubpredicates: [young, named]))
        expect(both, equals: NSPredicate(format: "age < 3 AND name == 'a'"))
        #expect(both != NSCompoundPredicate(orPredicateWithSubpredicates: [young, named]))
        #expect(both != NSCompoundPredicate(andPredicateWithSubpredicates: [young]))
        #expect(both != NSPredicate(value: false) && !both.isEqual(3) && !both.isEqual(nil))
        let same = NSPredicate(format: "age < 3 AND name == 'a'")
        #expect(both.hash == same.hash && Set<NSPredicate>([both, same, young]).count == 2)
        expect(NSArray(object: both), equals: NSArray(object: same))
    }

    @Test func theirCopiesSayTheSame() throws {
        let both = NSCompoundPredicate(andPredicateWithSubpredicates: [young, named])
        let copy = try #require(both.copy() as? NSCompoundPredicate)
        #expect(copy !== both && copy.subpredicates == [young, named] && copy.compoundPredicateType == .and)
        #expect(
            copy.evaluate(with: ["age": 2, "name": "a"]) && !copy.evaluate(with: ["age": 4, "name": "a"]))
    }

    @Test func subclassesKeepTheirOwnAnswers() {
        let mine = Mine(type: .and, subpredicates: [young])
        #expect(mine.predicateFormat == "mine" && mine.hash == 7)
    }

    @Test func manyThreadsAtOnce() async {
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<32 {
                group.addTask {
                    let part = NSPredicate(format: "age == %@", number)
                    let compound = NSCompoundPredicate(orPredicateWithSubpredicates: [part, part])
                    return format(of: compound) == "age == \(number) OR age == \(number)"
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}

private final class Mine: NSCompoundPredicate {
    override var predicateFormat: String { "mine" }
    override var hash: Int { 7 }
}

/// The property of Foundation's class. Off Apple's systems a use by the class's name gives a warning of Foundation's.
private protocol Formatted {
    var predicateFormat: String { get }
}

extension NSPredicate: Formatted {}

private func format(of predicate: any Formatted) -> String { predicate.predicateFormat }
