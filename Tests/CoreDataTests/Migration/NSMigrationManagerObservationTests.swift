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

    private final class Watcher: KeyValueObserver {
        var seen: [String] = []
        override func observeValue(
            forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            let value = (change?[.newKey] as? NSEntityMapping)?.name ?? change?[.newKey] ?? "-"
            seen.append(
                "\(keyPath ?? "") \(value) \(object is NSMigrationManager) \(context?.hashValue ?? 0)")
        }
    }

    /// Migrates books from the first version to the second.
    private func migrate(_ manager: NSMigrationManager, books: Int) throws {
        NSEntityMigrationPolicy.register(BookPolicy.self)
        NSEntityMigrationPolicy.register(NamePolicy.self, name: "Library.NamePolicy")
        let folder = try TemporaryFolder()
        let context = try LibraryModels.open(folder.file("Old.sqlite"), LibraryModels.first())
        try LibraryModels.fill(context, books: books)
        try LibraryModels.close(context)
        try manager.migrateStore(
            from: folder.file("Old.sqlite"), sourceType: NSSQLiteStoreType,
            with: LibraryModels.mapping(manager.sourceModel, manager.destinationModel),
            toDestinationURL: folder.file("New.sqlite"), destinationType: NSSQLiteStoreType)
    }

    @Test func observersThatWereAddedAreTold() throws {
        let manager = NSMigrationManager(
            sourceModel: LibraryModels.first(), destinationModel: LibraryModels.second())
        let (watcher, other) = (Watcher(), Watcher())
        manager.addObserver(
            watcher, forKeyPath: "migrationProgress", options: [.new, .initial], context: nil)
        manager.addObserver(watcher, forKeyPath: "currentEntityMapping", options: .new, context: nil)
        manager.addObserver(other, forKeyPath: "migrationProgress", context: nil)
        manager.addObserver(
            other, forKeyPath: "migrationProgress", context: UnsafeMutableRawPointer(bitPattern: 8))
        manager.removeObserver(
            other, forKeyPath: "migrationProgress", context: UnsafeMutableRawPointer(bitPattern: 8))
        manager.removeObserver(other, forKeyPath: "migrationProgress")
        try migrate(manager, books: 4)
        expect(watcher.seen.first, equals: "migrationProgress 0.0 true 0")
        #expect(watcher.seen.contains("migrationProgress 1.0 true 0"))
        #expect(watcher.seen.contains("currentEntityMapping BookToBook true 0"))
        #expect(other.seen.isEmpty)
        manager.removeObserver(watcher, forKeyPath: "migrationProgress")
        manager.removeObserver(watcher, forKeyPath: "currentEntityMapping")
    }

    @Test func whatCantBeObservedRaises() async {
        await #expect(processExitsWith: .failure) {
            NSMigrationManager(sourceModel: LibraryModels.first(), destinationModel: LibraryModels.second())
                .addObserver(Watcher(), forKeyPath: "userInfo", context: nil)
        }
        await #expect(processExitsWith: .failure) {
            NSMigrationManager(sourceModel: LibraryModels.first(), destinationModel: LibraryModels.second())
                .removeObserver(Watcher(), forKeyPath: "migrationProgress")
        }
    }

    @Test func subclassesAreToldOfChanges() throws {
        let manager = ToldManager(
            sourceModel: LibraryModels.first(), destinationModel: LibraryModels.second())
        try migrate(manager, books: 40)
        #expect(manager.after.first == 0 && manager.after.last == 1 && manager.after.count > 50)
        expect(manager.before, equals: [0] + manager.after.dropLast())
        #expect(manager.mappings.contains("BookToBook") && manager.mappings.last == "")
    }
}
