// The history of a store in a database, as readers on several hosts follow it.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLHistoryTests {
    private let shelf: Shelf

    init() throws { shelf = try Shelf() }

    private func context(_ model: NSManagedObjectModel? = nil) throws -> NSManagedObjectContext {
        try shelf.context(shelf.description(with: NSPersistentHistoryTrackingKey), model)
    }

    private func transactions(
        _ context: NSManagedObjectContext, after token: NSPersistentHistoryToken?
    ) throws -> [NSPersistentHistoryTransaction] {
        try context.performAndWait {
            let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
            return try #require(
                (result as? NSPersistentHistoryResult)?.result as? [NSPersistentHistoryTransaction])
        }
    }

    private func token(_ context: NSManagedObjectContext) throws -> NSPersistentHistoryToken {
        try #require(context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil))
    }

    private func saveTag(_ name: String, _ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
                .setValue(name, forKey: "name")
            try context.save()
        }
    }

    @Test func transactionsSayWhoChangedWhat() throws {
        let model = Shelf.model()
        for (name, attribute) in model.entities[1].attributesByName where name != "cover" {
            attribute.preservesValueInHistoryOnDeletion = true
        }
        let context = try context(model)
        (context.transactionAuthor, context.name) = ("importer", "main")
        let start = try token(context)
        try shelf.fill(context)
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
            let books = try context.fetch(request)
            for book in books { book.setValue(5, forKey: "pageCount") }
            try context.save()
            for book in books { context.delete(book) }
            try context.save()
        }
        let found = try transactions(context, after: start)
        expect(found.map { $0.changes?.count }, equals: [4, 2, 4])
        #expect(found.allSatisfy { $0.author == "importer" && $0.contextName == "main" })
        expect(found.map(\.transactionNumber), equals: found.map(\.transactionNumber).sorted())
        #expect(abs(try #require(found.first).timestamp.timeIntervalSinceNow) < 60)
        expect(found[1].changes?.first?.updatedProperties?.map(\.name), equals: ["pageCount"])
        let left = try #require(
            found[2].changes?.compactMap(\.tombstone).first { $0["title"] as? String == "Frankenstein" })
        expect(left["price"] as? Decimal, equals: Decimal(string: "9.99"))
        expect(left["printed"] as? Date, equals: Date(timeIntervalSinceReferenceDate: -5_773_852_800.5))
        #expect(left["weight"] as? Double == 0.1 && left["isSold"] as? Bool == true)
        expect((left["key"] as? UUID)?.uuidString.hasPrefix("6F0E4D6C"), equals: true)
        try expect(token(context), equals: found.last?.token)
        #expect(try transactions(context, after: token(context)).isEmpty)
    }

    /// One save begins before another one and is committed after it, and after somebody has read on.
    @Test func aTransactionThatIsCommittedLateIsNotSkipped() async throws {
        let (late, early) = (try context(), try context())
        try shelf.fill(late)
        let start = try token(early)
        let (locker, saving) = try await shelf.saveThatWaits(late)
        try saveTag("early", early)
        let meanwhile = try transactions(early, after: start)
        #expect(meanwhile.isEmpty, "the other one may still come before it")
        let place = try token(early)
        try locker.run("COMMIT")
        try await saving.value
        let found = try transactions(early, after: meanwhile.last?.token ?? place)
        expect(
            found.flatMap { $0.changes ?? [] }.map { $0.changedObjectID.entity.name },
            equals: ["Author", "Tag"])
    }

    @Test func otherTransactionsOnTheServerHideNothing() throws {
        let context = try context()
        let start = try token(context)
        let other = try shelf.connection()
        try other.run("BEGIN")
        try other.run("SELECT pg_current_xact_id()::text")
        try saveTag("a", context)
        try expect(transactions(context, after: start).count, equals: 1)
        #expect(try token(context) != start)
        try other.run("ROLLBACK")
    }

    @Test func tokensExpireWithWhatIsDeleted() throws {
        let context = try context()
        let start = try token(context)
        for name in ["a", "b", "c"] { try saveTag(name, context) }
        let all = try transactions(context, after: start)
        try context.performAndWait {
            let request = NSPersistentHistoryChangeRequest.deleteHistory(before: all[2])
            request.resultType = .count
            let result = try context.execute(request) as? NSPersistentHistoryResult
            expect(result?.result as? Int, equals: 2)
        }
        try expect(transactions(context, after: all[1].token).count, equals: 1)
        #expect(throws: (any Error).self) { try transactions(context, after: start) }
        #expect(throws: (any Error).self) { try transactions(context, after: all[0].token) }
        try context.performAndWait {
            _ = try context.execute(
                NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
        }
        #expect(try transactions(context, after: all[2].token).isEmpty)
        try expect(token(context), equals: all[2].token)
        try saveTag("d", context)
        try expect(transactions(context, after: all[2].token).count, equals: 1)
        try expect(shelf.rows("SELECT count(*) FROM coredata_\(shelf.schema).history_change"), equals: ["1"])
    }

    /// A database that was moved to a server that has given out fewer numbers.
    @Test func numbersAscendOnAnotherServer() throws {
        let schema = "coredata_\(shelf.schema)"
        try saveTag("a", try context())
        _ = try shelf.rows(
            """
            WITH t AS (INSERT INTO \(schema).history_transaction (number, time) \
            SELECT 9000000000000, now() RETURNING number), \
            c AS (UPDATE \(schema).history_change SET transaction_number = 9000000000000 RETURNING 1) \
            SELECT number FROM t
            """)
        let context = try context()
        try saveTag("b", context)
        let found = try transactions(context, after: nil)
        #expect(found.count == 3 && found[2].transactionNumber > 9_000_000_000_000)
    }

    @Test func aStoreWithHistoryIsOnlyReadWithoutTracking() throws {
        try saveTag("a", try context())
        let other = try shelf.context()
        let error = try #require(throws: NSError.self) { try saveTag("b", other) }
        expect(error.localizedFailureReason?.contains("NSPersistentHistoryTrackingKey"), equals: true)
        try expect(shelf.rows("SELECT name FROM tag"), equals: ["a"])
    }
}
