import CoreData
import CoreDataTestSupport
import Testing

@Suite struct FetchingTests {
    /// Five people in two companies, saved, read by a context that knows none of them.
    private func filled(_ type: String) throws -> (TestStack, NSManagedObjectContext) {
        let stack = try TestStack(type: type)
        try stack.context.run { () throws in
            let acme = stack.context.make("Company", ["name": "Acme"])
            let zeta = stack.context.make("Company", ["name": "Zeta"])
            for (name, age, company) in [
                ("Ada", 30, zeta), ("Bob", 20, acme), ("Cyd", 30, acme), ("Dan", 40, zeta),
            ] {
                _ = stack.context.make("Person", ["name": name, "age": age, "company": company])
            }
            _ = stack.context.make("Employee", ["name": "Eve", "age": 50, "salary": 100])
            try stack.context.save()
        }
        return (stack, stack.another())
    }

    private func names(_ objects: [NSManagedObject]) -> [String] { objects.compactMap { $0.text("name") } }

    private func request(_ sort: NSSortDescriptor...) -> NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
        request.sortDescriptors = sort
        return request
    }

    private let byName = NSSortDescriptor(key: "name", ascending: true)
    private static let types = [NSSQLiteStoreType, NSInMemoryStoreType] + StoreKind.serverTypes

    @Test(arguments: types) func everyResultType(_ type: String) throws {
        let (_, context) = try filled(type)
        try context.run { () throws in
            let objects = try context.fetch(request(byName))
            expect(names(objects), equals: ["Ada", "Bob", "Cyd", "Dan", "Eve"])
            expect(objects.last?.entity.name, equals: "Employee")

            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
            ids.resultType = .managedObjectIDResultType
            ids.sortDescriptors = [byName]
            try expect(context.fetch(ids), equals: objects.map(\.objectID))

            let numbers = NSFetchRequest<NSNumber>(entityName: "Person")
            numbers.resultType = .countResultType
            try expect(context.fetch(numbers), equals: [5])
            try expect(context.count(for: request()), equals: 5)

            let rows = NSFetchRequest<NSDictionary>(entityName: "Person")
            rows.resultType = .dictionaryResultType
            rows.sortDescriptors = [byName]
            let row = try #require(try context.fetch(rows).first)
            #expect(row["name"] as? String == "Ada" && row["age"] as? Int == 30 && row["age"] as? Int16 == 30)
            #expect(row["visits"] as? NSNumber == 7 && row["company"] == nil && row["scratch"] == nil)
        }
    }

    @Test(arguments: types) func sortsBySeveralKeysAndAlongPaths(_ type: String) throws {
        let (_, context) = try filled(type)
        try context.run { () throws in
            let ages = NSSortDescriptor(key: "age", ascending: false)
            try expect(
                names(context.fetch(request(ages, byName))), equals: ["Eve", "Dan", "Ada", "Cyd", "Bob"])
            let company = NSSortDescriptor(key: "company.name", ascending: true)
            let down = NSSortDescriptor(key: "name", ascending: false)
            try expect(
                names(context.fetch(request(company, down))), equals: ["Eve", "Cyd", "Bob", "Dan", "Ada"])
            // A comparator can't become SQL: the context sorts, and the bounds come after.
            let block = NSSortDescriptor(key: "name", ascending: true) { left, right in
                let (a, b) = (left as? String ?? "", right as? String ?? "")
                return a == b ? .orderedSame : a > b ? .orderedAscending : .orderedDescending
            }
            let bounded = request(block)
            bounded.fetchOffset = 1
            bounded.fetchLimit = 2
            try expect(names(context.fetch(bounded)), equals: ["Dan", "Cyd"])
        }
    }

    @Test(arguments: types) func limitsAndOffsets(_ type: String) throws {
        let (_, context) = try filled(type)
        try context.run { () throws in
            let some = request(byName)
            some.fetchOffset = 1
            some.fetchLimit = 2
            try expect(names(context.fetch(some)), equals: ["Bob", "Cyd"])
            try expect(context.count(for: some), equals: 2)
            some.fetchOffset = 4
            try expect(names(context.fetch(some)), equals: ["Eve"])
            try expect(context.count(for: some), equals: 1)
            some.fetchOffset = 9
            #expect(try context.fetch(some).isEmpty)
            // Unsaved changes come before both bounds.
            _ = context.make("Person", ["name": "Aaa"])
            some.fetchOffset = 1
            try expect(names(context.fetch(some)), equals: ["Ada", "Bob"])
            try expect(context.count(for: some), equals: 2)
        }
    }

    @Test(arguments: types) func leavesOutSubentities(_ type: String) throws {
        let (_, context) = try filled(type)
        try context.run { () throws in
            let exact = request(byName)
            exact.includesSubentities = false
            try expect(names(context.fetch(exact)), equals: ["Ada", "Bob", "Cyd", "Dan"])
            _ = context.make("Employee", ["name": "Fay"])
            _ = context.make("Person", ["name": "Gil"])
            try expect(names(context.fetch(exact)), equals: ["Ada", "Bob", "Cyd", "Dan", "Gil"])
            try expect(context.count(for: exact), equals: 5)
            try expect(names(context.all("Employee", sort: "name")), equals: ["Eve", "Fay"])
        }
    }

    @Test func objectsAreFaultsWithTheirRowsAtHand() throws {
        let (stack, context) = try filled(NSSQLiteStoreType)
        try context.run { () throws in
            var objects: [NSManagedObject] = []
            try stack.expectSelects(1) { objects = try context.fetch(request(byName)) }
            #expect(objects.allSatisfy { $0.isFault })
            try stack.expectSelects(0) { expect(names(objects).count, equals: 5) }
            #expect(!objects[0].isFault)
        }
    }

    @Test func withoutFaultsValuesAreThere() throws {
        let (_, context) = try filled(NSSQLiteStoreType)
        try context.run { () throws in
            let fresh = context.make("Person", ["name": "Zoe"])
            let full = request(byName)
            full.returnsObjectsAsFaults = false
            let objects = try context.fetch(full)
            #expect(objects.count == 6 && objects.allSatisfy { !$0.isFault } && objects.last === fresh)
            expect((objects[0] as? Person)?.awakenings, equals: ["fetch"])
        }
    }

    @Test func withoutPropertyValuesFaultsAreEmpty() throws {
        let (stack, context) = try filled(NSSQLiteStoreType)
        try context.run { () throws in
            let bare = request(byName)
            bare.includesPropertyValues = false
            let objects = try context.fetch(bare)
            #expect(objects.allSatisfy { $0.isFault })
            try stack.expectSelects(1) { expect(objects[0].text("name"), equals: "Ada") }
            try stack.expectSelects(1) { expect(objects[1].text("name"), equals: "Bob") }
        }
    }

    @Test(arguments: types) func refetchingKeepsOrRefreshesValues(_ type: String) throws {
        let (stack, context) = try filled(type)
        try context.run { () throws in
            let ada = try #require(try context.all("Person", "name == 'Ada'").first)
            expect(ada.value(forKey: "age") as? Int, equals: 30)
            ada.setValue("Ada L.", forKey: "name")
            try stack.context.run { () throws in
                try stack.context.all("Person", "name == 'Ada'")[0].setValue(31, forKey: "age")
                try stack.context.save()
            }
            _ = try context.fetch(request())
            expect(ada.value(forKey: "age") as? Int, equals: 30)
            let fresh = request()
            fresh.shouldRefreshRefetchedObjects = true
            _ = try context.fetch(fresh)
            #expect(ada.value(forKey: "age") as? Int == 31 && ada.text("name") == "Ada L.")
        }
    }

    @Test func unknownEntityThrows() throws {
        let context = try TestStack().context
        let request = NSFetchRequest<NSManagedObject>(entityName: "Nobody")
        for thrown in [
            error { _ = try context.fetch(request) }, error { _ = try context.count(for: request) },
            error { _ = try context.fetchBatched(request) },
        ] {
            #expect(thrown?.code == NSCoreDataError && thrown?.userInfo["entity"] as? String == "Nobody")
        }
        #expect(error { _ = try context.fetch(NSFetchRequest<NSManagedObject>()) }?.code == NSCoreDataError)
    }

    @Test func wrongResultClassThrows() throws {
        let stack = try TestStack()
        _ = stack.context.make("Company", ["name": "x"])
        #expect(
            error { _ = try stack.context.fetch(NSFetchRequest<Person>(entityName: "Company")) }?.code
                == NSCoreDataError)
        let count = NSFetchRequest<NSManagedObject>(entityName: "Company")
        count.resultType = .countResultType
        #expect(error { _ = try stack.context.fetch(count) }?.code == NSCoreDataError)
    }

    @Test func withoutACoordinatorRequestsThrow() {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Company")
        for thrown in [
            error { try context.save() }, error { _ = try context.fetch(request) },
            error { _ = try context.count(for: request) }, error { _ = try context.fetchBatched(request) },
            error { try context.execute(NSBatchDeleteRequest(objectIDs: [])) },
            error { try context.obtainPermanentIDs(for: []) },
            error { try context.setQueryGenerationFrom(.current) },
        ] {
            #expect(thrown?.domain == NSCocoaErrorDomain && thrown?.code == NSPersistentStoreOperationError)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func whatTheModelDoesntHaveThrows(kind: StoreKind) throws {
        let container = try kind.makeContainer(CompanyModel.make())
        defer { withExtendedLifetime(container) {} }
        let context = container.viewContext
        context.performAndWait {
            for name in ["Ada", "Bob"] { _ = context.make("Person", ["name": name, "age": 30]) }
            #expect(error { try context.save() } == nil)
            for isPending in [false, true] {
                if isPending { _ = context.make("Person", ["name": "Cyd"]) }
                let sorted = NSFetchRequest<NSManagedObject>(entityName: "Person")
                sorted.sortDescriptors = [NSSortDescriptor(key: "nonsense", ascending: true)]
                #expect(error { _ = try context.fetch(sorted) }?.code == NSCoreDataError)
                let found = NSFetchRequest<NSManagedObject>(entityName: "Person")
                found.predicate = NSPredicate(format: "nonsense == 1")
                #expect(error { _ = try context.fetch(found) }?.code == NSCoreDataError)
                let grouped = NSFetchRequest<NSDictionary>(entityName: "Person")
                grouped.resultType = .dictionaryResultType
                grouped.propertiesToFetch = ["name"]
                grouped.propertiesToGroupBy = ["nonsense"]
                #expect(error { _ = try context.fetch(grouped) }?.code == NSCoreDataError)
                grouped.propertiesToGroupBy = nil
                grouped.propertiesToFetch = ["nonsense"]
                #expect(error { _ = try context.fetch(grouped) }?.code == NSCoreDataError)
                grouped.propertiesToFetch = [5]
                #expect(error { _ = try context.fetch(grouped) }?.code == NSCoreDataError)
            }
        }
    }

    @Test func objectsOfAnotherCoordinatorAreErrors() throws {
        let (one, other) = (try TestStack(), try TestStack())
        let note = one.context.make("Note")
        try one.context.save()
        #expect(
            error { _ = try other.context.existingObject(with: note.objectID) }?.code
                == NSManagedObjectReferentialIntegrityError)
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.affectedStores = one.coordinator.persistentStores
        try expect(other.context.fetch(request), equals: [])
    }

    @Test func objectsOfARemovedStoreAreErrors() throws {
        let stack = try TestStack()
        let note = stack.context.make("Note", ["text": "a"])
        try stack.context.save()
        let other = stack.another()
        let fault = other.object(with: note.objectID)
        try stack.coordinator.remove(stack.coordinator.persistentStores[0])
        #expect(error { _ = try other.existingObject(with: note.objectID) } != nil)
        #expect(fault.value(forKey: "text") == nil && other.readError != nil)
        #expect(error { try other.save() } != nil)
    }

    @Test func predicateThatSQLCannotExpressThrows() throws {
        let stack = try TestStack()
        stack.context.performAndWait {
            let request = request()
            request.predicate = NSPredicate { _, _ in true }
            #expect(throws: NSError.self) { try stack.context.fetch(request) }
        }
    }

    @Test func requestsExecuteInTheContextOfTheirBlock() throws {
        let (_, context) = try filled(NSSQLiteStoreType)
        try context.run { () throws in
            try expect(names(request(byName).execute()).count, equals: 5)
            #expect(try request(byName).execute().first?.managedObjectContext === context)
        }
    }

    @Test(arguments: types) func affectedStoresNarrowTheFetch(_ type: String) throws {
        let stack = try TestStack(type: type)
        let second = try stack.coordinator.addPersistentStore(
            ofType: type, configurationName: nil,
            at: StoreKind.place(type, stack.folder, "Second.sqlite"), options: nil)
        let first = stack.coordinator.persistentStores[0]
        try stack.context.run { () throws in
            let context = stack.context
            context.assign(context.make("Person", ["name": "One", "age": 2]), to: first)
            context.assign(context.make("Person", ["name": "Two", "age": 1]), to: second)
            let only = request(byName)
            only.affectedStores = [second]
            try expect(names(context.fetch(only)), equals: ["Two"])
            try context.save()
            try expect(names(context.fetch(only)), equals: ["Two"])
            try expect(context.count(for: only), equals: 1)
            only.affectedStores = nil
            only.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            try expect(names(context.fetch(only)), equals: ["Two", "One"])
            only.fetchOffset = 1
            try expect(names(context.fetch(only)), equals: ["One"])
            try expect(context.count(for: only), equals: 1)
            let found = try context.fetch(request(byName))
            expect(found.map { $0.objectID.persistentStore }, equals: [first, second])
        }
    }

    @Test func templatesTakeVariables() throws {
        let model = CompanyModel.make()
        let template = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
        template.predicate = NSPredicate(format: "age > $AGE AND company.name == $COMPANY")
        template.sortDescriptors = [byName]
        model.setFetchRequestTemplate(template, forName: "Older")
        let stack = try TestStack(model: model)
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "Acme"])
            for age in 1...4 {
                _ = stack.context.make("Person", ["name": "P\(age)", "age": age, "company": company])
            }
            try stack.context.save()
            let request = try #require(
                model.fetchRequestFromTemplate(
                    withName: "Older", substitutionVariables: ["AGE": 2, "COMPANY": "Acme"]))
            let found = try stack.context.fetch(request).compactMap { $0 as? NSManagedObject }
            expect(names(found), equals: ["P3", "P4"])
        }
    }

    @Test func fetchedPropertiesSeeTheirSource() throws {
        let model = CompanyModel.make()
        let entity = try #require(model.entitiesByName["Person"])
        let property = NSFetchedPropertyDescription()
        property.name = "namesakes"
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Person")
        request.entity = entity
        request.predicate = NSPredicate(format: "name == $FETCH_SOURCE.name AND SELF != $FETCH_SOURCE")
        property.fetchRequest = request
        entity.properties += [property]
        let stack = try TestStack(model: model)
        try stack.context.run { () throws in
            let context = stack.context
            let people = ["Ada", "Ada", "Bob"].map { context.make("Person", ["name": $0]) }
            try context.save()
            expect(people[0].value(forKey: "namesakes") as? [NSManagedObject], equals: [people[1]])
            expect((people[2].value(forKey: "namesakes") as? [NSManagedObject])?.isEmpty, equals: true)
            // Kept until the object is refreshed.
            people[2].setValue("Ada", forKey: "name")
            try context.save()
            expect((people[0].value(forKey: "namesakes") as? [NSManagedObject])?.count, equals: 1)
            context.refresh(people[0], mergeChanges: false)
            expect((people[0].value(forKey: "namesakes") as? [NSManagedObject])?.count, equals: 2)
        }
    }
}
