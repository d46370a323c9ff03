// A store that tracks its history, and what tests ask of it.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// A coordinator with a store that tracks its history, and a context.
final class HistoryFixture {
    let folder: TemporaryFolder
    let url: URL
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    let context: NSManagedObjectContext

    static var tracking: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

    /// A new store, or one more coordinator on the store of another fixture.
    init(
        _ model: NSManagedObjectModel = CompanyModel.make(), on kind: StoreKind = .tracked,
        beside other: HistoryFixture? = nil, options: [AnyHashable: Any] = HistoryFixture.tracking
    ) throws {
        StoreKind.register()
        folder = try other?.folder ?? TemporaryFolder()
        let type = other?.store.type ?? kind.type
        url = try #require(try StoreKind.place(type, folder, "History.sqlite"))
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: options)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// Makes a note in a transaction of its own.
    @discardableResult
    func saveNote(_ text: String, by author: String? = nil) throws -> NSManagedObject {
        try context.run { () throws in
            context.transactionAuthor = author
            let note = context.make("Note", ["text": text])
            try context.save()
            return note
        }
    }

    func result(_ request: NSPersistentHistoryChangeRequest) throws -> Any? {
        try context.run { () throws in
            try #require(try context.execute(request) as? NSPersistentHistoryResult).result
        }
    }

    func transactions(
        _ request: NSPersistentHistoryChangeRequest = .fetchHistory(
            after: nil as NSPersistentHistoryToken?)
    ) throws -> [NSPersistentHistoryTransaction] {
        try #require(try result(request) as? [NSPersistentHistoryTransaction])
    }

    /// The transactions that a format finds.
    func transactions(_ format: String, _ arguments: Any...) throws -> [NSPersistentHistoryTransaction] {
        let fetch = try #require(NSPersistentHistoryTransaction.fetchRequest)
        fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
        return try transactions(.fetchHistory(withFetch: fetch))
    }

    /// The changes that a format finds.
    func changes(_ format: String, _ arguments: Any...) throws -> [NSPersistentHistoryChange] {
        let fetch = try #require(NSPersistentHistoryChange.fetchRequest)
        fetch.predicate = NSPredicate(format: format, argumentArray: arguments)
        let request = NSPersistentHistoryChangeRequest.fetchHistory(withFetch: fetch)
        request.resultType = .changesOnly
        return try #require(try result(request) as? [NSPersistentHistoryChange])
    }

    func token() throws -> NSPersistentHistoryToken {
        try #require(coordinator.currentPersistentHistoryToken(fromStores: nil))
    }

    func plain() throws -> PlainDatabase { try PlainDatabase(url) }
}
