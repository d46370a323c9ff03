// The memory of the framework's objects and lists, in bytes of the heap: exact, and the same in every run.

import CRawSQLite
import CoreData
import Foundation

/// One measurement with its limit.
struct MemoryCase {
    let name: String
    let bytes: Double
    let limit: Double
    let unit: String
}

enum Memory {
    static func measure(in folder: URL) throws -> [MemoryCase] {
        let (_, items) = try FetchIntegers.files(in: folder)
        let large = try LargeResults.store(in: folder)
        return try [try fetchedObject(items), try millionIDs(large)]
            + grown(
                "W9: growth at its peak over plain SQLite's", { _ = try LargeResults.batched(large) },
                beside: { _ = try LargeResults.raw(large.path) })
            + grown(
                "migration of \(LargeResults.rowCount) rows: growth at its peak over the statements'",
                { _ = try Migrations.inPlace(large) }, beside: { _ = try Migrations.byHand(large) })
    }

    /// Bytes of the heap in use.
    private static var heap: Double {
        let use = mallinfo2()
        return Double(use.uordblks + use.hblkhd)
    }

    private static func fetchedObject(_ url: URL) throws -> MemoryCase {
        let context = try Stack.context(Stack.integers(FetchIntegers.names), url)
        // The first fetch fills caches, which don't count.
        let first = NSFetchRequest<Item>(entityName: "Item")
        first.fetchLimit = 1
        _ = try context.fetch(first)
        let before = heap
        let items = try context.fetch(NSFetchRequest<Item>(entityName: "Item"))
        var sum: Int64 = 0
        for item in items { sum &+= item.i0 }
        let taken = heap - before
        precondition(sum > 0, "Everything was read.")
        return MemoryCase(
            name: "a fetched object of ten integers, with its place in the identity map",
            bytes: taken / Double(items.count), limit: 230, unit: "bytes")
    }

    private static func millionIDs(_ url: URL) throws -> MemoryCase {
        let context = try Stack.context(Stack.integers(FetchIntegers.names), url)
        let request = NSFetchRequest<NSManagedObjectID>(entityName: "Item")
        request.resultType = .managedObjectIDResultType
        let before = heap
        let ids = try context.fetch(request)
        let taken = heap - before
        return withExtendedLifetime(ids) {
            MemoryCase(name: "\(ids.count) object IDs", bytes: taken / 1_048_576, limit: 64, unit: "MB")
        }
    }

    /// Returns the difference between the most memory that the process holds during some
    /// work and during other work.
    private static func grown(
        _ name: String, _ work: () throws -> Void, beside other: () throws -> Void
    ) throws -> [MemoryCase] {
        let plain = try Clock.growth(other)
        let ours = try Clock.growth(work)
        return [
            MemoryCase(name: name, bytes: max(0, ours.own - plain.own), limit: 20, unit: "MB"),
            MemoryCase(
                name: name + ", with pages of the file that SQLite maps", bytes: max(0, ours.all - plain.all),
                limit: 20, unit: "MB"),
        ]
    }
}
