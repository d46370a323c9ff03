import CoreData
import CoreDataTestSupport
import Testing

@Suite struct ManagedRelationshipTests {
    @Test func toOneKeepsTheInverse() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            // Subentities have the relationship at the same place.
            let person = stack.context.make("Person", ["name": "Ada"])
            let employee = stack.context.make("Employee", ["name": "Bea"])
            let relation: ManagedRelationship = ManagedRelationship("company")
            #expect((person[relation] as NSManagedObject?) == nil)
            person[relation] = company
            employee[relation] = company
            #expect((person[relation] as NSManagedObject?) === company)
            expect(company.relatedObjects(forKey: "people"), equals: [person, employee])
            employee[relation] = NSManagedObject?.none
            expect(company.relatedObjects(forKey: "people"), equals: [person])
            expect(Set(person.changedValues().keys), equals: ["name", "company", "visits", "scratch"])
            try stack.context.save()
            stack.context.refresh(person, mergeChanges: false)
            #expect((person[relation] as NSManagedObject?) === company)
        }
    }

    @Test func toManyAddsRemovesAndReplaces() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            let people = ["Ada", "Bea", "Cleo"].compactMap {
                stack.context.make("Person", ["name": $0]) as? Person
            }
            let relation = ManagedRelationship("people")
            company.add(people[0], to: relation)
            company.add(people[1...], to: relation)
            company.add(people[0], to: relation)
            #expect(company.count(of: relation) == 3 && company.contains(people[2], in: relation))
            #expect(people[2]["company"] as? NSManagedObject === company)
            company.remove(people[0], from: relation)
            #expect((company[relation] as Set<Person>) == Set(people[1...]) && people[0]["company"] == nil)
            company.remove(people, from: relation)
            expect(company.count(of: relation), equals: 0)
            company[relation] = Set(people)
            try stack.context.save()
            company[relation] = Set(people[..<1])
            try stack.context.save()
            let others = try stack.another().all("Person", "company.name == 'A'")
            expect(others.map { $0.text("name") }, equals: ["Ada"])
        }
    }

    @Test func orderedRelationshipsHavePlaces() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["name": "Ada"])
            let notes = ["a", "b", "c", "d"].map { stack.context.make("Note", ["text": $0]) }
            let relation = ManagedRelationship("notes")
            func texts() -> [String?] { (person[relation] as [NSManagedObject]).map { $0.text("text") } }
            person.add(notes[..<2], to: relation)
            person.insert(notes[2], into: relation, at: 1)
            expect(texts(), equals: ["a", "c", "b"])
            person.removeObject(at: 0, from: relation)
            person.replaceObject(at: 1, in: relation, with: notes[3])
            #expect(texts() == ["c", "d"] && notes[1]["author"] == nil)
            person[relation] = [notes[3], notes[0], notes[2], notes[0]]
            expect(texts(), equals: ["d", "a", "c"])
            try stack.context.save()
            stack.context.refresh(person, mergeChanges: false)
            expect(texts(), equals: ["d", "a", "c"])
        }
    }

    @Test func wrongUsesRaise() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.context.performAndWait {
                _ = stack.context.make("Person").count(of: ManagedRelationship("name"))
            }
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.context.performAndWait {
                let company = stack.context.make("Company")
                company.add(stack.context.make("Note"), to: ManagedRelationship("people"))
            }
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.context.performAndWait {
                let person = stack.context.make("Person")
                person.removeObject(at: 0, from: ManagedRelationship("notes"))
            }
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.context.performAndWait {
                let person = stack.context.make("Person")
                _ = person.count(of: ManagedRelationship("company"))
            }
        }
    }
}
