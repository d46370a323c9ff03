import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct MutableRelationshipSetTests {
    @Test func everyMutatingMethodChangesTheRelationship() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let context = stack.context
            let company = context.make("Company", ["name": "Acme"])
            let people = (0..<6).map { context.make("Person", ["age": $0]) }
            func ages() -> [Int] {
                let members = company.value(forKey: "people") as? Set<NSManagedObject> ?? []
                for person in people {
                    expect(members.contains(person), equals: (person.value(forKey: "company") != nil))
                }
                return members.compactMap { $0.value(forKey: "age") as? Int }.sorted()
            }
            let set = company.mutableSetValue(forKey: "people")
            set.add(people[0])
            set.add(people[0])
            #expect(ages() == [0] && set.count == 1 && set.contains(people[0]) && !set.contains(people[1]))
            set.addObjects(from: [people[1], people[2]])
            expect(ages(), equals: [0, 1, 2])
            set.remove(people[1])
            expect(ages(), equals: [0, 2])
            set.union([people[3], people[4]])
            expect(ages(), equals: [0, 2, 3, 4])
            set.minus([people[0]])
            expect(ages(), equals: [2, 3, 4])
            set.intersect([people[3], people[4], people[5]])
            expect(ages(), equals: [3, 4])
            set.setSet([people[5], people[3]])
            expect(ages(), equals: [3, 5])
            set.filter(using: NSPredicate(format: "age == 5"))
            expect(ages(), equals: [5])
            expect((set.allObjects as? [NSManagedObject]), equals: [people[5]])
            var seen = 0
            for case is NSManagedObject in set { seen += 1 }
            #expect(seen == 1 && set.anyObject() as? NSManagedObject === people[5])
            // The set follows the relationship.
            people[1].setValue(company, forKey: "company")
            expect(set.count, equals: 2)
            let copy = set.copy() as? NSSet
            expect(copy as? Set<NSManagedObject>, equals: [people[1], people[5]])
            expect((set.mutableCopy() as? NSMutableSet)?.count, equals: 2)
            set.removeAllObjects()
            #expect(ages() == [] && copy?.count == 2)
        }
    }

    @Test func ofAnObjectThatWasRefreshed() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let context = stack.context
            let company = context.make("Company", ["name": "Acme"])
            let person = context.make("Person")
            try context.save()
            let set = company.mutableSetValue(forKey: "people")
            expect(set.count, equals: 0)
            context.refresh(company, mergeChanges: false)
            set.add(person)
            #expect(person.value(forKey: "company") as? NSManagedObject === company)
            #expect((company.value(forKey: "people") as? NSSet)?.count == 1 && set.count == 1)
            try context.save()
            try expect(context.all("Person", "company.name == 'Acme'"), equals: [person])
        }
    }

    @Test func typedSetsAreCachedUntilTheNextChange() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "Acme"])
            let person = try #require(stack.context.make("Person", ["company": company]) as? Person)
            let people: Set<Person> = company.relatedObjects(forKey: "people")
            expect(people, equals: [person])
            let more = stack.context.make("Employee", ["company": company])
            let all: Set<NSManagedObject> = company.relatedObjects(forKey: "people")
            #expect(all == [person, more] && people == [person])
            expect(company.relatedObjects(forKey: "people", as: Person.self), equals: [person])
            company.setValue(Set([person]), forKey: "people")
            expect(company.relatedObjects(forKey: "people", as: NSManagedObject.self), equals: [person])
            #expect(more.value(forKey: "company") == nil)
            company.setValue(nil, forKey: "people")
            #expect(company.relatedObjects(forKey: "people", as: NSManagedObject.self).isEmpty)
        }
    }

    @Test func setsAtTheEndOfAKeyPath() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "Acme"])
            let person = stack.context.make("Person", ["company": company])
            let note = stack.context.make("Note", ["author": person])
            let other = stack.context.make("Person")
            person.mutableSetValue(forKeyPath: "company.people").add(other)
            #expect(other.value(forKey: "company") as? NSManagedObject === company)
            let members = note.mutableSetValue(forKeyPath: "author.company.people")
            #expect(members.count == 2 && company.mutableSetValue(forKeyPath: "people").count == 2)
            members.remove(other)
            #expect(other.value(forKey: "company") == nil && members.count == 1)
            // Nobody has these members.
            other.mutableSetValue(forKeyPath: "company.people").add(other)
            #expect(other.value(forKey: "company") == nil && members.count == 1)
            expect(other.mutableSetValue(forKeyPath: "company.people").count, equals: 0)
        }
    }

    @Test func aPathThatLeadsToNoObjectRaises() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            let person = stack.context.make("Person", ["name": "Ada"])
            _ = person.mutableSetValue(forKeyPath: "name.people")
        }
        await #expect(processExitsWith: .failure) {
            _ = try TestStack().context.make("Company").mutableSetValue(forKeyPath: "people.projects")
        }
        await #expect(processExitsWith: .failure) {
            _ = try TestStack().context.make("Person").mutableOrderedSetValue(forKeyPath: "nothing.notes")
        }
    }

    @Test func theWrongProxyRaises() async {
        await #expect(processExitsWith: .failure) {
            _ = try TestStack().context.make("Person").mutableSetValue(forKey: "notes")
        }
        await #expect(processExitsWith: .failure) {
            _ = try TestStack().context.make("Company").mutableOrderedSetValue(forKey: "people")
        }
        await #expect(processExitsWith: .failure) {
            _ = try TestStack().context.make("Company").mutableSetValue(forKey: "name")
        }
    }
}

@Suite struct MutableRelationshipOrderedSetTests {
    private func texts(_ person: NSManagedObject) -> String {
        let notes = person.value(forKey: "notes") as? NSOrderedSet
        return notes?.compactMap { ($0 as? NSManagedObject)?.text("text") }.joined() ?? "?"
    }

    @Test func everyMutatingMethodChangesTheRelationship() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let context = stack.context
            let person = context.make("Person", ["name": "Ada"])
            let notes = ["a", "b", "c", "d", "e"].map { context.make("Note", ["text": $0]) }
            let set = person.mutableOrderedSetValue(forKey: "notes")
            set.add(notes[0])
            #expect(texts(person) == "a" && notes[0].value(forKey: "author") as? NSManagedObject === person)
            set.insert(notes[1], at: 0)
            expect(texts(person), equals: "ba")
            set.addObjects(from: [notes[2], notes[3]])
            expect(texts(person), equals: "bacd")
            set.exchangeObject(at: 0, withObjectAt: 3)
            expect(texts(person), equals: "dacb")
            set.moveObjects(at: [0], to: 2)
            expect(texts(person), equals: "acdb")
            set.replaceObject(at: 1, with: notes[4])
            #expect(texts(person) == "aedb" && notes[2].value(forKey: "author") == nil)
            set.setObject(notes[2], at: 4)
            expect(texts(person), equals: "aedbc")
            set.remove(notes[3])
            expect(texts(person), equals: "aebc")
            set.removeObject(at: 0)
            #expect(texts(person) == "ebc" && notes[0].value(forKey: "author") == nil)
            set.union(NSOrderedSet(array: [notes[0], notes[4]]))
            expect(texts(person), equals: "ebca")
            set.minus(NSOrderedSet(array: [notes[1]]))
            expect(texts(person), equals: "eca")
            set.intersectSet([notes[0], notes[4]])
            expect(texts(person), equals: "ea")
            set.sort { left, right in
                let (a, b) = (
                    (left as? NSManagedObject)?.text("text") ?? "",
                    (right as? NSManagedObject)?.text("text") ?? ""
                )
                return a < b ? .orderedAscending : a > b ? .orderedDescending : .orderedSame
            }
            expect(texts(person), equals: "ae")
            try context.save()
            set.removeAllObjects()
            #expect(texts(person) == "" && context.hasChanges)
            try context.save()
            try expect(
                stack.another().run { () throws in try context.all("Note", "author != nil").count }, equals: 0
            )
        }
    }

    @Test func atTheEndOfAKeyPath() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            let notes = ["a", "b"].map { stack.context.make("Note", ["text": $0]) }
            person.mutableOrderedSetValue(forKeyPath: "notes").add(notes[0])
            notes[0].mutableOrderedSetValue(forKeyPath: "author.notes").insert(notes[1], at: 0)
            #expect(texts(person) == "ba" && notes[1].value(forKey: "author") as? NSManagedObject === person)
            // Nobody has these members.
            let orphan = stack.context.make("Note", ["text": "c"])
            orphan.mutableOrderedSetValue(forKeyPath: "author.notes").add(orphan)
            #expect(texts(person) == "ba" && orphan.value(forKey: "author") == nil)
        }
    }

    @Test func orderSurvivesASave() throws {
        let stack = try TestStack()
        let id = try stack.context.run { () throws in
            let person = stack.context.make("Person", ["name": "Ada"])
            person.mutableOrderedSetValue(forKey: "notes").addObjects(
                from: ["a", "b", "c"].map { stack.context.make("Note", ["text": $0]) })
            try stack.context.save()
            person.mutableOrderedSetValue(forKey: "notes").moveObjects(at: [2], to: 0)
            #expect(stack.context.hasChanges && person.changedValues()["notes"] is NSOrderedSet)
            try stack.context.save()
            return person.objectID
        }
        let other = stack.another()
        other.performAndWait { expect(texts(other.object(with: id)), equals: "cab") }
    }

    @Test func theInverseChangesTheSetThatAClientHolds() throws {
        let stack = try TestStack()
        stack.context.performAndWait {
            let context = stack.context
            let person = context.make("Person")
            let notes = ["a", "b", "c"].map { context.make("Note", ["text": $0]) }
            let set = person.mutableOrderedSetValue(forKey: "notes")
            set.add(notes[0])
            notes[1].setValue(person, forKey: "author")
            #expect(set.count == 2 && texts(person) == "ab")
            set.add(notes[2])
            notes[0].setValue(nil, forKey: "author")
            #expect(texts(person) == "bc" && set.count == 2)
        }
    }

    @Test func rollbackTakesBackWhatTheSetGot() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = stack.context.make("Person")
            let note = stack.context.make("Note", ["text": "a"])
            try stack.context.save()
            let set = person.mutableOrderedSetValue(forKey: "notes")
            set.add(note)
            stack.context.rollback()
            #expect(texts(person) == "" && set.count == 0 && note.value(forKey: "author") == nil)
            #expect(!stack.context.hasChanges)
        }
    }

    /// An object that left itself, of a relationship that is its own inverse, isn't there after a rollback.
    @Test func rollbackBringsBackNoMemberOfItself() throws {
        let stack = try TestStack(model: RivalGraphModel.make { .nullifyDeleteRule })
        try stack.context.run { () throws in
            let knot = stack.context.make("Knot", ["number": 1])
            try stack.context.save()
            knot.mutableSetValue(forKey: "friends").add(knot)
            knot.mutableSetValue(forKey: "friends").remove(knot)
            #expect(knot.changedValues().isEmpty)
            stack.context.rollback()
            expect((knot.value(forKey: "friends") as? NSSet)?.count, equals: 0)
            knot.mutableSetValue(forKey: "friends").add(knot)
            try stack.context.save()
            knot.mutableSetValue(forKey: "friends").remove(knot)
            stack.context.rollback()
            #expect(knot.value(forKey: "friends") as? NSSet == NSSet(object: knot))
        }
    }
}
