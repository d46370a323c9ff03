import CoreData
import CoreDataTestSupport
import Testing

@Suite struct NSManagedObjectContextCodingTests {
    @Test func settingsSurvive() throws {
        let context = NSManagedObjectContext(.mainQueue)
        context.name = "archived"
        context.transactionAuthor = "me"
        context.propagatesDeletesAtEndOfEvent = false
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        context.encode(with: archiver)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        let copy = try #require(NSManagedObjectContext(coder: unarchiver))
        #expect(copy.concurrencyType == .mainQueueConcurrencyType && copy.name == "archived")
        #expect(copy.transactionAuthor == "me" && !copy.propagatesDeletesAtEndOfEvent)
        #expect(copy.persistentStoreCoordinator == nil)
        let type: NSManagedObjectContext.ConcurrencyType.RawValue = .mainQueueConcurrencyType
        expect(NSManagedObjectContext.ConcurrencyType(rawValue: type), equals: .mainQueue)
    }

    @Test func anotherArchiveIsNone() throws {
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        archiver.encode(1, forKey: "x")
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        #expect(NSManagedObjectContext(coder: unarchiver) == nil)
    }
}
