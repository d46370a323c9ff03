// Subclasses of migration managers are told of what changes, as by key-value observing.

import CoreData
import CoreDataTestSupport
import Foundation
import Testing

@Suite struct NSMigrationManagerObservationTests {
    private final class ToldManager: NSMigrationManager, @unchecked Sendable {  // used by one thread
        var before: [Float] = []
        var after: [Float] = []
        var mappings: [String] = []

        override func willChangeValue(forKey key: String) {
            super.willChangeValue(forKey: key)
            if key == "migrationProgress" { before.append(migrationProgress) }
        }

        override func didChangeValue(forKey key: String) {
            super.didChangeValue(forKey: key)
            if key == "migrationProgress" { after.append(migrationProgress) }
            if key == "currentEntityMapping" { mappings.append(currentEntityMapping.name ?? "") }
        }
    }

    @Test func subclassesAreToldOfChanges() throws {
        NSEntityMigrationPolicy.register(BookPolicy.self)
        NSEntityMigrationPolicy.register(NamePolicy.self, name: "Library.NamePolicy")
        let folder = try TemporaryFolder()
        let context = try LibraryModels.open(folder.file("Old.sqlite"), LibraryModels.first())
        try LibraryModels.fill(context, books: 40)
        try LibraryModels.close(context)
        let manager = ToldManager(
            sourceModel: LibraryModels.first(), destinationModel: LibraryModels.second())
        try manager.migrateStore(
            from: folder.file("Old.sqlite"), sourceType: NSSQLiteStoreType,
            with: LibraryModels.mapping(manager.sourceModel, manager.destinationModel),
            toDestinationURL: folder.file("New.sqlite"), destinationType: NSSQLiteStoreType)
        #expect(manager.after.first == 0 && manager.after.last == 1 && manager.after.count > 50)
        expect(manager.before, equals: [0] + manager.after.dropLast())
        #expect(manager.mappings.contains("BookToBook") && manager.mappings.last == "")
    }
}
