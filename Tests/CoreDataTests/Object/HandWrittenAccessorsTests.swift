// Relationships changed by the accessors that classes write by hand: announced, primitive, announced.

import CoreData
import CoreDataTestSupport
import Testing

@Suite struct HandWrittenAccessorsTests {
    /// Runs a test on a saved company "A" with Ann and Bob, and an empty company "B".
    private func run(
        reopened: Bool = false,
        _ body: (
            _ context: NSManagedObjectContext, _ first: NSManagedObject, _ second: NSManagedObject,
            _ people: [NSManagedObject]
        ) throws -> Void
    ) throws {
        let stack = try TestStack()
        try stack.context.run {
            let people = ["Ann", "Bob"].map { stack.context.make("Person", ["name": $0]) }
            _ = stack.context.make("Company", ["name": "A", "people": Set(people)])
            _ = stack.context.make("Company", ["name": "B"])
            try stack.context.save()
        }
        let context = reopened ? stack.another() : stack.context
        try context.run {
            let companies = try context.all("Company", sort: "name")
            try body(context, companies[0], companies[1], context.all("Person", sort: "name"))
        }
    }

    private func names(_ company: NSManagedObject) -> [String] {
        (company.value(forKey: "people") as? Set<NSManagedObject> ?? [])
            .compactMap { $0.value(forKey: "name") as? String }.sorted()
    }

    private func move(_ person: NSManagedObject, to company: NSManagedObject?) {
        person.willChangeValue(forKey: "company")
        person.setPrimitiveValue(company, forKey: "company")
        person.didChangeValue(forKey: "company")
    }

    private func add(_ person: NSManagedObject, to company: NSManagedObject) throws {
        company.willChangeValue(forKey: "people", withSetMutation: .union, using: [person])
        try #require(company.primitiveValue(forKey: "people") as? NSMutableSet).add(person)
        company.didChangeValue(forKey: "people", withSetMutation: .union, using: [person])
    }

    @Test(arguments: [false, true]) func aToOneSetterMovesTheObjectOnTheOtherSide(reopened: Bool) throws {
        try run(reopened: reopened) { context, first, second, people in
            move(people[0], to: second)
            expect(names(first), equals: ["Bob"])
            expect(names(second), equals: ["Ann"])
            #expect(first.hasChanges && second.hasChanges && people[0].hasChanges && !people[1].hasChanges)
            move(people[1], to: nil)
            expect(names(first), equals: [])
            try context.save()
            context.reset()
            let saved = try context.all("Company", sort: "name")
            expect(saved.map(names), equals: [[], ["Ann"]])
        }
    }

    @Test func aOneToOneSetterFreesThePartnerBefore() throws {
        try run { _, _, _, people in
            let (ann, bob) = (people[0], people[1])
            bob.setValue(ann, forKey: "spouseOf")
            ann.willChangeValue(forKey: "spouseOf")
            ann.setPrimitiveValue(ann, forKey: "spouseOf")
            ann.didChangeValue(forKey: "spouseOf")
            #expect(ann.value(forKey: "spouse") as? NSManagedObject === ann)
            bob.willChangeValue(forKey: "spouse")
            bob.setPrimitiveValue(ann, forKey: "spouse")
            bob.didChangeValue(forKey: "spouse")
            #expect(ann.value(forKey: "spouse") == nil)
            #expect(ann.value(forKey: "spouseOf") as? NSManagedObject === bob)
        }
    }

    @Test func withoutAnAnnouncementAPrimitiveSetterTouchesOneSideAlone() throws {
        try run { context, first, second, people in
            people[0].setPrimitiveValue(second, forKey: "company")
            expect(names(first), equals: ["Ann", "Bob"])
            #expect(!first.hasChanges && !second.hasChanges)
            // An announcement that ended counts no more.
            move(people[1], to: second)
            people[1].setPrimitiveValue(nil, forKey: "company")
            expect(names(second), equals: ["Bob"])
        }
    }

    @Test(arguments: [false, true]) func accessorsAddToAndRemoveFromThePrimitiveSet(reopened: Bool) throws {
        try run(reopened: reopened) { context, first, second, people in
            try add(people[0], to: second)
            #expect(people[0].value(forKey: "company") as? NSManagedObject === second)
            expect(names(first), equals: ["Bob"])
            first.willChangeValue(forKey: "people", withSetMutation: .minus, using: [people[1]])
            try #require(first.primitiveValue(forKey: "people") as? NSMutableSet).remove(people[1])
            first.didChangeValue(forKey: "people", withSetMutation: .minus, using: [people[1]])
            #expect(people[1].value(forKey: "company") == nil)
            expect((first.changedValues()["people"] as? NSSet)?.count, equals: 0)
            try context.save()
            context.reset()
            expect(try context.all("Company", sort: "name").map(names), equals: [[], ["Ann"]])
        }
    }

    @Test func aSetThatIsReplacedOrChangedByOtherThanWasSaidIsTakenOverWhole() throws {
        try run { context, first, second, people in
            let set = try #require(second.primitiveValue(forKey: "people") as? NSMutableSet)
            second.willChangeValue(forKey: "people", withSetMutation: .union, using: [people[0]])
            set.addObjects(from: people)
            second.didChangeValue(forKey: "people", withSetMutation: .union, using: [people[0]])
            expect(names(second), equals: ["Ann", "Bob"])
            expect(names(first), equals: [])
            second.willChangeValue(forKey: "people")
            set.removeAllObjects()
            second.didChangeValue(forKey: "people")
            expect(names(second), equals: [])
            first.willChangeValue(forKey: "people", withSetMutation: .set, using: Set(people))
            first.setPrimitiveValue(Set(people), forKey: "people")
            first.didChangeValue(forKey: "people", withSetMutation: .set, using: Set(people))
            expect(names(first), equals: ["Ann", "Bob"])
            // The set from before is nobody's by now.
            set.add(people[0])
            second.willChangeValue(forKey: "people")
            second.didChangeValue(forKey: "people")
            expect(names(second), equals: ["Ann"])
        }
    }

    @Test func primitiveSetsCastAsOthersDo() throws {
        try run { _, first, _, people in
            expect(first.primitiveValue(forKey: "people") as? Set<NSManagedObject>, equals: Set(people))
            expect((first[primitive: "primitivePeople"] as NSMutableSet?)?.count, equals: 2)
            let set = first.primitiveValue(forKey: "people") as? NSMutableSet
            #expect(first.primitiveValue(forKey: "people") as? NSMutableSet === set)
            people[0].setValue(nil, forKey: "company")
            expect((first.primitiveValue(forKey: "people") as? NSMutableSet)?.count, equals: 1)
            expect(set?.count, equals: 2)
        }
    }

    @Test func accessorsOfOrderedRelationshipsKeepTheOrder() throws {
        try run { context, _, _, people in
            let notes = ["1", "2", "3"].map { context.make("Note", ["text": $0]) }
            people[0].setValue(NSOrderedSet(array: Array(notes[..<2])), forKey: "notes")
            people[0].willChange(.insertion, valuesAt: [1], forKey: "notes")
            try #require(people[0].primitiveValue(forKey: "notes") as? NSMutableOrderedSet)
                .insert(notes[2], at: 1)
            people[0].didChange(.insertion, valuesAt: [1], forKey: "notes")
            #expect(notes[2].value(forKey: "author") as? NSManagedObject === people[0])
            try context.save()
            context.reset()
            let ann = try #require(try context.all("Person", "name = 'Ann'").first)
            let saved = ann.mutableOrderedSetValue(forKey: "notes")
            expect(
                (0..<3).map { (saved[$0] as? NSManagedObject)?.value(forKey: "text") as? String },
                equals: ["1", "3", "2"])
        }
    }

    @Test func undoAndObserversSeeOneChange() throws {
        try run { context, first, second, people in
            context.undoManager = UndoManager()
            var told: [String] = []
            let observer = people[0].observe("company") { _, _ in told.append("company") }
            let members = second.observe("people") { _, _ in told.append("people") }
            move(people[0], to: second)
            context.processPendingChanges()
            expect(told.sorted(), equals: ["company", "people"])
            context.undo()
            expect(names(first), equals: ["Ann", "Bob"])
            #expect(people[0].value(forKey: "company") as? NSManagedObject === first)
            withExtendedLifetime((observer, members)) {}
        }
    }

    @Test func aRollbackInBetweenLeavesBothSidesAlike() throws {
        try run { context, first, second, people in
            people[0].willChangeValue(forKey: "company")
            people[0].setPrimitiveValue(second, forKey: "company")
            context.rollback()
            people[0].didChangeValue(forKey: "company")
            expect(names(first), equals: ["Ann", "Bob"])
            expect(names(second), equals: [])
        }
    }
}
