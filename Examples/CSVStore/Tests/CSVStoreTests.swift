// Apple's API on a store whose file is comma-separated values.

import CoreDataTestSupport
import CSVStore
import CoreData
import CoreDataStores
import Foundation
import Testing

struct CSVStoreTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private static func model() -> NSManagedObjectModel {
        func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
            let attribute = NSAttributeDescription()
            (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
            return attribute
        }
        func relationship(_ name: String, _ destination: NSEntityDescription, _ most: Int)
            -> NSRelationshipDescription
        {
            let relationship = NSRelationshipDescription()
            (relationship.name, relationship.destinationEntity, relationship.maxCount) = (
                name, destination, most
            )
            return relationship
        }
        let (author, book, tag) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
        (author.name, book.name, tag.name) = ("Author", "Book", "Tag")
        let (books, writer) = (relationship("books", book, 0), relationship("author", author, 1))
        let (tags, tagged) = (relationship("tags", tag, 0), relationship("books", book, 0))
        (books.inverseRelationship, writer.inverseRelationship) = (writer, books)
        (tags.inverseRelationship, tagged.inverseRelationship) = (tagged, tags)
        author.properties = [attribute("name", .stringAttributeType), books]
        book.properties = [
            attribute("title", .stringAttributeType), attribute("pages", .integer32AttributeType),
            attribute("price", .decimalAttributeType), attribute("cover", .binaryDataAttributeType),
            attribute("printed", .dateAttributeType), writer, tags,
        ]
        book.uniquenessConstraints = [["title"]]
        tag.properties = [attribute("name", .stringAttributeType), tagged]
        let model = NSManagedObjectModel()
        model.entities = [author, book, tag]
        return model
    }

    private func context(_ name: String = "Library.csv") throws -> NSManagedObjectContext {
        NSPersistentStoreCoordinator.registerStoreClass(EngineStore<CSVRows>.self, forStoreType: CSVRows.type)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        try coordinator.addPersistentStore(
            ofType: CSVRows.type, configurationName: nil, at: folder.file(name), options: nil)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func fill(_ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            func make(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
                let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                object.setValuesForKeys(values)
                return object
            }
            let mary = make("Author", ["name": "Mary \"M.\" Shelley, née Godwin"])
            let gothic = make("Tag", ["name": "gothic"])
            _ = make(
                "Book",
                [
                    "title": "Frankenstein", "pages": 280, "price": Decimal(string: "9.99") ?? 0,
                    "author": mary,
                    "cover": Data([0, 1, 255]),
                    "printed": Date(timeIntervalSinceReferenceDate: -5_773_852_800.5),
                    "tags": NSSet(object: gothic),
                ])
            _ = make("Book", ["title": "", "pages": 3])
            try context.save()
        }
    }

    @Test func objectsComeBackAsTheyWere() throws {
        try fill(try context())
        let context = try context()
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.predicate = NSPredicate(
                format: "author.name CONTAINS[c] 'godwin' AND ANY tags.name == 'gothic'")
            let book = try #require(try context.fetch(request).first)
            expect(book.value(forKey: "title") as? String, equals: "Frankenstein")
            expect(book.value(forKey: "price") as? Decimal, equals: Decimal(string: "9.99"))
            expect(book.value(forKey: "cover") as? Data, equals: Data([0, 1, 255]))
            expect(
                book.value(forKey: "printed") as? Date,
                equals: Date(timeIntervalSinceReferenceDate: -5_773_852_800.5))
            request.predicate = NSPredicate(format: "title == ''")
            try expect(context.count(for: request), equals: 1)
            request.predicate = NSPredicate(format: "author == nil AND cover == nil")
            try expect(context.count(for: request), equals: 1)
        }
    }

    @Test func theFileIsRecordsOfValues() throws {
        try fill(try context())
        let lines = try String(contentsOf: folder.file("Library.csv"), encoding: .utf8).split(separator: "\n")
        expect(lines.first?.hasPrefix("store,"), equals: true)
        #expect(lines.contains("1,1,\"Mary \"\"M.\"\" Shelley, née Godwin\""))
        #expect(
            lines.contains { $0.contains("Author 1") && $0.contains("Frankenstein") && $0.contains("9.99") })
    }

    @Test func aTitleThatIsTakenAndAStaleRowAreRefused() throws {
        let first = try context()
        try fill(first)
        try first.performAndWait {
            let twin = NSEntityDescription.insertNewObject(forEntityName: "Book", into: first)
            twin.setValue("Frankenstein", forKey: "title")
            #expect { try first.save() } throws: {
                ($0 as NSError).code == NSManagedObjectConstraintMergeError
            }
            first.rollback()
            let book = try #require(
                try first.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")).first {
                    $0.value(forKey: "author") != nil
                })
            // Another process replaces the file meanwhile.
            let second = try context()
            try second.performAndWait {
                let other = try #require(
                    try second.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")).first {
                        $0.value(forKey: "author") != nil
                    })
                other.setValue(281, forKey: "pages")
                try second.save()
            }
            book.setValue(282, forKey: "pages")
            #expect { try first.save() } throws: { ($0 as NSError).code == NSManagedObjectMergeError }
            first.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
            try first.save()
            expect(book.value(forKey: "pages") as? Int, equals: 282)
        }
    }

    @Test func batchesAndMetadataWork() throws {
        let context = try context()
        try fill(context)
        try context.performAndWait {
            let delete = NSBatchDeleteRequest(fetchRequest: NSFetchRequest(entityName: "Book"))
            delete.resultType = .resultTypeCount
            let result = try context.execute(delete) as? NSBatchDeleteResult
            expect(result?.result as? Int, equals: 2)
        }
        let url = folder.file("Library.csv")
        try NSPersistentStoreCoordinator.setMetadata(
            ["shelf": "3b"], type: .init(rawValue: CSVRows.type), at: url)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            type: .init(rawValue: CSVRows.type), at: url)
        #expect(metadata["shelf"] as? String == "3b" && metadata[NSStoreTypeKey] as? String == "CSV")
    }

    @Test(arguments: ["store,U", "something else", "store,U,AAAA\nentity,\"Bo"])
    func aDamagedFileIsAnError(_ text: String) throws {
        let url = folder.file("Damaged.csv")
        try Data(text.utf8).write(to: url)
        #expect { _ = try context("Damaged.csv") } throws: { ($0 as NSError).domain == NSCocoaErrorDomain }
        try expect(Data(contentsOf: url), equals: Data(text.utf8))
    }
}
