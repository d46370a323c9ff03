import CoreData
import Foundation
import Testing

struct NSSetLiteralTests {
    private func count(_ set: NSSet) -> Int { set.count }

    @Test func literalsMakeSets() {
        let set: NSSet = [1, "a", 1]
        #expect(set.count == 2 && set.contains("a") && count([]) == 0)
        let changing: NSMutableSet = [1]
        changing.add(2)
        #expect(changing.count == 2)
        let counted: NSCountedSet = [1, 1]
        #expect(counted.count(for: 1) == 2)
        // A literal without a type is still an array.
        let plain = [1, 1]
        #expect(plain.count == 2)
    }
}
