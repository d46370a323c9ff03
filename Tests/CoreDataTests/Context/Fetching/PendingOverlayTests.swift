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
            try expect(names(context.all("Person", "age > 15", sort: "name")), equals: ["Bob", "Dan"])
            try expect(names(context.all("Person", sort: "age")), equals: ["Ada", "Bob", "Dan"])
            try expect(names(context.all("Person", "age < 15", sort: "age")), equals: ["Ada"])

            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
            ids.resultType = .managedObjectIDResultType
            try expect(
                Set(context.fetch(ids)), equals: [people[0].objectID, people[1].objectID, new.objectID])
            #expect(new.objectID.isTemporaryID)
            let count = NSFetchRequest<NSManagedObject>(entityName: "Person")
            count.predicate = NSPredicate(format: "age > 15")
            try expect(context.count(for: count), equals: 2)
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
            expect(found, equals: [people[0], people[2]])
            expect(found[0].value(forKey: "age") as? Int, equals: 10)
            try expect(context.count(for: saved), equals: 2)
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
            try expect(found(NSPredicate(format: "company == %@", company)), equals: [ada])
            try expect(found(NSPredicate(format: "company == %@", company.objectID)), equals: [ada])
            try expect(found(NSPredicate(format: "company.name == 'Acme'")), equals: [ada])
            try expect(found(NSPredicate(format: "SELF IN %@", [company]), "Company"), equals: [company])
            try expect(found(NSPredicate(format: "ANY people == %@", ada), "Company"), equals: [company])
            try expect(found(NSPredicate(format: "people.@count == 1"), "Company"), equals: [company])
            // An unsaved object on the other side of what the store has: no row can match, and none fails.
            let other = context.make("Company", ["name": "Other"])
            #expect(try found(NSPredicate(format: "company == %@", other)).isEmpty)
            try expect(found(NSPredicate(format: "company == nil")).count, equals: 2)
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
            try expect(names(context.fetch(request)), equals: ["Bob", "Cyd"])
            request.fetchOffset = 2
            try expect(names(context.fetch(request)), equals: ["Zoe"])
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
