// Relationships in the types that accessors may give them.

import CoreData
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite struct ManagedRelatedTests {
    @Test func toOne() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            let person = stack.context.make("Person")
            let relationship = ManagedRelationship("company")
            person[relationship] = company
            #expect((person[relationship] as NSManagedObject) === company)
            person[relationship] = NSManagedObject?.none
            #expect(
                (person[relationship] as NSManagedObject?) == nil && person.changedValues()["company"] == nil)
            let spouse = stack.context.make("Person") as? Person
            person[ManagedRelationship("spouse")] = spouse
            #expect((person[ManagedRelationship("spouse")] as Person?) === spouse)
        }
    }

    /// Declared narrower than the model: the object shows where it fits.
    @Test func anObjectOfAnotherClassIsLeftOutAndLogged() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            let company = stack.context.make("Company", ["name": "A"])
            person[ManagedRelationship("company")] = company
            person[ManagedRelationship("spouse")] = stack.context.make("Person")
            let said = Mutex<[String]>([])
            Log.$sink.withValue(Log.Sink { text in said.withLock { $0.append(text) } }) {
                #expect((person[ManagedRelationship("company")] as Person?) == nil)
                // Without nil an object of no context stands for it.
                let standIn = person[ManagedRelationship("company")] as Person
                #expect(
                    standIn.managedObjectContext == nil && !stack.context.registeredObjects.contains(standIn))
                #expect((person[ManagedRelationship("spouse")] as Person?) != nil)
                expect((company[ManagedRelationship("people")] as Set<Person>).count, equals: 1)
            }
            let warnings = said.withLock { $0 }
            #expect(Set(warnings).count == 1 && warnings[0].contains("\"company\" of entity \"Person\""))
        }
    }

    @Test func anOrderThatIsDeclaredWronglyIsLogged() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            let company = stack.context.make("Company", ["name": "A"])
            let note = stack.context.make("Note")
            person[ManagedRelationship("notes")] = NSOrderedSet(object: note)
            company[ManagedRelationship("people")] = NSSet(object: person)
            let said = Mutex<[String]>([])
            Log.$sink.withValue(Log.Sink { text in said.withLock { $0.append(text) } }) {
                expect((person[ManagedRelationship("notes")] as NSSet), equals: NSSet(object: note))
                expect(
                    (company[ManagedRelationship("people")] as NSOrderedSet),
                    equals: NSOrderedSet(object: person))
            }
            expect(said.withLock { $0.count }, equals: 2)
        }
    }

    /// As classes declare them whose code changes the set itself.
    @Test func mutableSets() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            let person = stack.context.make("Person")
            let note = stack.context.make("Note")
            (company[ManagedRelationship("people")] as NSMutableSet).add(person)
            #expect((person[ManagedRelationship("company")] as NSManagedObject?) === company)
            (company[ManagedAttribute("people")] as NSMutableSet?)?.remove(person)
            #expect((person[ManagedRelationship("company")] as NSManagedObject?) == nil)
            let other = stack.context.make("Note")
            (person[ManagedAttribute("notes")] as NSMutableOrderedSet).add(note)
            (person[ManagedRelationship("notes")] as NSMutableOrderedSet?)?.insert(other, at: 0)
            expect(
                (person[ManagedRelationship("notes")] as NSOrderedSet),
                equals: NSOrderedSet(array: [other, note]))
            let notes: NSMutableOrderedSet = person[ManagedAttribute("notes")]
            notes.removeObject(at: 0)
            person[ManagedAttribute("notes")] = notes
            expect((person[ManagedRelationship("notes")] as NSOrderedSet), equals: NSOrderedSet(object: note))
        }
    }

    @Test func sets() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            let people = try ["Ada", "Bea"].map {
                try #require(stack.context.make("Person", ["name": $0]) as? Person)
            }
            let relationship = ManagedRelationship("people")
            company[relationship] = NSSet(array: people)
            expect((company[relationship] as NSSet), equals: NSSet(array: people))
            expect((company[relationship] as NSSet?)?.count, equals: 2)
            company[relationship] = Set<Person>?.none
            #expect((company[relationship] as Set<Person>?) == [] && people[0]["company"] == nil)
            company[relationship] = Set(people)
            company.remove(NSSet(object: people[0]), from: relationship)
            expect((company[relationship] as Set<Person>), equals: [people[1]])
            company.add(NSSet(object: people[0]), to: relationship)
            expect((company[relationship] as [Person]).count, equals: 2)
        }
    }

    @Test func orderedSets() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person", ["name": "Ada"])
            let notes = ["a", "b", "c", "d"].map { stack.context.make("Note", ["text": $0]) }
            let relationship = ManagedRelationship("notes")
            func texts() -> [String?] { (person[relationship] as [NSManagedObject]).map { $0.text("text") } }
            person[relationship] = NSOrderedSet(array: [notes[1], notes[0]])
            expect((person[relationship] as NSOrderedSet), equals: NSOrderedSet(array: [notes[1], notes[0]]))
            person.insert([notes[2], notes[3]], into: relationship, at: IndexSet([0, 2]))
            expect(texts(), equals: ["c", "b", "d", "a"])
            person.removeObjects(at: IndexSet([1, 3]), from: relationship)
            expect(texts(), equals: ["c", "d"])
            person.replaceObjects(at: IndexSet([0, 1]), in: relationship, with: [notes[0], notes[1]])
            expect(texts(), equals: ["a", "b"])
            person.add(NSOrderedSet(array: [notes[3], notes[2]]), to: relationship)
            expect(texts(), equals: ["a", "b", "d", "c"])
            person.remove(NSOrderedSet(array: [notes[0], notes[3]]), from: relationship)
            expect(texts(), equals: ["b", "c"])
            person[relationship] = NSOrderedSet?.none
            #expect((person[relationship] as NSOrderedSet?)?.count == 0 && notes[1]["author"] == nil)
        }
    }

    /// As generic code uses the types.
    @Test func throughTheProtocol() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            let person = try #require(stack.context.make("Person") as? Person)
            let note = stack.context.make("Note")
            let (home, people) = (ManagedRelationship("company"), ManagedRelationship("people"))
            let notes = ManagedRelationship("notes")
            #expect(NSManagedObject.loadIfPresent(from: person, home) == nil)
            NSManagedObject.store(company, in: person, home)
            #expect(NSManagedObject.load(from: person, home) === company)
            expect(Set<Person>.load(from: company, people), equals: [person])
            expect(Set<Person>.loadIfPresent(from: company, people), equals: [person])
            expect(NSSet.load(from: company, people), equals: NSSet(object: person))
            expect(NSSet.loadIfPresent(from: company, people)?.count, equals: 1)
            NSSet.store(nil, in: company, people)
            #expect(Set<Person>?.load(from: company, people) == [] && person["company"] == nil)
            Set<Person>.store([person], in: company, people)
            expect([Person].load(from: company, people), equals: [person])
            [NSManagedObject].store([note], in: person, notes)
            expect([NSManagedObject].loadIfPresent(from: person, notes), equals: [note])
            NSOrderedSet.store(NSOrderedSet(), in: person, notes)
            #expect(NSOrderedSet.load(from: person, notes).count == 0 && note["author"] == nil)
            NSOrderedSet?.store(NSOrderedSet(object: note), in: person, notes)
            expect(NSOrderedSet?.loadIfPresent(from: person, notes), equals: NSOrderedSet(object: note))
            expect(NSOrderedSet.loadIfPresent(from: person, notes)?.count, equals: 1)
        }
    }

    @Test func wrongUsesRaise() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.context.performAndWait {
                _ = stack.context.make("Person")[ManagedRelationship("company")] as NSManagedObject
            }
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.context.performAndWait {
                _ = stack.context.make("Person")[ManagedRelationship("notes")] as NSMutableSet
            }
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.context.performAndWait {
                let note = stack.context.make("Note")
                stack.context.make("Person").insert([note], into: ManagedRelationship("notes"), at: [0, 1])
            }
        }
    }
}
