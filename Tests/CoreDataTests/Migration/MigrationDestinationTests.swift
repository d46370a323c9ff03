// The places that a migration manager can write a store to.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct MigrationDestinationTests {
    enum Place: String, CaseIterable {
        case destroyed, withoutBytes
    }

    private static let cases = ([StoreKind.sqlite, .xml, .binary] + StoreKind.onServers).flatMap { kind in
        Place.allCases.filter { $0 == .destroyed || kind != .postgreSQL }.map { (kind, $0) }
    }

    init() {
        NSEntityMigrationPolicy.register(BookPolicy.self)
        NSEntityMigrationPolicy.register(NamePolicy.self, name: "Library.NamePolicy")
    }

    /// A loop over versions destroys what it wrote last time, or makes a temporary file, and writes there.
    @Test(arguments: cases)
    func placesWithoutStoreAreWrittenTo(_ kind: StoreKind, _ place: Place) throws {
        let container = try kind.makeContainer(LibraryModels.first())
        try LibraryModels.fill(container.newBackgroundContext(), books: 12)
        let url = try #require(container.store.url)
        try container.persistentStoreCoordinator.remove(container.store)
        let destination = try #require(try StoreKind.place(kind.type, container.folder, "Next"))
        let type = NSPersistentStore.StoreType(rawValue: kind.type)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModels.second())
        if place == .destroyed {
            try coordinator.remove(coordinator.addPersistentStore(type: type, at: destination))
            try coordinator.destroyPersistentStore(at: destination, type: type)
        } else {
            try Data().write(to: destination)
        }
        let manager = NSMigrationManager(
            sourceModel: LibraryModels.first(), destinationModel: LibraryModels.second())
        try manager.migrateStore(
            from: url, type: type, options: nil,
            mapping: LibraryModels.mapping(manager.sourceModel, manager.destinationModel), to: destination,
            type: type, options: nil)
        try coordinator.addPersistentStore(type: type, at: destination)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let titles = try context.performAndWait { try context.all("Book").map { $0.text("title") } }
        expect(Set(titles), equals: Set((0..<12).map { "Title \($0)" }))
    }
}
