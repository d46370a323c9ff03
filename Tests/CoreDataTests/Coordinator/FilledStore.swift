// Stores of people with names and large portraits, and what must be true of their files.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

/// A store of `StoreFixtures.model()`, whose people are called after the store.
struct FilledStore {
    let url: URL
    let type: String

    init(_ url: URL, type: String = NSSQLiteStoreType) {
        (self.url, self.type) = (url, type)
    }

    /// Every fifth portrait is too large for the table.
    static func portrait(_ number: Int) -> Data {
        Data(repeating: UInt8(truncatingIfNeeded: number), count: number % 5 == 0 ? 200_000 : 100)
    }

    func open(_ options: [AnyHashable: Any]? = nil) throws -> NSPersistentStoreCoordinator {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: StoreFixtures.model())
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: url, options: options)
        return coordinator
    }

    static func insert(_ name: String, _ numbers: Range<Int>, _ coordinator: NSPersistentStoreCoordinator)
        throws
    {
        let context = StoreFixtures.context(coordinator)
        try context.performAndWait {
            for number in numbers {
                let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
                person.setValue("\(name) \(number)", forKey: "name")
                person.setValue(Self.portrait(number), forKey: "portrait")
                person.setValue(Int32(number), forKey: "age")
            }
            try context.save()
        }
    }

    /// Makes the store and closes it.
    func make(_ name: String, _ count: Int, options: [AnyHashable: Any]? = nil) throws {
        let coordinator = try open(options)
        try Self.insert(name, 0..<count, coordinator)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// The names that people have but for their numbers, with how many have them. Expects their portraits to be there.
    func contents() throws -> [String: Int] {
        let coordinator = try open()
        defer { for store in coordinator.persistentStores { try? coordinator.remove(store) } }
        if type == NSSQLiteStoreType {
            for store in coordinator.persistentStores { try expect(coordinator.verify(store), equals: []) }
        }
        return try Self.contents(coordinator)
    }

    static func contents(_ coordinator: NSPersistentStoreCoordinator) throws -> [String: Int] {
        let context = StoreFixtures.context(coordinator)
        return try context.performAndWait {
            var names: [String: Int] = [:]
            for person in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person")) {
                let number = Int(person.value(forKey: "age") as? Int32 ?? -1)
                expect(person.value(forKey: "portrait") as? Data, equals: portrait(number))
                let name = person.value(forKey: "name") as? String ?? ""
                names[String(name.prefix { $0 != " " }), default: 0] += 1
            }
            return names
        }
    }

    /// The names of all files in a folder, those of external values as how many there are.
    static func files(in folder: URL) throws -> [String] {
        let paths = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
        let external = paths.count { $0.contains("_EXTERNAL_DATA/") }
        let rest = paths.filter { !$0.contains("_SUPPORT") }.sorted()
        return external == 0 ? rest : rest + ["\(external) external"]
    }

    /// Makes what killed processes left look old enough to be removed.
    static func age(_ folder: URL) throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name.hasPrefix(".")
        {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -3600)],
                ofItemAtPath: folder.appendingPathComponent(name).path)
        }
    }
}

/// Counts the stores that notifications of a coordinator name.
final class StoreNotes: @unchecked Sendable {  // posted on the thread that the test waits on
    private(set) var leaving: [NSPersistentStore] = []
    private(set) var removed: [NSPersistentStore] = []
    private var tokens: [any NSObjectProtocol] = []

    init(_ coordinator: NSPersistentStoreCoordinator) {
        let center = NotificationCenter.default
        tokens = [
            center.addObserver(
                forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: nil, queue: nil
            ) { [unowned self, unowned coordinator] in
                guard ($0.object as? NSPersistentStore)?.persistentStoreCoordinator === coordinator else {
                    return
                }
                leaving += $0.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore] ?? []
            },
            center.addObserver(
                forName: .NSPersistentStoreCoordinatorStoresDidChange, object: coordinator, queue: nil
            ) { [unowned self] in
                removed += $0.userInfo?[NSRemovedPersistentStoresKey] as? [NSPersistentStore] ?? []
            },
        ]
    }

    deinit { tokens.forEach(NotificationCenter.default.removeObserver) }
}
