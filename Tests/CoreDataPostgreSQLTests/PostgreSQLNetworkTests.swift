// Networks that swallow what is sent without an error.

import CoreData
import CoreDataPostgreSQL
import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataTestSupport
import Foundation
import Testing

@Suite(.enabled(if: PostgreSQLServer.isAvailable, "\(PostgreSQLServer.requirement)"))
struct PostgreSQLNetworkTests {
    private let shelf: Shelf
    private let relay: StatementRelay

    init() throws {
        shelf = try Shelf()
        relay = try StatementRelay(to: shelf.server)
    }

    /// A context whose one connection goes through the relay, and waits half a second for a sign of life.
    private func context() throws -> NSManagedObjectContext {
        let description = NSPersistentStoreDescription(
            postgreSQL: "host=\(relay.folder) user=tester dbname=postgres application_name=\(shelf.schema) "
                + "tcp_user_timeout=500 connect_timeout=2",
            schema: shelf.schema)
        description.setOption(NSNumber(value: 0), forKey: PostgreSQLStore.readerLimitOption)
        return try shelf.context(description)
    }

    private func insert(_ title: String, _ context: NSManagedObjectContext) -> NSManagedObject {
        let book = NSEntityDescription.insertNewObject(forEntityName: "PrintedBook", into: context)
        let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
        book.setValuesForKeys(["title": title, "tags": NSSet(object: tag)])
        return book
    }

    private var counts: [String] {
        get throws {
            try shelf.rows(
                "SELECT (SELECT count(*) FROM printed_book), (SELECT count(*) FROM tag), "
                    + "(SELECT count(*) FROM printed_book_tags)")
        }
    }

    /// The number of statements of a save as the following tests do it.
    private func statements(of context: NSManagedObjectContext) throws -> Int {
        _ = insert("First", context)
        try context.save()
        _ = insert("Second", context)
        relay.arm(nil)
        try context.save()
        return relay.counts.statements
    }

    @Test(arguments: [StatementRelay.Fault.hang, .hangAnswer])
    func aSaveWhoseCommitHangsIsKnownAgain(_ fault: StatementRelay.Fault) throws {
        let context = try context()
        try context.performAndWait {
            let commit = try statements(of: context)
            let book = insert("Third", context)
            relay.arm(fault, at: commit)
            let error = #expect(throws: NSError.self) { try context.save() }
            #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSPersistentStoreSaveError)
            expect(error?.userInfo[PostgreSQLStore.outcomeUnknownKey] as? Bool, equals: true)
            #expect(book.isInserted && context.hasChanges)
            // Nothing is written before the outcome is known.
            #expect(throws: NSError.self) { try context.save() }
            relay.arm(nil)
            try context.save()
            try expect(counts, equals: ["3|3|3"])
            #expect(!book.isInserted && !context.hasChanges)
            // The object is the row that there is.
            book.setValue(7, forKey: "pageCount")
            try context.save()
            try expect(
                shelf.rows("SELECT object_version, page_count FROM printed_book WHERE title = 'Third'"),
                equals: ["2|7"])
        }
    }

    @Test func anotherSaveAfterOneOfUnknownOutcomeIsMade() throws {
        let (context, other) = (try context(), try shelf.context())
        try context.performAndWait {
            let commit = try statements(of: context)
            _ = insert("Third", context)
            relay.arm(.hangAnswer, at: commit)
            #expect(throws: NSError.self) { try context.save() }
            relay.arm(nil)
            context.rollback()
            _ = insert("Fourth", context)
            try context.save()
            try expect(counts, equals: ["4|4|4"])
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
        try expect(other.performAndWait { try other.count(for: request) }, equals: 4)
    }

    @Test(arguments: [StatementRelay.Fault.hang, .hangAnswer])
    func aFetchThatHangsFailsAndTheNextOneReads(_ fault: StatementRelay.Fault) throws {
        let context = try context()
        try context.performAndWait {
            _ = insert("First", context)
            try context.save()
            let request = NSFetchRequest<NSManagedObject>(entityName: "PrintedBook")
            relay.arm(fault, at: 1)
            #expect(throws: NSError.self) { try context.fetch(request) }
            relay.arm(nil)
            try expect(context.fetch(request).count, equals: 1)
        }
    }

    @Test func aServerThatTakesItsTimeIsWaitedFor() async throws {
        let context = try context()
        try context.performAndWait { try shelf.fill(context) }
        let (locker, saving) = try await shelf.saveThatWaits(context)
        // Much longer than the connection may be silent. A busy machine must answer within that when the server is asked.
        try await Task.sleep(for: .seconds(3))
        try locker.run("COMMIT")
        try await saving.value
        try expect(shelf.rows("SELECT name FROM author"), equals: ["Mary"])
    }

    /// The server has the statement, and not the end of the pipeline behind it: until then it calls its process active.
    @Test func aConnectionThatAloneHangsIsGivenUp() throws {
        let address = try ServerAddress(
            parsing: "host=\(relay.folder) user=tester dbname=postgres tcp_user_timeout=1000 "
                + "connect_timeout=10")
        let connection = try ServerConnection(address)
        relay.arm(.hangAnswerAlone, at: 1)
        defer { relay.arm(nil) }
        let failure = #expect(throws: ServerFailure.self) { try connection.run("SELECT 1") }
        expect(failure?.kind, equals: .connection)
        expect(failure?.message, equals: "The server has ended what it was at, and its answer didn't come.")
        #expect(connection.isBroken)
    }
}
