// Many contexts in several processes that change one object.

import CoreData
import CoreDataPostgreSQL
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLContentionTests {
    /// 16 contexts in 4 processes; COREDATA_LONG_TESTS=1 has them count to 10,000.
    @Test func noIncrementIsLost() async throws {
        let shelf = try Shelf()
        let context = try shelf.context()
        try context.performAndWait {
            let book = NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: context)
            book.setValuesForKeys(["title": "Counter", "pageCount": 0])
            try context.save()
        }
        let (address, schema, count) = (shelf.server.address(), shelf.schema, rounds(10, long: 625))
        func process() async {
            await #expect(processExitsWith: .success) {
                [address = address as String, schema = schema as String, count = count as Int] in
                try Counting.run(address, schema, contexts: 4, increments: count)
            }
        }
        async let first: Void = process()
        async let second: Void = process()
        async let third: Void = process()
        await process()
        _ = await (first, second, third)
        try expect(
            shelf.rows("SELECT page_count, object_version FROM printed_book"),
            equals: ["\(16 * count)|\(16 * count + 1)"])
    }
}

/// The work of one process.
private enum Counting {
    static func run(_ address: String, _ schema: String, contexts: Int, increments: Int) throws {
        let failure = Mutex<(any Error)?>(nil)
        DispatchQueue.concurrentPerform(iterations: contexts) { _ in
            do {
                try count(to: increments, NSPersistentStoreDescription(postgreSQL: address, schema: schema))
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let failure = failure.withLock({ $0 }) { throw failure }
    }

    /// Adds one again and again, from what is there if somebody else was quicker.
    private static func count(to increments: Int, _ description: NSPersistentStoreDescription) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Shelf.model())
        try coordinator.addPersistentStore(
            ofType: description.type, configurationName: nil, at: description.url,
            options: description.options)
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            guard
                let book = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")).first
            else { throw CocoaError(.coderValueNotFound) }
            for _ in 0..<increments {
                while true {
                    book.setValue((book.value(forKey: "pageCount") as? Int ?? 0) + 1, forKey: "pageCount")
                    do {
                        try context.save()
                        break
                    } catch let error as NSError where error.code == NSManagedObjectMergeError {
                        context.refresh(book, mergeChanges: false)
                    }
                }
            }
        }
    }
}
