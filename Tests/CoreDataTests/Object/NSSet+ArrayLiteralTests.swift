// Literals where Foundation's sets are asked for.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct NSSetArrayLiteralTests {
    private func count(_ set: NSSet?) -> Int { set?.count ?? -1 }

    @Test func literalsAreSets() throws {
        let (none, some): (NSSet, NSSet) = ([], [1, "two", 1])
        expect(none.count, equals: 0)
        #expect(some == NSSet(array: ["two", 1]) && some.contains(1))
        let given: Any = "no set"
        expect(count([1, 2, 2]) + count(given as? NSSet ?? []), equals: 2)
        let changeable: NSMutableSet = ["a"]
        changeable.add("b")
        expect(changeable.count, equals: 2)
    }

    @Test func relationshipsTakeThem() throws {
        let stack = try TestStack(model: LibraryModel.make())
        try stack.context.run { () throws in
            let (poems, crime) = (stack.context.make("Genre", [:]), stack.context.make("Genre", [:]))
            let book = stack.context.make("Book", ["name": "A", "genres": [poems, crime] as NSSet])
            expect((book.value(forKey: "genres") as? NSSet)?.count, equals: 2)
            expect((poems.value(forKey: "books") as? NSSet)?.anyObject() as? NSManagedObject, equals: book)
        }
    }
}
