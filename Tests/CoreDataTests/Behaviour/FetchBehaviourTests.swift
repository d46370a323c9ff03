// Every form of fetch over one library, alike from every store.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

struct FetchBehaviourTests {
    private func filled(_ kind: StoreKind, _ body: (NSManagedObjectContext) throws -> Void) throws {
        try StoreScene.withLibrary(kind) { scene, _ in
            let context = scene.fresh()
            try context.run { () throws in try body(context) }
        }
    }

    private func books<T>(_ type: NSFetchRequestResultType, _: T.Type, by key: String = "pages")
        -> NSFetchRequest<T>
    {
        let request = NSFetchRequest<T>(entityName: "Book")
        request.resultType = type
        request.sortDescriptors = [NSSortDescriptor(key: key, ascending: true)]
        return request
    }

    @Test(arguments: StoreKind.withObjects)
    func objectsIDsAndCountsAgree(_ kind: StoreKind) throws {
        try filled(kind) { context in
            for format in [
                "pages > 1", "author.name == 'Ada'", "ANY genres.name == 'Poems'", "author.alive == YES",
                "publisher != nil", "author.books.@count == 3", "ANY sequels.name == 'D'",
                "name IN {'A', 'D'}",
                "author.mentor.name == 'Ada'", "genres.@count == 2 AND pages < 3",
                "SUBQUERY(sequels, $s, $s.pages > 1).@count > 1", "author.height BETWEEN {1.6, 1.7}",
            ] {
                let objects = books(.managedObjectResultType, NSManagedObject.self)
                let ids = books(.managedObjectIDResultType, NSManagedObjectID.self)
                let count = books(.countResultType, NSNumber.self)
                for request in [objects, ids, count] as [NSPersistentStoreRequest] {
                    (request as? NSFetchRequest<NSManagedObject>)?.predicate = NSPredicate(format: format)
                    (request as? NSFetchRequest<NSManagedObjectID>)?.predicate = NSPredicate(format: format)
                    (request as? NSFetchRequest<NSNumber>)?.predicate = NSPredicate(format: format)
                }
                let found = try context.fetch(objects)
                #expect(!found.isEmpty && found.count < 4, "\(format)")
                try expect(context.fetch(ids), equals: found.map(\.objectID), "\(format)")
                try expect(context.fetch(count).first?.intValue, equals: found.count, "\(format)")
                try expect(context.count(for: objects), equals: found.count, "\(format)")
            }
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func sortsAndBounds(_ kind: StoreKind) throws {
        try filled(kind) { (context) throws in
            let request = books(.managedObjectResultType, NSManagedObject.self, by: "author.name")
            request.sortDescriptors?.append(NSSortDescriptor(key: "name", ascending: false))
            func names() throws -> [String] { try context.fetch(request).compactMap { $0.text("name") } }
            try expect(names(), equals: ["C", "B", "A", "D"])
            request.fetchOffset = 1
            request.fetchLimit = 2
            try expect(names(), equals: ["B", "A"])
            request.fetchOffset = 3
            try expect(names(), equals: ["D"])
            request.fetchOffset = 4
            try expect(names(), equals: [])
            let novels = NSFetchRequest<NSManagedObject>(entityName: "Novel")
            try expect(context.fetch(novels).map { $0.text("hero") }, equals: ["Eve"])
            request.fetchOffset = 0
            request.includesSubentities = false
            request.fetchLimit = 0
            try expect(names(), equals: ["C", "B", "A"])
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func batchesHoldWhatPlainFetchesHold(_ kind: StoreKind) throws {
        try filled(kind) { context in
            let request = books(.managedObjectResultType, NSManagedObject.self)
            request.fetchBatchSize = 2
            request.relationshipKeyPathsForPrefetching = ["author", "genres"]
            let found = try context.fetch(request)
            expect(found.map { $0.text("name") }, equals: ["C", "A", "B", "D"])
            expect(found.map { $0.members("genres").count }, equals: [2, 2, 2, 1])
            expect(found.map { $0.members("author") }, equals: [["Ada"], ["Ada"], ["Ada"], ["Bea"]])
            request.returnsObjectsAsFaults = false
            request.fetchBatchSize = 0
            #expect(try context.fetch(request).allSatisfy { !$0.isFault })
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func sameObjectsForSameRows(_ kind: StoreKind) throws {
        try filled(kind) { context in
            let ada = try context.named("Author", "Ada")
            let through = try context.named("Book", "A").value(forKey: "author") as? NSManagedObject
            #expect(through === ada && context.object(with: ada.objectID) === ada)
            let uri = ada.objectID.uriRepresentation()
            let id = context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri)
            expect(id, equals: ada.objectID)
        }
    }

    @Test(arguments: StoreKind.withObjects)
    func unsavedChangesTakePart(_ kind: StoreKind) throws {
        try filled(kind) { context in
            try context.named("Book", "C").setValue(100, forKey: "pages")
            context.delete(try context.named("Book", "D"))
            let bea = try context.named("Author", "Bea")
            _ = context.make("Novel", ["name": "E", "pages": 50, "author": bea])
            let request = books(.managedObjectResultType, NSManagedObject.self)
            request.predicate = NSPredicate(format: "pages > 1 AND author != nil")
            try expect(context.fetch(request).map { $0.text("name") }, equals: ["A", "B", "E", "C"])
            request.fetchOffset = 1
            request.fetchLimit = 2
            try expect(context.fetch(request).map { $0.text("name") }, equals: ["B", "E"])
            try expect(context.names("Author", "ANY books.name == 'E'"), equals: ["Bea"])
        }
    }

    // MARK: Dictionaries

    private func aggregate(_ function: String, _ key: String) -> NSExpressionDescription {
        let description = NSExpressionDescription()
        description.name = function.replacingOccurrences(of: ":", with: "")
        description.expression = NSExpression(
            forFunction: function, arguments: [NSExpression(forKeyPath: key)])
        description.expressionResultType =
            function == "average:" ? .doubleAttributeType : .integer64AttributeType
        return description
    }

    @Test(arguments: StoreKind.allCases)
    func dictionariesWithPathsAndValuesOfEveryKind(_ kind: StoreKind) throws {
        try filled(kind) { context in
            let rows = books(.dictionaryResultType, NSDictionary.self)
            rows.propertiesToFetch = ["name", "price", "author.name", "author.born", "publisher"]
            let found = try context.fetch(rows)
            expect(found.map { $0["name"] as? String }, equals: ["C", "A", "B", "D"])
            expect(found.map { $0["author.name"] as? String }, equals: ["Ada", "Ada", "Ada", "Bea"])
            expect(found[0]["author.born"] as? Date, equals: Date(timeIntervalSinceReferenceDate: -1e8))
            #expect(found[0]["price"] is NSDecimalNumber && found[3]["price"] == nil)
            expect((found[3]["publisher"] as? NSManagedObjectID)?.entity.name, equals: "Publisher")
        }
    }

    @Test(arguments: StoreKind.allCases)
    func aggregatesOverAllRows(_ kind: StoreKind) throws {
        try filled(kind) { context in
            let rows = NSFetchRequest<NSDictionary>(entityName: "Book")
            rows.resultType = .dictionaryResultType
            rows.propertiesToFetch = ["sum:", "max:", "min:", "average:", "count:"].map {
                aggregate($0, "pages")
            }
            let found = try context.fetch(rows)
            expect(found.count, equals: 1)
            let values = ["sum", "max", "min", "count"].map { found.first?[$0] as? Int }
            expect(values, equals: [10, 4, 1, 4])
            expect(found.first?["average"] as? Double, equals: 2.5)
        }
    }

    @Test(arguments: StoreKind.allCases)
    func groupsWithAggregatesAndConditions(_ kind: StoreKind) throws {
        try filled(kind) { context in
            let rows = books(.dictionaryResultType, NSDictionary.self, by: "author.name")
            rows.propertiesToFetch =
                ["author.name"] + ["sum:", "max:", "count:"].map { aggregate($0, "pages") }
            rows.propertiesToGroupBy = ["author.name"]
            var found = try context.fetch(rows)
            #expect(found.map { $0["sum"] as? Int } == [6, 4] && found.map { $0["max"] as? Int } == [3, 4])
            expect(found.map { $0["count"] as? Int }, equals: [3, 1])
            rows.havingPredicate = NSPredicate(format: "$count > 1")
            found = try context.fetch(rows)
            expect(found.map { $0["author.name"] as? String }, equals: ["Ada"])
            rows.havingPredicate = nil
            rows.predicate = NSPredicate(format: "pages > 2")
            try expect(context.fetch(rows).map { $0["sum"] as? Int }, equals: [3, 4])
        }
    }
}
