import CoreData
import CoreDataTestSupport
import Testing

@Suite struct EventValuesTests {
    @Test func anEventsOldValues() throws {
        let stack = try TestStack()
        try stack.context.performAndWait {
            let context = stack.context
            let company = context.make("Company", ["name": "Acme"])
            let person = context.make("Person", ["name": "Ada", "age": 1])
            try context.save()
            #expect(person.changedValuesForCurrentEvent().isEmpty)
            person.setValue(2, forKey: "age")
            expect(person.changedValuesForCurrentEvent()["age"] as? Int, equals: 1)
            context.processPendingChanges()
            #expect(person.changedValuesForCurrentEvent().isEmpty)
            person.setValue(3, forKey: "age")
            person.setValue(company, forKey: "company")
            let values = person.changedValuesForCurrentEvent()
            #expect(values["age"] as? Int == 2 && values["company"] is NSNull && values.count == 2)
            expect((company.changedValuesForCurrentEvent()["people"] as? NSSet)?.count, equals: 0)
            expect(person.committedValues(forKeys: ["age"])["age"] as? Int, equals: 1)
        }
    }

    @Test func observersSeeTheEvent() throws {
        let stack = try TestStack()
        try stack.context.performAndWait {
            let person = stack.context.make("Person", ["name": "Ada"])
            try stack.context.save()
            nonisolated(unsafe) var seen: [String: Any] = [:]
            let observer = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: stack.context, queue: nil
            ) { notification in
                let updated = notification.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject>
                seen = updated?.first?.changedValuesForCurrentEvent() ?? [:]
            }
            defer { NotificationCenter.default.removeObserver(observer) }
            person.setValue("Bea", forKey: "name")
            stack.context.processPendingChanges()
            expect(seen["name"] as? String, equals: "Ada")
        }
    }

    @Test func metadataAloneIsSaved() throws {
        let stack = try TestStack()
        let store = try #require(stack.coordinator.persistentStores.first)
        var metadata = stack.coordinator.metadata(for: store)
        metadata["flavour"] = "mint"
        stack.coordinator.setMetadata(metadata, for: store)
        try stack.context.performAndWait { try stack.context.save() }
        let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: stack.url, options: nil)
        expect(read["flavour"] as? String, equals: "mint")
    }
}
