// One context over several stores: fetches, dictionaries, relationships between them.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct SeveralStoreRowsTests {
    /// Ages 1, 3, 5 in a file, 2, 4, 6 in memory; `n` names those above 3.
    private func filled(_ first: StoreKind = .sqlite, _ second: StoreKind = .inMemory) throws
        -> (container: StoreContainer, context: NSManagedObjectContext)
    {
        let container = try first.makeContainer()
        let coordinator = container.persistentStoreCoordinator
        let other = try coordinator.addPersistentStore(
            ofType: second.type, configurationName: nil,
            at: second.hasFile ? container.folder.file("second") : nil)
        let context = container.newBackgroundContext()
        try context.run {
            for age in 1...6 {
                let person = context.make("Person", ["age": age, "name": age > 3 ? "n" : "m"])
                if age % 2 == 0 { context.assign(person, to: other) }
            }
            try context.save()
        }
        return (container, context)
    }

    private static let pairs: [(StoreKind, StoreKind)] = [
        (.sqlite, .inMemory), (.binary, .sqlite), (.xml, .binary), (.inMemory, .atomic),
    ]

    @Test(arguments: pairs)
    func objectsIDsAndCountsComeFromAllStores(_ first: StoreKind, _ second: StoreKind) throws {
        let (container, context) = try filled(first, second)
        try context.run {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
            request.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
            func ages() throws -> [Int] {
                try context.fetch(request).compactMap { $0.value(forKey: "age") as? Int }
            }
            try expect(ages(), equals: [6, 5, 4, 3, 2, 1])
            (request.fetchOffset, request.fetchLimit) = (1, 3)
            try expect(ages(), equals: [5, 4, 3])
            try expect(context.count(for: request), equals: 3)
            request.predicate = NSPredicate(format: "age > 2")
            try expect(ages(), equals: [5, 4, 3])
            let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Person")
            ids.resultType = .managedObjectIDResultType
            ids.sortDescriptors = [NSSortDescriptor(key: "age", ascending: true)]
            let stores = container.persistentStoreCoordinator.persistentStores
            let found = try context.fetch(ids)
            expect(
                found.map { $0.persistentStore === stores[0] },
                equals: [true, false, true, false, true, false])
            request.affectedStores = [stores[1]]
            (request.fetchOffset, request.fetchLimit) = (0, 0)
            try expect(ages(), equals: [6, 4])
            try expect(context.count(for: request), equals: 2)
            request.fetchBatchSize = 1
            request.affectedStores = nil
            try expect(ages(), equals: [6, 5, 4, 3])
        }
    }

    private func dictionaries(
        _ context: NSManagedObjectContext, _ columns: [Any],
        _ change: (NSFetchRequest<NSDictionary>) -> Void = { _ in }
    ) throws -> [NSDictionary] {
        let request = NSFetchRequest<NSDictionary>(entityName: "Person")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = columns
        change(request)
        return try context.fetch(request)
    }

    private func column(
        _ function: String, _ type: NSAttributeType = .integer64AttributeType, of key: String = "age"
    ) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = function
        description.expression = NSExpression(
            forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        description.expressionResultType = type
        return description
    }

    @Test(arguments: pairs)
    func dictionariesAreSortedOverAllStores(_ first: StoreKind, _ second: StoreKind) throws {
        let (_, context) = try filled(first, second)
        try context.run {
            let sorted = try dictionaries(context, ["name"]) {
                $0.sortDescriptors = [NSSortDescriptor(key: "age", ascending: false)]
                ($0.fetchOffset, $0.fetchLimit) = (2, 2)
            }
            expect(sorted, equals: [["name": "n"], ["name": "m"]])
            let distinct = try dictionaries(context, ["name"]) {
                $0.returnsDistinctResults = true
                $0.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            }
            expect(distinct, equals: [["name": "m"], ["name": "n"]])
        }
    }

    @Test(arguments: pairs)
    func aggregatesAreCombined(_ first: StoreKind, _ second: StoreKind) throws {
        let (_, context) = try filled(first, second)
        try context.run {
            let all: [Any] = [
                column("count:"), column("sum:"), column("min:"), column("max:"),
                column("average:", .doubleAttributeType),
            ]
            let row = try #require(try dictionaries(context, all).first)
            #expect(row["count:"] as? Int == 6 && row["sum:"] as? Int == 21)
            #expect(row["min:"] as? Int == 1 && row["max:"] as? Int == 6)
            expect(row["average:"] as? Double, equals: 3.5)
            let groups = try dictionaries(context, ["name", column("sum:"), column("max:")]) {
                $0.propertiesToGroupBy = ["name"]
                $0.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            }
            expect(
                groups, equals: [["name": "n", "sum:": 15, "max:": 6], ["name": "m", "sum:": 6, "max:": 3]])
            let none = try dictionaries(context, [column("count:"), column("sum:")]) {
                $0.predicate = NSPredicate(format: "age > 100")
            }
            #expect(none.count == 1 && none[0]["count:"] as? Int == 0)
        }
    }

    @Test func whatCantBeCombinedIsRefused() throws {
        let (container, context) = try filled()
        try context.run {
            let median = StoreFixtures.error { _ = try dictionaries(context, [column("median:")]) }
            expect(median?.code, equals: NSCoreDataError)
            let having = StoreFixtures.error {
                _ = try dictionaries(context, ["name", column("sum:")]) {
                    $0.propertiesToGroupBy = ["name"]
                    $0.havingPredicate = NSPredicate(format: "name == 'n'")
                }
            }
            expect(having?.localizedDescription.contains("several stores"), equals: true)
            let one = try dictionaries(context, [column("count:")]) {
                $0.affectedStores = [container.store]
            }
            expect(one, equals: [["count:": 3]])
        }
    }

    // MARK: Between stores

    @Test(arguments: pairs)
    func relationshipsBetweenStoresAreRefused(_ first: StoreKind, _ second: StoreKind) throws {
        let (container, context) = try filled(first, second)
        try context.run {
            let people = try context.all("Person", sort: "age")
            for (key, value) in [
                ("spouse", people[1] as Any), ("spouseOf", people[1]),
            ] {
                people[0].setValue(value, forKey: key)
                let error = StoreFixtures.error { try context.save() }
                expect(error?.code, equals: NSManagedObjectExternalRelationshipError, "\(key)")
                expect((error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject])?.count, equals: 2)
                context.rollback()
            }
            let company = context.make("Company", ["name": "Acme"])
            let project = context.make("Project", ["title": "P"])
            people[1].setValue(company, forKey: "company")
            people[1].mutableSetValue(forKey: "projects").add(project)
            #expect(
                StoreFixtures.error { try context.save() }?.code == NSManagedObjectExternalRelationshipError)
            let stores = container.persistentStoreCoordinator.persistentStores
            context.assign(company, to: stores[1])
            context.assign(project, to: stores[1])
            try context.save()
            #expect(company.objectID.persistentStore === stores[1])
            let other = container.newBackgroundContext()
            try other.run {
                let person = try #require(try other.all("Person", "company.name == 'Acme'").first)
                expect(person.value(forKey: "age") as? Int, equals: 2)
                #expect(try other.all("Person", "spouse != nil").isEmpty)
            }
        }
    }

    @Test func fetchedPropertiesReachOtherStores() throws {
        let folder = try TemporaryFolder()
        let (shelf, book) = (NSEntityDescription("Shelf"), NSEntityDescription("Book"))
        let books = NSFetchedPropertyDescription()
        books.name = "books"
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
        request.predicate = NSPredicate(format: "topic == $FETCH_SOURCE.topic")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        request.entity = book
        books.fetchRequest = request
        shelf.properties = [NSAttributeDescription("topic", .string), books]
        book.properties = [
            NSAttributeDescription("topic", .string), NSAttributeDescription("title", .string),
        ]
        let model = NSManagedObjectModel()
        model.entities = [shelf, book]
        model.setEntities([shelf], forConfigurationName: "Shelves")
        model.setEntities([book], forConfigurationName: "Books")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: NSXMLStoreType, configurationName: "Shelves", at: folder.file("shelves"))
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: "Books", at: folder.file("books"))
        let context = StoreFixtures.context(coordinator)
        try context.run {
            let shelf = context.make("Shelf", ["topic": "sea"])
            for (topic, title) in [("sea", "B"), ("sky", "C"), ("sea", "A")] {
                _ = context.make("Book", ["topic": topic, "title": title])
            }
            try context.save()
            context.refreshAllObjects()
            let found = shelf.value(forKey: "books") as? [NSManagedObject] ?? []
            expect(found.map { $0.text("title") }, equals: ["A", "B"])
            #expect(found.allSatisfy { $0.objectID.persistentStore !== shelf.objectID.persistentStore })
        }
    }
}
