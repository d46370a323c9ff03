import CoreData
import CoreDataTestSupport
import Testing

@Suite struct SavingTests {
    @Test func everyAttributeTypeSurvives() throws {
        let stack = try TestStack()
        let uuid = UUID()
        let values: [String: Any] = [
            "name": "Ada", "age": 36, "height": 1.65, "isActive": true, "badge": uuid,
            "home": try #require(URL(string: "https://example.org/ada")), "photo": Data([1, 2, 3]),
            "rating": Float(2.5), "level": Int32(-4), "tags": ["a", "b"],
        ]
        try stack.context.performAndWait {
            let person = stack.context.make("Person", values)
            #expect(person.objectID.isTemporaryID)
            expect((person as? Person)?.awakenings, equals: ["insert"])
            try stack.context.save()
            #expect(!person.objectID.isTemporaryID && !person.hasChanges)
        }
        let other = stack.another()
        try other.performAndWait {
            let person = try #require(try other.all("Person").first)
            #expect(person.isFault)
            expect(person.value(forKey: "name") as? String, equals: "Ada")
            #expect((person as? Person)?.awakenings == ["fetch"] && !person.isFault)
            expect(person.value(forKey: "age") as? Int, equals: 36)
            expect(person.value(forKey: "age") as? Int16, equals: 36)
            expect(person.value(forKey: "age") as? NSNumber, equals: 36)
            expect(person.value(forKey: "height") as? Double, equals: 1.65)
            expect(person.value(forKey: "isActive") as? Bool, equals: true)
            expect(person.value(forKey: "badge") as? UUID, equals: uuid)
            expect((person.value(forKey: "home") as? URL)?.host, equals: "example.org")
            expect(person.value(forKey: "photo") as? Data, equals: Data([1, 2, 3]))
            expect(person.value(forKey: "rating") as? Float, equals: 2.5)
            expect(person.value(forKey: "level") as? Int, equals: -4)
            expect(person.value(forKey: "visits") as? Int, equals: 7)
            expect(person.value(forKey: "tags") as? [String], equals: ["a", "b"])
            #expect(person.value(forKey: "scratch") == nil)
            expect(person.value(forKey: "shout") as? String, equals: "ADA")
        }
    }

    @Test func relationshipsOfEveryKindSurvive() throws {
        let stack = try TestStack()
        try stack.context.performAndWait {
            let context = stack.context
            let company = context.make("Company", ["name": "Acme"])
            let boss = context.make("Employee", ["name": "Boss", "company": company])
            let worker = context.make("Employee", ["name": "Worker", "company": company, "manager": boss])
            let (one, two) = (
                context.make("Project", ["title": "One"]), context.make("Project", ["title": "Two"])
            )
            boss.setValue(Set([one, two]), forKey: "projects")
            two.mutableSetValue(forKey: "members").add(worker)
            let notes = (1...4).map { context.make("Note", ["text": "\($0)"]) }
            boss.mutableOrderedSetValue(forKey: "notes").addObjects(from: [
                notes[2], notes[0], notes[3], notes[1],
            ])
            boss.setValue(worker, forKey: "spouse")
            #expect(worker.value(forKey: "spouseOf") as? NSManagedObject === boss)
            expect((company.value(forKey: "people") as? NSSet)?.count, equals: 2)
            expect((worker.value(forKey: "projects") as? Set<NSManagedObject>), equals: [two])
            try context.save()
        }
        let other = stack.another()
        try other.performAndWait {
            let boss = try #require(try other.all("Employee", "name == 'Boss'").first)
            let worker = try #require(try other.all("Person", "name == 'Worker'").first)
            #expect(worker.value(forKey: "manager") as? NSManagedObject === boss)
            expect((boss.value(forKey: "reports") as? Set<NSManagedObject>), equals: [worker])
            expect(boss.value(forKeyPath: "company.name") as? String, equals: "Acme")
            let titles = (boss.value(forKey: "projects") as? Set<NSManagedObject>)?
                .compactMap { $0.value(forKey: "title") as? String }
            expect(titles?.sorted(), equals: ["One", "Two"])
            let notes = (boss.value(forKey: "notes") as? NSOrderedSet)?.array as? [NSManagedObject]
            expect(notes?.map { $0.value(forKey: "text") as? String }, equals: ["3", "1", "4", "2"])
            #expect(boss.value(forKey: "spouse") as? NSManagedObject === worker)
            expect(worker.entity.name, equals: "Employee")
        }
    }

    @Test func orderedMembersAddedFromTheOtherSideGetPlaces() throws {
        let stack = try TestStack()
        let id = try stack.context.performAndWait {
            let person = stack.context.make("Person", ["name": "Ada"])
            for text in ["1", "2"] { _ = stack.context.make("Note", ["text": text, "author": person]) }
            try stack.context.save()
            return person.objectID
        }
        let other = stack.another()
        try other.performAndWait {
            _ = other.make("Note", ["text": "3", "author": try other.existingObject(with: id)])
            try other.save()
        }
        let third = stack.another()
        try third.performAndWait {
            let notes = try third.existingObject(with: id).mutableOrderedSetValue(forKey: "notes").array
            expect(
                notes.compactMap { ($0 as? NSManagedObject)?.value(forKey: "text") as? String },
                equals: [
                    "1", "2", "3",
                ])
        }
        let store = try #require(stack.coordinator.persistentStores.first)
        #expect(try stack.coordinator.verify(store).isEmpty)
    }

    @Test func changesAreWrittenAndCounted() throws {
        let stack = try TestStack()
        try stack.context.performAndWait {
            let context = stack.context
            let person = context.make("Person", ["name": "Ada", "age": 1])
            try context.save()
            person.setValue(2, forKey: "age")
            #expect(person.isUpdated && person.changedValues().keys.sorted() == ["age"])
            expect(person.committedValues(forKeys: ["age"])["age"] as? Int, equals: 1)
            #expect(context.hasChanges && context.updatedObjects == [person])
            try context.save()
            #expect(!context.hasChanges && person.changedValues().isEmpty)
            person.setValue(2, forKey: "age")
            #expect(person.hasChanges && person.changedValues().isEmpty)
            try context.save()
            context.delete(person)
            #expect(person.isDeleted && context.deletedObjects == [person])
            try context.save()
            #expect(!person.isDeleted && person.managedObjectContext == nil)
            #expect(try context.all("Person").isEmpty)
        }
    }

    @Test func deletingFollowsTheRules() throws {
        let stack = try TestStack()
        try stack.context.performAndWait {
            let context = stack.context
            let company = context.make("Company", ["name": "Acme"])
            let person = context.make("Person", ["name": "Ada", "company": company])
            person.mutableOrderedSetValue(forKey: "notes").add(context.make("Note", ["text": "x"]))
            let project = context.make("Project", ["title": "One"])
            person.mutableSetValue(forKey: "projects").add(project)
            try context.save()
            context.delete(person)
            try context.save()
            #expect(try context.all("Note").isEmpty)
            expect((company.value(forKey: "people") as? NSSet)?.count, equals: 0)
            expect((project.value(forKey: "members") as? NSSet)?.count, equals: 0)
        }
        let other = stack.another()
        try other.performAndWait {
            #expect(try other.all("Company").count == 1 && other.all("Note").isEmpty)
            let project = try #require(try other.all("Project").first)
            expect((project.value(forKey: "members") as? NSSet)?.count, equals: 0)
        }
    }

    @Test func missingMandatoryValuesFailTheSave() throws {
        let stack = try TestStack()
        stack.context.performAndWait {
            let company = stack.context.make("Company")
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            #expect(
                error?.domain == NSCocoaErrorDomain
                    && error?.code == NSValidationMissingMandatoryPropertyError)
            expect(error?.userInfo[NSValidationKeyErrorKey] as? String, equals: "name")
            #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === company)
            #expect(company.objectID.isTemporaryID && company.isInserted)
        }
    }

    @Test func conflictsFollowThePolicy() throws {
        let stack = try TestStack()
        let other = stack.another()
        let id = try stack.context.performAndWait {
            let person = stack.context.make("Person", ["name": "Ada", "age": 1, "level": 1])
            try stack.context.save()
            return person.objectID
        }
        func conflict(_ policy: NSMergePolicy, _ body: (NSManagedObject) throws -> Void) throws {
            try other.performAndWait {
                let theirs = try other.existingObject(with: id)
                other.refresh(theirs, mergeChanges: false)
                theirs.setValue(100, forKey: "age")
                theirs.setValue(5, forKey: "level")
                _ = theirs.value(forKey: "name")
            }
            stack.context.performAndWait {
                let mine = stack.context.object(with: id)
                stack.context.refresh(mine, mergeChanges: false)
                _ = mine.value(forKey: "name")
                mine.setValue(200, forKey: "age")
            }
            try other.performAndWait { try other.save() }
            try stack.context.performAndWait {
                stack.context.mergePolicy = policy
                try body(stack.context.object(with: id))
                stack.context.rollback()
                try other.performAndWait {
                    let theirs = other.object(with: id)
                    other.refresh(theirs, mergeChanges: false)
                    theirs.setValue(1, forKey: "age")
                    theirs.setValue(1, forKey: "level")
                    try other.save()
                }
            }
        }
        try conflict(.error) { mine in
            let error = #expect(throws: NSError.self) { try stack.context.save() }
            expect(error?.code, equals: NSManagedObjectMergeError)
            let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
            #expect(conflicts?.first?.sourceObject === mine)
            expect(mine.value(forKey: "age") as? Int, equals: 200)
        }
        try conflict(.mergeByPropertyObjectTrump) { mine in
            try stack.context.save()
            #expect(mine.value(forKey: "age") as? Int == 200 && mine.value(forKey: "level") as? Int == 5)
        }
        try conflict(.mergeByPropertyStoreTrump) { mine in
            try stack.context.save()
            #expect(mine.value(forKey: "age") as? Int == 100 && mine.value(forKey: "level") as? Int == 5)
        }
        try conflict(.overwrite) { mine in
            try stack.context.save()
            #expect(mine.value(forKey: "age") as? Int == 200 && mine.value(forKey: "level") as? Int == 1)
        }
        try conflict(.rollback) { mine in
            try stack.context.save()
            expect(mine.value(forKey: "age") as? Int, equals: 100)
        }
    }
}
