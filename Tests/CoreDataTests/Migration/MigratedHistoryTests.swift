// The history of a store that a mapping model made anew begins anew, and whoever followed the old one learns of it.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct MigratedHistoryTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.file("Store.sqlite") }
    private let tracking: [AnyHashable: Any] = [NSPersistentHistoryTrackingKey: true]

    init() throws {
        folder = try TemporaryFolder()
    }

    private func token(_ context: NSManagedObjectContext) throws -> NSPersistentHistoryToken {
        let coordinator = try #require(context.persistentStoreCoordinator)
        return try #require(coordinator.currentPersistentHistoryToken(fromStores: nil))
    }

    private func transactions(
        after token: NSPersistentHistoryToken?, _ context: NSManagedObjectContext
    ) throws -> Int {
        try context.performAndWait {
            let result = try context.execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token))
            let found = try #require(result as? NSPersistentHistoryResult).result
            return try #require(found as? [NSPersistentHistoryTransaction]).count
        }
    }

    private func save(_ count: Int, _ entity: String, _ context: NSManagedObjectContext) throws {
        try context.performAndWait {
            for _ in 0..<count {
                _ = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
                try context.save()
            }
        }
    }

    private func hasExpired(_ token: NSPersistentHistoryToken, _ context: NSManagedObjectContext) -> Bool {
        let error = #expect(throws: CocoaError.self) { try transactions(after: token, context) }
        return error?.errorCode == NSPersistentHistoryTokenExpiredError
    }

    @Test func tokensOfTheFormerHistoryHaveExpired() throws {
        let old = try LibraryModels.open(url, LibraryModels.first(), options: tracking)
        try save(2, "Book", old)
        let early = try token(old)
        try save(2, "Book", old)
        let last = try token(old)
        try expect(transactions(after: early, old), equals: 2)
        try LibraryModels.close(old)
        try LibraryModels.replace(url.path, options: tracking)
        let new = try LibraryModels.open(url, LibraryModels.second(), options: tracking)
        try expect(LibraryModels.count("Book", new), equals: 4)
        try expect(transactions(after: nil, new), equals: 0)
        #expect(hasExpired(early, new) && hasExpired(last, new))
        let begin = try token(new)
        // However many transactions follow, none is taken for one of the former history.
        try save(6, "Reader", new)
        #expect(hasExpired(early, new) && hasExpired(last, new))
        try expect(transactions(after: begin, new), equals: 6)
        try LibraryModels.close(new)
    }

    /// A migration to another place makes another store: what a token says of the old one doesn't concern it.
    @Test func aStoreInAnotherPlaceIsAnotherStore() throws {
        let old = try LibraryModels.open(url, LibraryModels.first(), options: tracking)
        try save(2, "Book", old)
        let identifier = old.persistentStoreCoordinator?.persistentStores.first?.identifier
        try LibraryModels.close(old)
        let manager = NSMigrationManager(
            sourceModel: LibraryModels.first(), destinationModel: LibraryModels.second())
        NSEntityMigrationPolicy.register(BookPolicy.self)
        NSEntityMigrationPolicy.register(NamePolicy.self, name: "Library.NamePolicy")
        let place = folder.file("Other.sqlite")
        try manager.migrateStore(
            from: url, type: .sqlite, options: tracking,
            mapping: LibraryModels.mapping(manager.sourceModel, manager.destinationModel), to: place,
            type: .sqlite, options: tracking)
        let new = try LibraryModels.open(place, LibraryModels.second(), options: tracking)
        #expect(new.persistentStoreCoordinator?.persistentStores.first?.identifier != identifier)
        try expect(transactions(after: nil, new), equals: 0)
        try LibraryModels.close(new)
        try LibraryModels.replace(url.path, options: tracking)
        let replaced = try LibraryModels.open(url, LibraryModels.second(), options: tracking)
        expect(replaced.persistentStoreCoordinator?.persistentStores.first?.identifier, equals: identifier)
        try LibraryModels.close(replaced)
    }
}
