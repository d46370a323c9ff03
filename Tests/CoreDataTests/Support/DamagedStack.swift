// A store with a damaged page: opening and most rows work, some rows can't be read.

@testable import CoreData
import CoreDataSupport
import CoreDataTestSupport
import Foundation
import Synchronization
import Testing

/// A company with 60 people, each with two notes, over many pages, in a store that was closed and opened again.
final class DamagedStack {
    let folder: TemporaryFolder
    let url: URL
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    private var damaged: (offset: Int, bytes: Data)?

    init() throws {
        let stack = try TestStack()
        try stack.context.run { () throws in
            let company = stack.context.make("Company", ["name": "Acme of " + Self.filler])
            for number in 0..<60 {
                let person = stack.context.make(
                    "Person", ["name": "person \(number) \(Self.filler)", "age": 40, "company": company])
                let notes = (0..<2).map {
                    stack.context.make("Note", ["text": "note \(number).\($0) \(Self.filler)"])
                }
                person.setValue(NSOrderedSet(array: notes), forKey: "notes")
            }
            try stack.context.save()
        }
        (folder, url) = (stack.folder, stack.url)
        for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
        try PlainDatabase(url).rows("PRAGMA wal_checkpoint(TRUNCATE)")
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: CompanyModel.make())
        try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    static let filler = String(repeating: "x", count: 300)

    func another() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// A fault of the row whose name or text begins so, of which nothing but the key is known.
    func fault(_ entity: String, _ beginning: String, in other: NSManagedObjectContext? = nil) throws
        -> NSManagedObject
    {
        let key = entity == "Note" ? "text" : "name"
        let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
        request.resultType = .managedObjectIDResultType
        request.predicate = NSPredicate(format: "%K BEGINSWITH %@", key, beginning + " ")
        let found = try another().run { () throws in try request.execute() }
        return (other ?? context).object(with: try #require(found.first))
    }

    /// Makes the page with a text unreadable.
    func damage(_ text: String) throws {
        let file = try Data(contentsOf: url)
        let size = Int(file[16]) << 8 | Int(file[17])
        let place = try #require(file.range(of: Data(text.utf8), options: .backwards)).lowerBound
        let offset = place / size * size
        damaged = (offset, file[offset..<offset + 8])
        try write(Data(repeating: 0xFF, count: 8), at: offset)
    }

    /// Makes it readable again.
    func repair() throws {
        guard let damaged else { return }
        try write(damaged.bytes, at: damaged.offset)
    }

    /// Another process's write, after which SQLite reads pages from the file again.
    private func write(_ bytes: Data, at offset: Int) throws {
        let file = try FileHandle(forWritingTo: url)
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: bytes)
        try file.close()
        try PlainDatabase(url).rows("UPDATE Z_METADATA SET Z_VERSION = Z_VERSION")
    }

    func rows(_ sql: String) throws -> [[PlainValue]] { try PlainDatabase(url).rows(sql) }
}

/// Returns the library's warnings while the closure runs.
func warnings(_ body: () throws -> Void) rethrows -> [String] {
    let said = Mutex<[String]>([])
    try Log.$sink.withValue(Log.Sink { text in said.withLock { $0.append(text) } }) { try body() }
    return said.withLock { $0 }
}

/// The error that a call throws.
func error(of body: () throws -> Void) -> NSError? {
    do {
        try body()
        return nil
    } catch {
        return error as NSError
    }
}
