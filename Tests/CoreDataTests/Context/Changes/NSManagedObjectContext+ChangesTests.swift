import CoreData
import CoreDataTestSupport
import Testing

@Suite struct ChangesTests {
    @Test func insertedObjectsHaveDefaultsAndATemporaryID() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let person = try #require(stack.context.make("Person") as? Person)
            #expect(
                person.awakenings == ["insert"] && person.isInserted && !person.isFault && !person.isUpdated)
            #expect(person.value(forKey: "visits") as? Int == 7 && person.text("scratch") == "new")
            #expect(
                person.objectID.isTemporaryID && person.hasChanges
                    && stack.context.insertedObjects == [person])
            #expect(person.committedValues(forKeys: nil).isEmpty)
            try stack.context.save()
            expect(person.committedValues(forKeys: ["visits", "name"])["visits"] as? Int, equals: 7)
            #expect(person.committedValues(forKeys: ["name"])["name"] is NSNull)
            #expect(!person.isInserted && person.changedValues().isEmpty)
        }
    }

    @Test func committedValuesStayWhileChangesArePending() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "A"])
            let person = stack.context.make("Person", ["name": "Ada", "company": company])
            try stack.context.save()
            person.setValue("Bob", forKey: "name")
            person.setValue(nil, forKey: "company")
            expect(person.committedValues(forKeys: nil)["name"] as? String, equals: "Ada")
            #expect(person.committedValues(forKeys: nil)["company"] as? NSManagedObject === company)
            let changed = person.changedValues()
            #expect(changed["name"] as? String == "Bob" && changed["company"] is NSNull && changed.count == 2)
            #expect(company.changedValues()["people"] is NSSet)
            expect(
                company.committedValues(forKeys: ["people"])["people"] as? Set<NSManagedObject>,
                equals: [person])
            person.setValue("Ada", forKey: "name")
            person.setValue(company, forKey: "company")
            #expect(person.changedValues().isEmpty && !person.hasPersistentChangedValues && person.hasChanges)
        }
    }

    @Test func mutationInsideATransformableIsNotSeen() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let array = NSMutableArray(array: ["a"])
            let person = stack.context.make("Person", ["tags": array])
            try stack.context.save()
            array.add("b")
            #expect(!person.hasChanges && !stack.context.hasChanges)
        }
    }

    @Test func insertAndDeleteNeverReachTheStore() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let context = stack.context
            let person = context.make("Person")
            context.delete(person)
            #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty && !context.hasChanges)
            let posted = Posted(.NSManagedObjectContextDidSave, context)
            let statements = try stack.statements { try context.save() }
            #expect(!statements.contains { $0.hasPrefix("INSERT") })
            #expect(posted.all.count == 1 && posted.userInfo?[NSInsertedObjectsKey] == nil)
            #expect(person.managedObjectContext == nil && context.registeredObjects.isEmpty)
        }
    }

    @Test func prepareForDeletionIsCalledAgain() throws {
        let stack = try Diary.stack()
        try stack.context.run { () throws in
            let note = try #require(stack.context.make("Note") as? Diary)
            try stack.context.save()
            note.calls = []
            stack.context.delete(note)
            stack.context.delete(note)
            #expect(
                note.calls == ["delete", "delete"] && note.isDeleted && stack.context.deletedObjects == [note]
            )
            try stack.context.save()
            #expect(!note.isDeleted && note.managedObjectContext == nil)
        }
    }

    @Test func objectsMadeOutsideAContextMayBeInserted() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let entity = try #require(NSEntityDescription.entity(forEntityName: "Person", in: stack.context))
            let person = Person(entity: entity, insertInto: nil)
            #expect(person.managedObjectContext == nil && !person.isInserted && !person.hasChanges)
            expect(person.value(forKey: "visits") as? Int, equals: 7)
            person.setValue("Ada", forKey: "name")
            stack.context.insert(person)
            #expect(person.managedObjectContext === stack.context && person.isInserted)
            expect(person.awakenings, equals: ["insert"])
            try stack.context.save()
            try expect(stack.context.all("Person", "name == 'Ada'"), equals: [person])
        }
    }

    @Test func cascadesFollowCyclesAndDepth() throws {
        let model = NSManagedObjectModel()
        let entity = NSEntityDescription()
        entity.name = "Link"
        let (next, previous) = (NSRelationshipDescription(), NSRelationshipDescription())
        (next.name, previous.name) = ("next", "previous")
        for (one, other) in [(next, previous), (previous, next)] {
            (one.destinationEntity, one.inverseRelationship, one.maxCount) = (entity, other, 1)
            one.isOptional = true
        }
        (next.deleteRule, previous.deleteRule) = (.cascadeDeleteRule, .nullifyDeleteRule)
        entity.properties = [next, previous]
        model.entities = [entity]
        let stack = try TestStack(model: model)
        try stack.context.run { () throws in
            let links = (0..<20_000).map { _ in stack.context.make("Link") }
            for (link, following) in zip(links, links.dropFirst() + links.prefix(1)) {
                link.setValue(following, forKey: "next")
            }
            try stack.context.save()
            stack.context.delete(links[0])
            expect(stack.context.deletedObjects.count, equals: 1)
            stack.context.processPendingChanges()
            expect(stack.context.deletedObjects.count, equals: 20_000)
            try stack.context.save()
            #expect(try stack.context.all("Link").isEmpty)
        }
    }

    @Test func denyForbidsDeletion() throws {
        let model = CompanyModel.make()
        model.entitiesByName["Company"]?.relationshipsByName["people"]?.deleteRule = .denyDeleteRule
        let stack = try TestStack(model: model)
        try stack.context.run { () throws in
            let context = stack.context
            let company = context.make("Company", ["name": "A"])
            let person = context.make("Person", ["company": company])
            try context.save()
            context.delete(company)
            let own = #expect(throws: NSError.self) { try company.validateForDelete() }
            expect(own?.code, equals: NSValidationRelationshipDeniedDeleteError)
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.code == NSValidationRelationshipDeniedDeleteError && company.isDeleted)
            expect(error?.userInfo[NSValidationKeyErrorKey] as? String, equals: "people")
            context.delete(person)
            try context.save()
            #expect(try context.all("Company").isEmpty)
        }
    }

    @Test func rulesMayWaitForTheSave() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let context = stack.context
            context.propagatesDeletesAtEndOfEvent = false
            let person = context.make("Person")
            person.setValue([context.make("Note")], forKey: "notes")
            try context.save()
            context.delete(person)
            context.processPendingChanges()
            expect(context.deletedObjects.count, equals: 1)
            try context.save()
            #expect(try context.all("Note").isEmpty)
        }
    }

    @Test func observersHearOfEachChangeOnce() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let context = stack.context
            let posted = Posted(.NSManagedObjectContextObjectsDidChange, context)
            let person = context.make("Person")
            let short = context.make("Person")
            context.delete(short)
            context.processPendingChanges()
            #expect(
                posted.objects(NSInsertedObjectsKey) == [person] && posted.objects(NSDeletedObjectsKey) == nil
            )
            person.setValue("Ada", forKey: "name")
            context.processPendingChanges()
            #expect(
                posted.objects(NSUpdatedObjectsKey) == [person] && posted.objects(NSInsertedObjectsKey) == nil
            )
            context.processPendingChanges()
            expect(posted.all.count, equals: 2)
            try context.save()
            context.delete(person)
            context.processPendingChanges()
            expect(posted.objects(NSDeletedObjectsKey), equals: [person])
        }
    }

    @Test func anAbstractEntityOrAStrangeObjectRaises() async {
        await #expect(processExitsWith: .failure) {
            let model = CompanyModel.make()
            model.entitiesByName["Project"]?.isAbstract = true
            _ = try TestStack(model: model).context.make("Project")
        }
        await #expect(processExitsWith: .failure) {
            let (one, two) = (try TestStack(), try TestStack())
            one.context.delete(two.context.make("Person"))
        }
        await #expect(processExitsWith: .failure) {
            let stack = try TestStack()
            stack.context.make("Person").setValue(stack.another().make("Company"), forKey: "company")
        }
    }
}
