// Apple's API on a store in a PostgreSQL database, and the rows in its tables then.

import CoreData
import CoreDataPostgreSQL
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLStoreTests {
    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    @Test func objectsComeBackAsTheyWere() throws {
        try shelf.fill(try shelf.context())
        let context = try shelf.context()
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
            request.predicate = NSPredicate(
                format: "firstAuthor.name CONTAINS[c] 'godwin' AND ANY tags.name == 'gothic'")
            let book = try #require(try context.fetch(request).first)
            expect(book.value(forKey: "title") as? String, equals: "Frankenstein")
            expect(book.value(forKey: "price") as? Decimal, equals: Decimal(string: "9.99"))
            expect(book.value(forKey: "cover") as? Data, equals: Data([0, 1, 255]))
            expect(book.value(forKey: "isSold") as? Bool, equals: true)
            expect(book.value(forKey: "weight") as? Double, equals: 0.1)
            expect(
                book.value(forKey: "printed") as? Date,
                equals: Date(timeIntervalSinceReferenceDate: -5_773_852_800.5))
            expect((book.value(forKey: "key") as? UUID)?.uuidString.hasPrefix("6F0E4D6C"), equals: true)
            request.predicate = NSPredicate(format: "title == ''")
            try expect(context.count(for: request), equals: 1)
            request.predicate = NSPredicate(format: "firstAuthor == nil AND cover == nil AND price == nil")
            try expect(context.count(for: request), equals: 1)
        }
    }

    @Test func aPersonFindsTheRowsInTablesOfTheirNames() throws {
        try shelf.fill(try shelf.context())
        let books = try shelf.rows(
            """
            SELECT title, page_count, price, printed, is_sold, a.name FROM printed_book \
            LEFT JOIN author AS a ON a.object_id = first_author_id ORDER BY title
            """)
        expect(
            books,
            equals: [
                "|3|-|-|-|-", "Frankenstein|280|9.99|-5773852800.5|1|Mary \"M.\" Shelley, née Godwin",
            ])
        try expect(shelf.rows("SELECT count(*) FROM printed_book_tags"), equals: ["1"])
        try expect(
            shelf.rows("SELECT obj_description('printed_book'::regclass)::text"),
            equals: ["Entity PrintedBook"])
        try expect(
            shelf.rows(
                "SELECT col_description('printed_book'::regclass, attnum)::text FROM pg_attribute "
                    + "WHERE attrelid = 'printed_book'::regclass AND attname = 'page_count'"),
            equals: [
                "PrintedBook.pageCount"
            ])
        let keys = try shelf.rows(
            "SELECT conname::text FROM pg_constraint WHERE contype = 'f' AND condeferred AND connamespace = "
                + "current_schema()::regnamespace ORDER BY 1")
        expect(
            keys,
            equals: [
                "printed_book_first_author_id_fkey", "printed_book_tags_books_id_fkey",
                "printed_book_tags_tags_id_fkey",
            ])
        try expect(shelf.rows("SELECT count(*) FROM coredata_\(shelf.schema).entity"), equals: ["3"])
    }

    @Test func rowsThatAPersonInsertsAreObjects() throws {
        let context = try shelf.context()
        try expect(
            shelf.rows("INSERT INTO printed_book (title) VALUES ('By hand') RETURNING object_version"),
            equals: ["1"])
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
            let book = try #require(try context.fetch(request).first)
            book.setValue("By machine", forKey: "title")
            try context.save()
        }
        try expect(shelf.rows("SELECT title, object_version FROM printed_book"), equals: ["By machine|2"])
    }

    @Test func manyRowsAreSavedAndReadInTheirOrder() throws {
        let context = try shelf.context()
        try context.performAndWait {
            for number in 0..<5000 {
                let book = NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: context)
                book.setValuesForKeys(["title": "Book \(number)", "pageCount": number])
            }
            try context.save()
            context.reset()
            let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
            request.sortDescriptors = [NSSortDescriptor(key: "pageCount", ascending: false)]
            let books = try context.fetch(request)
            expect(books.map { $0.value(forKey: "pageCount") as? Int }, equals: (0..<5000).reversed())
            for book in books { book.setValue(true, forKey: "isSold") }
            for book in books.prefix(1000) { context.delete(book) }
            try context.save()
            try expect(context.count(for: request), equals: 4000)
        }
        try expect(
            shelf.rows("SELECT count(*), count(is_sold), max(object_version) FROM printed_book"),
            equals: [
                "4000|4000|2"
            ])
        try expect(shelf.rows("SELECT count(DISTINCT object_id) FROM printed_book"), equals: ["4000"])
    }

    // MARK: Conflicts

    @Test func aTitleThatIsTakenAndAStaleRowAreRefused() throws {
        let first = try shelf.context()
        try shelf.fill(first)
        first.performAndWait {
            let twin = NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: first)
            twin.setValue("Frankenstein", forKey: "title")
            #expect { try first.save() } throws: {
                ($0 as NSError).code == NSManagedObjectConstraintMergeError
            }
            first.rollback()
        }
        let second = try shelf.context()
        func change(_ context: NSManagedObjectContext, _ pages: Int) throws {
            let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
            request.predicate = NSPredicate(format: "title == 'Frankenstein'")
            let book = try #require(try context.fetch(request).first)
            _ = book.value(forKey: "pageCount")
            book.setValue(pages, forKey: "pageCount")
        }
        try first.performAndWait { try change(first, 1) }
        try second.performAndWait {
            try change(second, 2)
            try second.save()
        }
        first.performAndWait { () -> Void in
            #expect { try first.save() } throws: { ($0 as NSError).code == NSManagedObjectMergeError }
        }
        try expect(
            shelf.rows("SELECT page_count FROM printed_book WHERE title = 'Frankenstein'"), equals: ["2"])
        try expect(shelf.rows("SELECT count(*) FROM printed_book"), equals: ["2"])
    }

    @Test func uniqueValuesMayChangePlaces() throws {
        let context = try shelf.context()
        try shelf.fill(context)
        try context.performAndWait {
            let books = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "PrintedBook"))
            let titles = books.map { $0.value(forKey: "title") }
            for (book, title) in zip(books, titles.reversed()) { book.setValue(title, forKey: "title") }
            try context.save()
        }
        try expect(shelf.rows("SELECT page_count FROM printed_book ORDER BY title"), equals: ["280", "3"])
    }
}
