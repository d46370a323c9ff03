// New objects that refer to new objects, in whatever order they were made, get keys that refer to the same.

import CoreData
import CoreDataTestSupport
import Testing

@Suite struct KeyAssignmentTests {
    /// Makes companies and people by turns, people of companies that come later among them, and returns the pairs.
    private func fill(_ context: NSManagedObjectContext, _ count: Int) -> [String: String] {
        var (companies, people): ([NSManagedObject], [NSManagedObject]) = ([], [])
        for number in 0..<count {
            if number % 3 == 0 { companies.append(context.make("Company", ["name": "C\(number)"])) }
            people.append(context.make("Person", ["name": "P\(number)"]))
            if number % 5 == 0 { _ = context.make("Note", ["text": "between"]) }
        }
        var pairs: [String: String] = [:]
        for (number, person) in people.enumerated() {
            let company = companies[(number * 7 + 3) % companies.count]
            person.setValue(company, forKey: "company")
            pairs[person.text("name") ?? ""] = company.text("name")
        }
        return pairs
    }

    private func stored(_ stack: TestStack) throws -> [String: String] {
        let context = stack.another()
        return try context.run { () throws in
            var pairs: [String: String] = [:]
            for person in try context.all("Person") {
                pairs[person.text("name") ?? ""] = (person.value(forKey: "company") as? NSManagedObject)?
                    .text("name")
            }
            return pairs
        }
    }

    @Test func referencesFollowObjectsMadeByTurns() throws {
        let stack = try TestStack()
        let pairs = try stack.context.run { () throws in
            let pairs = fill(stack.context, 200)
            try stack.context.save()
            return pairs
        }
        try expect(stored(stack), equals: pairs)
    }

    @Test func someHaveTheirKeysAlready() throws {
        let stack = try TestStack()
        let pairs = try stack.context.run { () throws in
            let pairs = fill(stack.context, 60)
            let objects = Array(stack.context.insertedObjects).filter { $0.objectID.isTemporaryID }
            try stack.context.obtainPermanentIDs(for: Array(objects.prefix(40)))
            try stack.context.save()
            return pairs
        }
        try expect(stored(stack), equals: pairs)
    }

    @Test func aSaveThatFailedIsMadeAgain() throws {
        let stack = try TestStack()
        let pairs = try stack.context.run { () throws in
            var pairs = fill(stack.context, 60)
            // A company must have a name.
            let company = stack.context.make("Company")
            let person = stack.context.make("Person", ["name": "late", "company": company])
            #expect(throws: (any Error).self) { try stack.context.save() }
            #expect(person.objectID.isTemporaryID)
            company.setValue("named", forKey: "name")
            pairs["late"] = "named"
            try stack.context.save()
            return pairs
        }
        try expect(stored(stack), equals: pairs)
    }
}
