// A mapping model in a bundle is used when a store of its older version is added.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

// One after the other: all cases have their mapping model in folders beside the executable, where each looks into all.
@Suite(.serialized) struct AutomaticMappingTests {
    @Test(arguments: StoreKind.inPlace) func aMappingModelReplacesTheStoreInPlace(_ kind: StoreKind) throws {
        NSEntityMigrationPolicy.register(BookPolicy.self)
        NSEntityMigrationPolicy.register(NamePolicy.self, name: "Library.NamePolicy")
        let container = try kind.makeContainer(LibraryModels.first())
        try LibraryModels.fill(container.newBackgroundContext(), books: 20)
        let url = try #require(container.store.url)
        let identifier = container.store.identifier
        try container.persistentStoreCoordinator.remove(container.store)
        let mapping = LibraryModels.mapping(LibraryModels.first(), LibraryModels.second())
        // A package's resources lie beside the executable.
        let resources = Bundle.main.bundleURL.appendingPathComponent("\(UUID().uuidString).resources")
        try FileManager.default.createDirectory(at: resources, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: resources) }
        try mapping.write(to: resources.appendingPathComponent("Library.cdm"))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: LibraryModels.second())
        let store = try coordinator.addPersistentStore(
            ofType: kind.type, configurationName: nil, at: url,
            options: [NSMigratePersistentStoresAutomaticallyOption: true])
        expect(store.identifier, equals: identifier)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let authors = try context.performAndWait {
            try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Author")).compactMap {
                $0.value(forKey: "name") as? String
            }
        }
        expect(Set(authors), equals: Set((0..<5).map { "Author \($0)" }))
    }
}
