// Faults that are fired one after the other share a read transaction, which ends with the block.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct LookUpsTests {
    private let container: StoreContainer
    private let url: URL
    private let ids: [NSManagedObjectID]

    init() throws {
        container = try StoreKind.sqlite.makeContainer()
        url = try #require(container.persistentStoreCoordinator.persistentStores.first?.url)
        let context = container.newBackgroundContext()
        ids = try context.run { () throws in
            let company = context.make("Company", ["name": "Acme"])
            let people = (1...9).map { context.make("Person", ["level": $0, "company": company]) }
            try context.save()
            return people.map(\.objectID)
        }
    }

    private func level(_ number: Int, _ context: NSManagedObjectContext) -> Int? {
        let person = context.object(with: ids[number - 1])
        context.refresh(person, mergeChanges: false)
        return person.value(forKey: "level") as? Int
    }

    /// Indicates whether somebody reads, so that the log can't be emptied.
    private func isRead() throws -> Bool {
        try PlainDatabase(url).rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == .integer(1)
    }

    /// Puts something into the log, which isn't needed by those who read a log that is empty.
    private func fillLog() throws {
        try PlainDatabase(url).rows("UPDATE ZPERSON SET ZAGE = IFNULL(ZAGE, 0) + 1")
    }

    private func readAll(_ context: NSManagedObjectContext) {
        for number in 1...9 { expect(level(number, context), equals: number) }
    }

    /// Reads until the transaction is seen, which ends by itself a moment after each reading.
    private func readUntilRead(_ context: NSManagedObjectContext) throws {
        repeat {
            try fillLog()
            readAll(context)
        } while try !isRead()
    }

    @Test(.timeLimit(.minutes(20))) func aTransactionEndsWithTheBlock() throws {
        let context = container.newBackgroundContext()
        // Not by itself each time.
        for _ in 1...50 {
            try context.run { () throws in try readUntilRead(context) }
            #expect(try !isRead())
        }
    }

    @Test func aTransactionEndsWithAnAsynchronousBlock() async throws {
        let context = container.newBackgroundContext()
        let ids = ids
        for _ in 1...50 {
            try fillLog()
            await context.perform {
                for id in ids {
                    context.refresh(context.object(with: id), mergeChanges: false)
                    _ = context.object(with: id).value(forKey: "level")
                }
            }
            #expect(try !isRead())
        }
    }

    @Test(.timeLimit(.minutes(20))) func aTransactionEndsByItselfWhereNoBlockDoes() throws {
        let context = container.newBackgroundContext()
        try context.run { () throws in
            try readUntilRead(context)
            // The block goes on, but nothing is read any more.
            while try isRead() { usleep(1000) }
            readAll(context)
        }
    }

    @Test func savesOfOthersAreSeenAtOnce() throws {
        let context = container.newBackgroundContext()
        let database = try PlainDatabase(url)
        try context.run { () throws in
            readAll(context)
            for value in 10...20 {
                try database.rows(
                    "UPDATE ZPERSON SET ZLEVEL = \(value) WHERE ZLEVEL = \(value == 10 ? 4 : value - 1)")
                expect(level(4, context), equals: value)
                expect(level(5, context), equals: 5)
            }
        }
    }

    @Test func savesOfTheSameStoreAreSeenAtOnce() throws {
        let (context, writer) = (container.newBackgroundContext(), container.newBackgroundContext())
        try context.run { () throws in
            readAll(context)
            for value in 10...20 {
                try writer.run { () throws in
                    writer.object(with: ids[3]).setValue(value, forKey: "level")
                    try writer.save()
                }
                expect(level(4, context), equals: value)
            }
        }
    }

    @Test func membersAreReadInTheSameTransaction() throws {
        let context = container.newBackgroundContext()
        let database = try PlainDatabase(url)
        try context.run { () throws in
            let company = try #require(
                try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Company")).first)
            for count in (5...9).reversed() {
                context.refresh(company, mergeChanges: false)
                expect((company.value(forKey: "people") as? NSSet)?.count, equals: count)
                readAll(context)
                try database.rows("UPDATE ZPERSON SET ZCOMPANY = NULL WHERE ZLEVEL = \(count)")
            }
        }
    }
}
