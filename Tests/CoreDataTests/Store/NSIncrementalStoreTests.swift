// Incremental stores of a client's own.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct NSIncrementalStoreTests {
    private func model() -> NSManagedObjectModel {
        func entity(_ name: String) -> NSEntityDescription {
            let entity = NSEntityDescription()
            entity.name = name
            for (name, type) in [
                ("name", NSAttributeType.stringAttributeType), ("age", .integer64AttributeType),
            ] {
                let attribute = NSAttributeDescription()
                attribute.name = name
                attribute.attributeType = type
                attribute.isOptional = true
                entity.properties.append(attribute)
            }
            return entity
        }
        let (author, book) = (entity("Author"), entity("Book"))
        let (books, writer) = (NSRelationshipDescription(), NSRelationshipDescription())
        (books.name, books.destinationEntity, books.maxCount) = ("books", book, 0)
        (writer.name, writer.destinationEntity, writer.maxCount) = ("writer", author, 1)
        for relationship in [books, writer] {
            relationship.isOptional = true
            relationship.deleteRule = .nullifyDeleteRule
        }
        books.inverseRelationship = writer
        writer.inverseRelationship = books
        author.properties.append(books)
        book.properties.append(writer)
        let model = NSManagedObjectModel()
        model.entities = [author, book]
        return model
    }

    private func opened() throws -> (NSManagedObjectContext, DictionaryStore) {
        NSPersistentStoreCoordinator.registerStoreClass(
            DictionaryStore.self, forStoreType: DictionaryStore.type)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        let store = try coordinator.addPersistentStore(
            ofType: DictionaryStore.type, configurationName: nil, at: URL(string: "dictionary://store"))
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return (context, try #require(store as? DictionaryStore))
    }

    private func authors(_ context: NSManagedObjectContext, _ format: String = "TRUEPREDICATE") throws
        -> [NSManagedObject]
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.predicate = NSPredicate(format: format)
        return try context.fetch(request)
    }

    /// A store says only by an error that it has no values of an object.
    @Test func rowsThatAreGone() throws {
        let (context, store) = try opened()
        store.rows = [
            "a1": .init(entity: "Author", values: ["name": "Anna"]),
            "a2": .init(entity: "Author", values: ["name": "Ben"]),
        ]
        let (anna, ben) = (
            try authors(context, "name == 'Anna'")[0], try authors(context, "name == 'Ben'")[0]
        )
        for author in [anna, ben] { context.refresh(author, mergeChanges: false) }
        ben.setValue(7, forKey: "age")
        store.rows = [:]
        #expect(anna.text("name") == nil && anna.isDeleted)
        context.refresh(ben, mergeChanges: true)
        #expect(ben.text("name") == "Ben" && ben.value(forKey: "age") as? Int == 7)
        #expect(throws: (any Error).self) { try context.existingObject(with: anna.objectID) }
    }

    @Test func savesOfOtherContextsAreMerged() throws {
        let (first, store) = try opened()
        store.rows = [
            "a1": .init(entity: "Author", values: ["name": "Anna"]),
            "a2": .init(entity: "Author", values: ["name": "Ben"]),
        ]
        let contexts = [NSManagedObjectContext(.privateQueue), NSManagedObjectContext(.privateQueue)]
        for context in contexts { context.persistentStoreCoordinator = first.persistentStoreCoordinator }
        let (mine, theirs) = (contexts[0], contexts[1])
        mine.automaticallyMergesChangesFromParent = true
        let (anna, ben) = try mine.run { () throws in
            let (anna, ben) = (try authors(mine, "name == 'Anna'")[0], try authors(mine, "name == 'Ben'")[0])
            #expect(anna.text("name") == "Anna" && ben.text("name") == "Ben")
            return (anna, ben)
        }
        try theirs.run { () throws in
            try authors(theirs, "name == 'Anna'")[0].setValue("Eve", forKey: "name")
            theirs.delete(try authors(theirs, "name == 'Ben'")[0])
            _ = theirs.make("Author", ["name": "Joe"])
            try theirs.save()
        }
        try mine.run { () throws in
            #expect(anna.text("name") == "Eve" && !mine.updatedObjects.contains(anna))
            #expect(ben.isDeleted && ben.text("name") == "Ben")
            expect(Set(try authors(mine).map { $0.text("name") }), equals: ["Eve", "Joe"])
            try mine.save()
            #expect(!mine.hasChanges)
        }
    }

    @Test func fetchesMakeFaultsThatAreFilledOneByOne() throws {
        let (context, store) = try opened()
        store.rows = [
            "a1": .init(entity: "Author", values: ["name": "Anna", "age": 40, "books": ["b1", "b2"]]),
            "a2": .init(entity: "Author", values: ["name": "Ben", "age": 30]),
            "b1": .init(entity: "Book", values: ["name": "One", "writer": "a1"]),
            "b2": .init(entity: "Book", values: ["name": "Two", "writer": "a1"]),
        ]
        let found = try authors(context, "age > 35")
        expect(found.count, equals: 1)
        expect(store.reads, equals: 0)
        let anna = try #require(found.first)
        #expect(anna.isFault)
        expect(anna.value(forKey: "name") as? String, equals: "Anna")
        expect(store.reads, equals: 1)
        let books = try #require(anna.value(forKey: "books") as? Set<NSManagedObject>)
        expect(store.reads, equals: 1)
        expect(Set(books.compactMap { $0.value(forKey: "name") as? String }), equals: ["One", "Two"])
        #expect(books.allSatisfy { $0.value(forKey: "writer") as? NSManagedObject === anna })
        expect(store.referenceObject(for: anna.objectID) as? String, equals: "a1")
        #expect(
            anna.objectID.uriRepresentation().absoluteString == "x-coredata://dictionary-store/Author/pa1")
        let coordinator = try #require(context.persistentStoreCoordinator)
        expect(
            coordinator.managedObjectID(forURIRepresentation: anna.objectID.uriRepresentation()),
            equals: anna.objectID)
    }

    @Test func savesReachTheStoreAsObjects() throws {
        let (context, store) = try opened()
        let anna = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        anna.setValue("Anna", forKey: "name")
        let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
        book.setValue("One", forKey: "name")
        book.setValue(anna, forKey: "writer")
        #expect(anna.objectID.isTemporaryID)
        try context.save()
        #expect(!anna.objectID.isTemporaryID)
        expect(store.rows.count, equals: 2)
        let written = try #require(store.rows.values.first { $0.entity == "Book" })
        expect(
            written.values["writer"] as? String, equals: store.referenceObject(for: anna.objectID) as? String)
        anna.setValue(41, forKey: "age")
        try context.save()
        expect(store.rows.values.first { $0.entity == "Author" }?.values["age"] as? Int, equals: 41)
        context.delete(book)
        try context.save()
        expect(store.rows.values.map(\.entity), equals: ["Author"])
        expect(store.requests, equals: ["save", "save", "save"])
    }

    @Test func countsAndDictionariesAreTheStores() throws {
        let (context, store) = try opened()
        store.rows = ["a1": .init(entity: "Author", values: ["name": "Anna", "age": 40])]
        try expect(context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author")), equals: 1)
        let request = NSFetchRequest<NSDictionary>(entityName: "Author")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["name"]
        try expect(context.fetch(request), equals: [["name": "Anna"] as NSDictionary])
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Author")
        ids.resultType = .managedObjectIDResultType
        try expect(context.fetch(ids).count, equals: 1)
    }

    @Test func aSaveWithoutChangesReachesTheStore() throws {
        let (context, store) = try opened()
        try context.save()
        expect(store.requests, equals: ["empty save"])
        #expect(store.rows.isEmpty)
    }

    @Test func theStoreLearnsWhichObjectsContextsUse() throws {
        let (context, store) = try opened()
        store.rows = [
            "a1": .init(entity: "Author", values: ["name": "Anna", "books": ["b1"]]),
            "a2": .init(entity: "Author", values: ["name": "Ben"]),
            "b1": .init(entity: "Book", values: ["name": "One", "writer": "a1"]),
        ]
        var found = try authors(context)
        _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author"))
        expect(store.registered, equals: ["a1": 1, "a2": 1])
        var other: NSManagedObjectContext? = NSManagedObjectContext(
            concurrencyType: .mainQueueConcurrencyType)
        other?.persistentStoreCoordinator = context.persistentStoreCoordinator
        var theirs = try authors(try #require(other), "name == 'Anna'")
        _ = theirs.first?.value(forKey: "books")
        _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author"))
        expect(store.registered, equals: ["a1": 2, "a2": 1, "b1": 1])
        found.removeAll { $0.value(forKey: "name") as? String == "Ben" }
        _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author"))
        expect(store.registered, equals: ["a1": 2, "b1": 1])
        other = nil
        theirs = []
        let new = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        try context.save()
        _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author"))
        let name = store.referenceObject(for: new.objectID) as? String ?? ""
        expect(store.registered, equals: ["a1": 1, name: 1])
        context.reset()
        _ = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Author"))
        #expect(store.registered.isEmpty)
        expect(found.count, equals: 1)
    }

    @Test func missingObjectsThrow() throws {
        let (context, store) = try opened()
        let entity = try #require(
            context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Author"])
        let gone = store.newObjectID(for: entity, referenceObject: "nobody")
        #expect(throws: (any Error).self) { try context.existingObject(with: gone) }
    }

    @Test func aStoreNeedsAnIdentity() throws {
        final class Nameless: NSIncrementalStore, @unchecked Sendable {
            override func loadMetadata() throws {}
        }
        NSPersistentStoreCoordinator.registerStoreClass(Nameless.self, forStoreType: "Nameless")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model())
        #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(
                ofType: "Nameless", configurationName: nil, at: URL(string: "nameless://x"))
        }
    }

    @Test func nodesAreUpdated() throws {
        let (context, store) = try opened()
        let entity = try #require(
            context.persistentStoreCoordinator?.managedObjectModel.entitiesByName["Author"])
        let objectID = store.newObjectID(for: entity, referenceObject: 7)
        expect(objectID, equals: store.newObjectID(for: entity, referenceObject: NSNumber(value: 7)))
        let node = NSIncrementalStoreNode(
            objectID: objectID, withValues: ["name": "x", "age": 1], version: 1)
        node.update(withValues: ["age": 2], version: 5)
        expect(node.version, equals: 5)
        let (name, age) = (
            try #require(entity.propertiesByName["name"]), try #require(entity.propertiesByName["age"])
        )
        expect(node.value(for: name) as? String, equals: "x")
        expect(node.value(for: age) as? Int, equals: 2)
    }
}
