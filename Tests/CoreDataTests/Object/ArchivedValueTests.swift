// Archives as values, and the bytes of transformable attributes.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct ArchivedValueTests {
    @Test func collectionsAndValuesAreRead() throws {
        let object: NSDictionary = [
            "list": ["a", NSNumber(value: 2.5)] as NSArray, "flag": NSNumber(value: true),
        ]
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        guard case .dictionary(let pairs) = try ArchivedValue(keyedArchive: data) else {
            Issue.record("no dictionary")
            return
        }
        expect(pairs[.string("list")], equals: .array([.string("a"), .double(2.5)]))
        expect(pairs.count, equals: 2)
    }

    @Test func everyKindOfValueIsRead() throws {
        // Foundation's own archiver recurses without end over decimal numbers.
        let transformer = NSSecureUnarchiveFromDataTransformer()
        let uuid = UUID()
        let date = Date(timeIntervalSinceReferenceDate: 12)
        let url = try #require(URL(string: "https://example.com/a"))
        let cases: [(Any, ArchivedValue)] = [
            (NSNumber(value: true), .bool(true)), (NSNumber(value: 7), .integer(7)),
            (Data([1, 2]) as NSData, .data(Data([1, 2]))), (date as NSDate, .date(date)),
            (uuid as NSUUID, .uuid(uuid)), (url as NSURL, .url(url)), (NSNull(), .null),
            (NSSet(array: ["a"]), .set([.string("a")])),
            (NSDecimalNumber(string: "1.25"), .decimal(Decimal(string: "1.25") ?? 0)),
        ]
        for (object, value) in cases {
            let data = try #require(transformer.reverseTransformedValue([object]) as? Data)
            try expect(ArchivedValue(keyedArchive: data), equals: .array([value]), "\(object)")
        }
    }

    @Test(arguments: [Data(), Data([1, 2, 3]), Data("bplist00".utf8), Data(repeating: 0xFF, count: 4096)])
    func otherBytesAreRefused(data: Data) {
        let error = #expect(throws: NSError.self) { _ = try ArchivedValue(keyedArchive: data) }
        expect(error?.code, equals: CocoaError.coderReadCorrupt.rawValue)
        #expect(error?.userInfo[NSLocalizedFailureReasonErrorKey] is String)
    }

    @Test func onlyStandInsAreValues() {
        #expect(ArchivedValue(standIn: "text") == nil)
        #expect(ArchivedValue(standIn: NSObject()) == nil)
    }

    @Test(.enabled(if: SharedFiles.arePresent, Comment(rawValue: SharedFiles.absence)))
    func objectsOfUnknownClassesShowTheirFields() throws {
        let folder = try TemporaryFolder()
        let url = try folder.copy(ofStore: SharedFiles.url("stores/CoreDataPlus/SampleModel2_V1.sqlite"))
        let model = try #require(try NSPersistentStoreCoordinator.model(inStoreAt: url))
        let (coordinator, _) = try StoreFixtures.open(
            url, model, options: [NSPersistentHistoryTrackingKey: true])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "objectID", ascending: true)]
        request.fetchLimit = 1
        let context = StoreFixtures.context(coordinator)
        let book = try #require(try context.fetch(request).first)
        expect(book.objectID.rowNumber, equals: 1)
        #expect(book.storedData(forKey: "title") == nil)
        let data = try #require(book.storedData(forKey: "cover"))
        try expect(
            ArchivedValue(keyedArchive: data),
            equals: .object(className: "CoreDataPlus_Tests.Cover", fields: ["text": .string("default cover")])
        )
        book.setValue(NSObject(), forKey: "cover")
        #expect(book.storedData(forKey: "cover") == nil)
        book.setValue(nil, forKey: "cover")
        #expect(book.storedData(forKey: "cover") == nil)
        let other = data + Data([0])
        book.setStoredData(other, forKey: "cover")
        #expect(book.hasChanges && book.storedData(forKey: "cover") == other)
        try context.save()
        context.refresh(book, mergeChanges: false)
        expect(book.storedData(forKey: "cover"), equals: other)
        book.setStoredData(nil, forKey: "cover")
        #expect(book.storedData(forKey: "cover") == nil)
    }

    @Test func bytesAreForTransformablesOnly() async {
        await #expect(processExitsWith: .failure) {
            let context = NSManagedObjectContext(.mainQueue)
            context.persistentStoreCoordinator = NSPersistentStoreCoordinator(
                managedObjectModel: SampleModel.make())
            let owner = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
            owner.setStoredData(Data(), forKey: "name")
        }
    }

    @Test func anObjectThatWasNeverSavedHasNoNumber() throws {
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = NSPersistentStoreCoordinator(
            managedObjectModel: SampleModel.make())
        let owner = NSEntityDescription.insertNewObject(forEntityName: "Owner", into: context)
        #expect(owner.objectID.rowNumber == nil)
    }
}
