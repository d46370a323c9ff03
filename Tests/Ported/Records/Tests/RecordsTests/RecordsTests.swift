import CoreData
import XCTest

@testable import Records

final class RecordsTests: XCTestCase {
    private var library: Library!
    private var context: NSManagedObjectContext { library.context }

    override func setUp() {
        super.setUp()
        library = Library()
    }

    func testMakingInAllForms() throws {
        let writer = Writer.create(in: context) { $0.name = "Ada" }
        let book: Book = context.insert()
        book.author = writer
        let other = context.insert(Book.self)
        other.pages = 40
        writer.addToBooks(other)
        XCTAssertTrue(context.insert(anyOf: Loan.self) is Loan)
        XCTAssertEqual(writer.books, [book, other])
        XCTAssertEqual(writer.pages, 40)
        XCTAssertEqual(Writer.entityName, "Author")
        XCTAssertEqual(book.created, Date(timeIntervalSinceReferenceDate: 0))
        XCTAssertEqual("\(other)", "Untitled, with pages 40")
    }

    func testInitialisersOfItsOwn() throws {
        XCTAssertTrue(Loan(reader: "Bo", weeks: 3, in: context).isExtended)
        XCTAssertEqual(Loan(in: context).reader, "Nobody")
        XCTAssertEqual(Loan(context: context).weeks, 1)
        try context.save()
        context.reset()
        let loans = try Loan.all(in: context, orderedBy: "weeks")
        XCTAssertEqual(loans.map { $0.reader }, ["Nobody", nil, "Bo"])
        XCTAssertEqual(loans.map { $0.isExtended }, [false, false, false])
    }

    func testFinding() throws {
        for (name, born) in [("Ada", 1815), ("Bo", 1900), ("Cy", 1950)] {
            let writer = try Writer.findOrCreate(in: context, "name", name as NSString)
            writer.born = Int16(born)
        }
        let again = try Writer.findOrCreate(in: context, #keyPath(Writer.name), "Bo" as NSString)
        XCTAssertEqual(again.born, 1900)
        try context.save()
        let late = try Writer.all(in: context, where: "born > %d AND name != %@", 1850, "Cy")
        XCTAssertEqual(late.map { $0.name }, ["Bo"])
        XCTAssertEqual(try Writer.count(in: context), 3)
        let background = library.container.newBackgroundContext()
        try background.performAndWait {
            XCTAssertEqual(try late[0].inContext(background).name, "Bo")
        }
    }

    func testOverridesInExtensions() throws {
        let book = Book.create(in: context) { $0.title = "" }
        try context.save()
        XCTAssertEqual(book.title, "Untitled")
        Book.create(in: context) { $0.pages = -1 }
        XCTAssertThrowsError(try context.save()) { error in
            XCTAssertEqual((error as NSError).code, NSValidationNumberTooSmallError)
            XCTAssertEqual((error as NSError).userInfo[NSValidationKeyErrorKey] as? String, "pages")
        }
    }

    func testDeletingFaultsThatWereNeverFired() throws {
        let writer = Writer.create(in: context)
        Book.create(in: context) { $0.author = writer }
        Book.create(in: context)
        try context.save()
        let id = writer.objectID
        context.refreshAllObjects()
        XCTAssertEqual(try Book.deleteAll(in: context), 2)
        try context.save()
        context.reset()
        context.delete(context.object(with: id))
        try context.save()
        XCTAssertEqual(try Writer.count(in: context), 0)
        XCTAssertEqual(try Book.count(in: context), 0)
    }

    func testMethodsOfOwnNames() throws {
        let writer = Writer.create(in: context)
        let book = Book.create(in: context) { $0.author = writer }
        writer.discard(NSSet(object: book))
        XCTAssertNil(book.author)
        XCTAssertTrue(writer.books.isEmpty)
    }

    func testPrivateClass() throws {
        XCTAssertEqual(try rooms(in: context), ["Cellar", "Attic"])
    }
}
