// Constants of predicates that the server has no value for.

import CoreData
import CoreDataPostgreSQL
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLConstantsTests {
    private let context: NSManagedObjectContext

    init() throws {
        context = try Shelf().context()
        let context = context
        try context.performAndWait {
            for (pages, weight) in [(1, 0.5), (2, .infinity), (3, -.infinity)] {
                let book = NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: context)
                book.setValuesForKeys([
                    "pageCount": pages, "weight": weight, "price": NSDecimalNumber(value: pages),
                    "printed": Date(timeIntervalSinceReferenceDate: 0), "title": "\(pages)",
                ])
            }
            try context.save()
        }
    }

    private func count(_ format: String, _ arguments: Any...) throws -> Int {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
            request.predicate = NSPredicate(format: format, argumentArray: arguments)
            let count = try context.count(for: request)
            // The text of a statement is kept for other constants.
            try expect(context.fetch(request).count, equals: count)
            return count
        }
    }

    @Test(arguments: [1e13, 1e300, .infinity])
    func datesBeyondTheServers(seconds: Double) throws {
        let (late, early) = (
            Date(timeIntervalSinceReferenceDate: seconds), Date(timeIntervalSinceReferenceDate: -seconds)
        )
        try expect(count("printed < %@", late), equals: 3)
        try expect(count("printed > %@", late), equals: 0)
        try expect(count("printed == %@", late), equals: 0)
        try expect(count("printed != %@", early), equals: 3)
        try expect(count("printed BETWEEN {%@, %@}", early, late), equals: 3)
        try expect(
            count("printed IN {%@, %@, %@}", early, late, Date(timeIntervalSinceReferenceDate: 0)), equals: 3)
        try expect(count("printed <= %@", early), equals: 0)
    }

    @Test func aDateThatIsNone() throws {
        let none = Date(timeIntervalSinceReferenceDate: .nan)
        for op in ["==", "<", "<=", ">", ">="] { try expect(count("printed \(op) %@", none), equals: 0) }
        let context = context
        try context.performAndWait {
            let book = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "PrintedBook"))[0]
            book.setValue(none, forKey: "printed")
            try context.save()
        }
        // As in SQLite.
        try expect(count("printed == nil"), equals: 1)
    }

    @Test(arguments: ["price", "pageCount", "weight"])
    func aDecimalThatIsNoNumber(key: String) throws {
        let none = NSDecimalNumber.notANumber
        for op in ["==", "<", "<=", ">", ">="] { try expect(count("\(key) \(op) %@", none), equals: 0) }
        try expect(count("\(key) BETWEEN {0, %@}", none), equals: 0)
        try expect(count("pageCount IN {%@, 1}", none), equals: 1)
    }

    @Test(arguments: [
        "weight - weight > 0", "weight * 0 > 1", "weight / weight > 2", "weight + (0 - weight) > 1",
    ])
    func whatIsNoNumberIsNil(format: String) throws {
        try expect(count(format), equals: 0)
    }

    // MARK: Zero characters, which no text of the server's has

    private func expectRefusal(_ subject: String, _ body: () throws -> Void) {
        let error = #expect(throws: NSError.self, "\(subject)") { try body() }
        expect(
            error.map { "\($0)".contains("zero character") }, equals: true,
            "\(subject): \(error.debugDescription)")
    }

    @Test func textsWithAZeroCharacterAreRefused() throws {
        let context = context
        let text = "a\u{0}b"
        func book() -> NSManagedObject {
            NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: context)
        }
        context.performAndWait {
            // Two rows and more go in by COPY.
            for count in [1, 3] {
                expectRefusal("inserting \(count)") {
                    for number in 0..<count { book().setValue("\(number)" + text, forKey: "title") }
                    try context.save()
                }
                context.rollback()
            }
            expectRefusal("changing") {
                let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "PrintedBook"))
                found[0].setValue(text, forKey: "title")
                try context.save()
            }
            context.rollback()
            expectRefusal("batch insertion") {
                try context.execute(
                    NSBatchInsertRequest(
                        entityName: "PrintedBook", objects: [["title": text], ["title": "x"]]))
            }
            expectRefusal("batch update") {
                let update = NSBatchUpdateRequest(entityName: "PrintedBook")
                update.propertiesToUpdate = ["title": text]
                update.predicate = NSPredicate(format: "title == '1'")
                try context.execute(update)
            }
        }
        for format in [
            "title == %@", "title != %@", "title CONTAINS %@", "title BEGINSWITH[cd] %@", "title LIKE %@",
        ] {
            expectRefusal(format) { _ = try count(format, text) }
        }
        expectRefusal("IN") { _ = try count("title IN %@", [text, "1"]) }
        try expect(count("title IN {'1', '2', '3'}"), equals: 3)
        try expect(count("TRUEPREDICATE"), equals: 3)
    }
}
