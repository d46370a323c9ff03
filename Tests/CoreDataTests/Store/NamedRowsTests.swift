// Predicates that name the objects that they are about.

import CoreData
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct NamedRowsTests {
    private func filled(_ kind: StoreKind) throws -> (StoreContainer, [NSManagedObject]) {
        let container = try kind.makeContainer()
        let context = container.viewContext
        let people = (0..<12).map { number in
            context.make(number % 3 == 0 ? "Employee" : "Person", ["name": "n\(number)", "age": number])
        }
        _ = context.make("Company", ["name": "n1"])
        try context.save()
        context.refreshAllObjects()
        return (container, people)
    }

    /// However the objects are named, whatever stands beside it, the answer is that of every other store.
    @Test(arguments: StoreKind.allCases) func theyAreFoundByWhatIsNamed(_ kind: StoreKind) throws {
        let (container, people) = try filled(kind)
        let context = container.viewContext
        let some = [people[9], people[3], people[4], people[4]]
        let company = try #require(try context.all("Company").first)
        let absent = context.make("Person")
        try context.obtainPermanentIDs(for: [absent])
        func names(_ entity: String, _ format: String, _ arguments: Any...) throws -> [String] {
            let request = NSFetchRequest<NSManagedObject>(entityName: entity)
            request.predicate = NSPredicate(format: format, argumentArray: arguments)
            request.includesPendingChanges = false
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            return try context.fetch(request).compactMap { $0.text("name") }
        }
        for list in [
            some as Any, Set(some), some.map(\.objectID), NSOrderedSet(array: some),
            some + [company, absent],
        ] {
            try expect(names("Person", "SELF IN %@", list), equals: ["n3", "n4", "n9"])
            try expect(names("Employee", "SELF IN %@", list), equals: ["n3", "n9"])
            try expect(names("Person", "age > 3 AND SELF IN %@ AND name != 'n9'", list), equals: ["n4"])
            try expect(names("Person", "SELF IN %@ OR age = 5", list), equals: ["n3", "n4", "n5", "n9"])
            try expect(
                names("Person", "NOT SELF IN %@ AND age > 7", list), equals: ["n10", "n11", "n8"])
            try expect(names("Person", "SELF IN %@ AND SELF == %@", list, people[3]), equals: ["n3"])
        }
        try expect(names("Person", "SELF == %@", people[5]), equals: ["n5"])
        try expect(names("Employee", "SELF == %@", people[5]), equals: [])
        try expect(names("Person", "SELF == %@", absent), equals: [])
        try expect(names("Person", "SELF IN %@", [NSManagedObject]()), equals: [])
        let exact = NSFetchRequest<NSManagedObject>(entityName: "Person")
        exact.predicate = NSPredicate(format: "SELF IN %@", some)
        exact.includesSubentities = false
        try expect(context.count(for: exact), equals: 1)
        withExtendedLifetime(container) {}
    }

    /// Each of many rows would be compared with each of many that are named.
    @Test(arguments: [StoreKind.inMemory, .binary, .xml, .atomic])
    func noOtherRowsAreLookedAt(_ kind: StoreKind) throws {
        let (container, people) = try filled(kind)
        let seen = Mutex(0)
        let block = NSPredicate { _, _ in
            seen.withLock { $0 += 1 }
            return true
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
            block, NSPredicate(format: "SELF IN %@", [people[1], people[2]]),
        ])
        try expect(container.viewContext.fetch(request).count, equals: 2)
        expect(seen.withLock { $0 }, equals: 2)
        withExtendedLifetime(container) {}
    }
}
