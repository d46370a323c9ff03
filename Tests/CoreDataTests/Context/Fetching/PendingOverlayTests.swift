import CoreData
import CoreDataTestSupport
import Testing

@Suite struct PendingOverlayTests {
    private static let types = [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes

    private func filled(_ type: String) throws -> TestStack {
        let stack = try TestStack(type: type)
        try stack.context.run { () throws in
            for (name, age) in [("Ada", 30), ("Bob", 20), ("Cyd", 40)] {
                _ = stack.context.make("Person", ["name": name, "age": age])
            }
            try stack.context.save()
        }
        return stack
    }

    private func names(_ objects: [NSManagedObject]) -> [String] { objects.compactMap { $0.text("name") } }

    @Test(arguments: types) func insertsEditsAndDeletesCount(_ type: String) throws {
        let stack = try filled(type)
        try stack.context.run { () throws in
            let context = stack.context
            let people = try context.all("Person", sort: "name")
            people[0].setValue(10, forKey: "age")
            context.delete(people[2])
            let new = context.make("Person", ["name": "Dan", "age": 35])
            #expect(try names(context.all("Person", "age > 15", sort: "name")) == ["Bob", "Dan"])
            #expect(try names(context.all("Person", sort: "age")) == ["Ada", "Bob", "Dan"])
            #expect(try names(context.all("Person", "age < 15", sort: "age")) == ["Ada"])

            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
            ids.resultType = .managedObjectIDResultType
            #expect(try Set(context.fetch(ids)) == [people[0].objectID, people[1].objectID, new.objectID])
            #expect(new.objectID.isTemporaryID)
            let count = NSFetchRequest<NSManagedObject>(entityName: "Person")
            count.predicate = NSPredicate(format: "age > 15")
            #expect(try context.count(for: count) == 2)
        }
    }

    @Test(arguments: types) func withoutPendingChangesTheStoreDecides(_ type: String) throws {
        let stack = try filled(type)
        try stack.context.run { () throws in
            let context = stack.context
            let people = try context.all("Person", sort: "name")
            people[0].setValue(10, forKey: "age")
            context.delete(people[2])
            _ = context.make("Person", ["name": "Dan", "age": 35])
            let saved = NSFetchRequest<NSManagedObject>(entityName: "Person")
            saved.includesPendingChanges = false
            saved.predicate = NSPredicate(format: "age > 25")
            saved.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            let found = try context.fetch(saved)
            #expect(found == [people[0], people[2]])
            #expect(found[0].value(forKey: "age") as? Int == 10)
            #expect(try context.count(for: saved) == 2)
        }
    }

    @Test(arguments: types) func unsavedObjectsStandInPredicates(_ type: String) throws {
        let stack = try filled(type)
        try stack.context.run { () throws in
            let context = stack.context
            let company = context.make("Company", ["name": "Acme"])
            let ada = try context.all("Person", "name == 'Ada'")[0]
            ada.setValue(company, forKey: "company")
            func found(_ predicate: NSPredicate, _ entity: String = "Person") throws -> [NSManagedObject] {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.predicate = predicate
                return try context.fetch(request)
            }
            #expect(try found(NSPredicate(format: "company == %@", company)) == [ada])
            #expect(try found(NSPredicate(format: "company == %@", company.objectID)) == [ada])
            #expect(try found(NSPredicate(format: "company.name == 'Acme'")) == [ada])
            #expect(try found(NSPredicate(format: "SELF IN %@", [company]), "Company") == [company])
            #expect(try found(NSPredicate(format: "ANY people == %@", ada), "Company") == [company])
            #expect(try found(NSPredicate(format: "people.@count == 1"), "Company") == [company])
            // An unsaved object on the other side of what the store has: no row can match, and none fails.
            let other = context.make("Company", ["name": "Other"])
            #expect(try found(NSPredicate(format: "company == %@", other)).isEmpty)
            #expect(try found(NSPredicate(format: "company == nil")).count == 2)
        }
    }

    @Test(arguments: types) func limitComesAfterTheOverlay(_ type: String) throws {
        let stack = try filled(type)
        try stack.context.run { () throws in
            let context = stack.context
            try context.all("Person", "name == 'Ada'")[0].setValue("Zoe", forKey: "name")
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            request.fetchLimit = 2
            #expect(try names(context.fetch(request)) == ["Bob", "Cyd"])
            request.fetchOffset = 2
            #expect(try names(context.fetch(request)) == ["Zoe"])
        }
    }

    @Test(arguments: types) func cascadesAreSeenByTheNextFetch(_ type: String) throws {
        let stack = try TestStack(type: type)
        try stack.context.run { () throws in
            let context = stack.context
            let person = context.make("Person", ["name": "Ada"])
            person.setValue([context.make("Note", ["text": "x"])], forKey: "notes")
            try context.save()
            context.delete(person)
            #expect(try context.all("Note").isEmpty && context.all("Person").isEmpty)
        }
    }
}
