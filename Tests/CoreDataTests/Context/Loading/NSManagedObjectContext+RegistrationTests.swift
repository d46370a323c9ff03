import CoreData
import CoreDataTestSupport
import Dispatch
import Testing

@Suite struct RegistrationTests {
    @Test func objectsAreRegisteredOnlyWhileReferenced() throws {
        let stack = try TestStack()
        let context = stack.context
        let id = try context.run { () throws in
            let id = try { () throws in
                let note = context.make("Note", ["text": "a"])
                expect(context.registeredObjects, equals: [note])
                try context.save()
                return note.objectID
            }()
            return id
        }
        #expect(context.registeredObjects.isEmpty && context.registeredObject(for: id) == nil)
        try context.run { () throws in
            context.object(with: id).setValue("b", forKey: "text")
            #expect(context.registeredObjects.count == 1 && context.registeredObject(for: id) != nil)
            try context.save()
            #expect(context.registeredObjects.isEmpty)
        }
    }

    @Test func aContextMayRetainItsObjects() throws {
        let stack = try TestStack()
        let context = stack.context
        try context.run { () throws in
            context.retainsRegisteredObjects = true
            for _ in 0..<3 { _ = context.make("Note") }
            try context.save()
            expect(context.registeredObjects.count, equals: 3)
            context.delete(try context.all("Note")[0])
            try context.save()
            expect(context.registeredObjects.count, equals: 2)
            _ = context.make("Note")
            context.rollback()
            expect(context.registeredObjects.count, equals: 2)
            context.retainsRegisteredObjects = false
            #expect(context.registeredObjects.isEmpty)
        }
    }

    @Test func oneObjectForARow() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let note = stack.context.make("Note", ["text": "a"])
            let temporary = note.objectID
            #expect(temporary.isTemporaryID && temporary.persistentStore == nil)
            #expect(stack.context.object(with: temporary) === note)
            try stack.context.save()
            let id = note.objectID
            #expect(!id.isTemporaryID && id != temporary)
            #expect(id.persistentStore === stack.coordinator.persistentStores[0])
            #expect(
                stack.context.object(with: id) === note && stack.context.registeredObject(for: id) === note)
            #expect(try stack.context.existingObject(with: id) === note)
            try expect(stack.context.all("Note"), equals: [note])
            let again = stack.coordinator.managedObjectID(forURIRepresentation: id.uriRepresentation())
            #expect(again == id && again?.hash == id.hash)
            #expect(try stack.another().object(with: #require(again)) !== note)
        }
    }

    @Test func existingObjectThrowsWithoutARow() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let note = stack.context.make("Note")
            try stack.context.save()
            let id = note.objectID
            stack.context.delete(note)
            try stack.context.save()
            let error = #expect(throws: NSError.self) { try stack.context.existingObject(with: id) }
            #expect(
                error?.domain == NSCocoaErrorDomain && error?.code == NSManagedObjectReferentialIntegrityError
            )
            let temporary = stack.another().make("Note").objectID
            #expect(throws: NSError.self) { try stack.context.existingObject(with: temporary) }
        }
    }

    @Test func aDeletedRowBehindAFaultShowsNil() throws {
        let stack = try TestStack()
        let id = try stack.context.run { () throws in
            let person = stack.context.make("Person", ["name": "Ada", "age": 3])
            try stack.context.save()
            return person.objectID
        }
        let other = stack.another()
        try other.run { () throws in
            let fault = other.object(with: id)
            #expect(fault.isFault)
            try stack.context.run { () throws in
                stack.context.delete(stack.context.object(with: id))
                try stack.context.save()
            }
            #expect(fault.text("name") == nil && fault.value(forKey: "age") == nil && !fault.isFault)
            #expect(fault.isDeleted && (fault.value(forKey: "notes") as? NSOrderedSet)?.count == 0)
            #expect(throws: NSError.self) { try other.existingObject(with: id) }
            #expect(!other.hasChanges)
            try other.save()
        }
    }

    @Test func aDeletedRowBehindAFaultRaisesIfTheContextSaysSo() async {
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            let note = stack.context.make("Note")
            try stack.context.save()
            let other = stack.another()
            other.shouldDeleteInaccessibleFaults = false
            let fault = other.object(with: note.objectID)
            stack.context.delete(note)
            try stack.context.save()
            _ = fault.value(forKey: "text")
        }
    }

    @Test func faultsFireInPlaceOnce() throws {
        let stack = try Diary.stack()
        let id = try stack.context.run { () throws in
            let note = stack.context.make("Note", ["text": "a"])
            expect((note as? Diary)?.calls, equals: ["insert"])
            try stack.context.save()
            return note.objectID
        }
        let other = stack.another()
        try other.run { () throws in
            let fault = try #require(other.object(with: id) as? Diary)
            #expect(
                fault.isFault && fault.calls.isEmpty && fault.objectID == id && fault.entity.name == "Note")
            try stack.expectSelects(1) {
                fault.willAccessValue(forKey: nil)
                _ = fault.value(forKey: "text")
            }
            #expect(!fault.isFault && fault.calls == ["fetch"] && fault.text("text") == "a")
        }
    }

    @Test func faultsKnowTheirRelationships() throws {
        let stack = try TestStack()
        let (id, companyID) = try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "Acme"])
            let person = stack.context.make("Person", ["company": company])
            person.setValue(Set([stack.context.make("Project")]), forKey: "projects")
            try stack.context.save()
            return (person.objectID, company.objectID)
        }
        let other = stack.another()
        other.performAndWait {
            let person = other.object(with: id)
            #expect(person.hasFault(forRelationshipNamed: "projects") && person.isFault)
            _ = person.value(forKey: "name")
            #expect(person.hasFault(forRelationshipNamed: "projects"))
            #expect(person.hasFault(forRelationshipNamed: "company"))
            expect(person.objectIDs(forRelationshipNamed: "company"), equals: [companyID])
            expect(person.objectIDs(forRelationshipNamed: "projects").count, equals: 1)
            _ = person.value(forKeyPath: "company.name")
            #expect(!person.hasFault(forRelationshipNamed: "company"))
            #expect(person.hasFault(forRelationshipNamed: "projects"))
            #expect(!person.hasFault(forRelationshipNamed: "spouse"))
            #expect(person.objectIDs(forRelationshipNamed: "spouse").isEmpty)
        }
    }

    @Test(arguments: StoreKind.withObjects) func idsOfMembersAreReadWithoutObjects(_ kind: StoreKind) throws {
        let container = try kind.makeContainer()
        let first = container.newBackgroundContext()
        let ids = try first.run { () throws in
            let company = first.make("Company", ["name": "Acme"])
            let people = (0..<3).map { first.make("Person", ["age": $0, "company": company]) }
            let notes = NSOrderedSet(array: (0..<3).map { _ in first.make("Note") })
            people[0].setValue(notes, forKey: "notes")
            try first.save()
            return (
                company.objectID, people.map(\.objectID),
                notes.compactMap { ($0 as? NSManagedObject)?.objectID }
            )
        }
        for context in [container.newBackgroundContext(), child(of: container.newBackgroundContext())] {
            try context.run { () throws in
                let company = context.object(with: ids.0)
                expect(Set(company.objectIDs(forRelationshipNamed: "people")), equals: Set(ids.1))
                #expect(company.hasFault(forRelationshipNamed: "people"))
                expect(context.registeredObjects, equals: [company])
                let person = context.object(with: ids.1[0])
                expect(person.objectIDs(forRelationshipNamed: "notes"), equals: ids.2)
                let new = context.make("Person", ["company": company])
                context.object(with: ids.1[2]).setValue(nil, forKey: "company")
                expect(
                    Set(company.objectIDs(forRelationshipNamed: "people")),
                    equals: Set(ids.1[..<2] + [new.objectID]))
            }
        }
    }

    private func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.parent = parent
        return context
    }

    @Test func objectsOutliveTheirContext() throws {
        let stack = try TestStack()
        var context: NSManagedObjectContext? = stack.another()
        weak let gone = context
        let person = try context?.run { () throws in
            let person = context?.make("Person", ["name": "Ada"])
            person?.setValue(context?.make("Company", ["name": "Acme"]), forKey: "company")
            try context?.save()
            return person
        }
        context = nil
        #expect(gone == nil)
        #expect(person?.managedObjectContext == nil && person?.text("name") == "Ada")
        #expect(person?.value(forKey: "company") == nil)
        person?.setValue("Bob", forKey: "name")
        expect(person?.text("name"), equals: "Bob")
    }

    @Test func contextsWithUnsavedChangesGoAway() throws {
        let stack = try TestStack()
        weak var gone: NSManagedObject?
        do {
            let context = stack.another()
            context.performAndWait {
                let company = context.make("Company")
                gone = context.make("Person", ["company": company])
            }
        }
        #expect(gone == nil)
    }

    /// Objects are released on other threads while the context's queue looks them up again.
    @Test func objectsMayBeReleasedOnAnyThread() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            for number in 0..<300 {
                _ = stack.context.make(
                    "Person", ["age": number, "company": stack.context.make("Company", ["name": "x"])])
            }
            try stack.context.save()
            stack.context.reset()
        }
        let context = stack.another()
        let releasing = DispatchQueue(label: "release", attributes: .concurrent)
        for round in 0..<60 {
            try context.run { () throws in
                var people = try context.all("Person")
                expect(people.count, equals: 300)
                if round % 3 == 0 { for person in people { _ = person.value(forKey: "company") } }
                for part in 0..<3 {
                    nonisolated(unsafe) let share = Array(people[part * 100..<part * 100 + 100])
                    releasing.async { withExtendedLifetime(share) {} }
                }
                people = []
                let ages = try context.all("Person").compactMap { $0.value(forKey: "age") as? Int }
                expect(ages.reduce(0, +), equals: 300 * 299 / 2)
            }
        }
        releasing.sync(flags: .barrier) {}
        #expect(context.registeredObjects.isEmpty)
    }

    @Test func longChainsAreReleasedWithoutRecursion() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            var last: NSManagedObject?
            for number in 0..<40_000 {
                let person = stack.context.make("Employee", ["age": number % 100])
                person.setPrimitiveValue(last, forKey: "spouse")
                last = person
            }
            try stack.context.save()
        }
        let context = stack.another()
        try context.run { () throws in
            try { () throws in
                let people = try context.all("Employee")
                for person in people { _ = person.value(forKey: "spouse") }
            }()
            #expect(context.registeredObjects.isEmpty)
        }
    }
}
