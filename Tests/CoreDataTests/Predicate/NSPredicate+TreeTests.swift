// The bridge between predicate objects and trees.

import CoreData
import CoreDataPredicate
import CoreDataSupport
import CoreDataTestSupport
import Testing

struct NSPredicateTreeTests {
    private static let comparison = PredicateTree.comparison(
        .init(
            .keyPath("age"), op: .greaterThan, right: .constant(.integer(3)), modifier: .any,
            options: [.caseInsensitive]
        ))

    private static let trees: [PredicateTree] = [
        .constant(true), .constant(false), comparison, .and([comparison, .constant(true)]), .or([]),
        .not(.or([comparison, comparison])), .block(ObjectReference(NSPredicate { _, _ in true })),
    ]

    @Test(arguments: trees) func aTreeComesBackFromItsObject(tree: PredicateTree) {
        expect(NSPredicate.make(tree).tree, equals: tree)
    }

    @Test func foundationsOwnObjectsHaveTrees() throws {
        let age = NSPredicate(format: "age > 3")
        expect(NSPredicate(value: true).tree, equals: .constant(true))
        expect(NSPredicate(value: false).tree, equals: .constant(false))
        expect(
            NSCompoundPredicate(andPredicateWithSubpredicates: [age, age]).tree,
            equals: .and([age.tree, age.tree]))
        expect(NSCompoundPredicate(orPredicateWithSubpredicates: [age]).tree, equals: .or([age.tree]))
        expect(NSCompoundPredicate(notPredicateWithSubpredicate: age).tree, equals: .not(age.tree))
        let block = NSPredicate { _, _ in true }
        expect(block.tree, equals: .block(ObjectReference(block)))
    }

    @Test func aClientsSubclassIsAClosure() {
        final class Even: NSPredicate {
            init() { super.init(value: false) }
            override func evaluate(with object: Any?, substitutionVariables: [String: Any]?) -> Bool {
                (object as? Int).map { $0.isMultiple(of: 2) } ?? false
            }
        }
        let even = Even()
        expect(even.tree, equals: .block(ObjectReference(even)))
    }

    @Test func aCompoundThatFoundationMadeHasAFormat() {
        let compound = NSCompoundPredicate(
            orPredicateWithSubpredicates: [NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2")])
        expect(compound.formatString, equals: "a == 1 OR b == 2")
        expect(NSPredicate(format: "a == 1 OR b == 2"), equals: compound)
    }

    @Test func ourCompoundClassServesAsATypealias() {
        let parts = [NSPredicate(format: "a == 1"), NSPredicate(format: "b == 2")]
        let compound = CompoundPredicate(andPredicateWithSubpredicates: parts)
        expect(compound, equals: NSPredicate(format: "a == 1 AND b == 2"))
        expect("\(compound)", equals: "a == 1 AND b == 2")
        #expect(NSPredicate(format: "NOT a == 1") is CompoundPredicate)
    }
}
