// A store in a folder, opened as a case says.

import CoreData
import Foundation

/// The location of a store and the way to open it.
struct Place {
    var url: URL
    let seed: Int
    var type = NSSQLiteStoreType
    /// The journal mode of SQLite stores.
    var journal = "WAL"
    var version = 1
    var isReadOnly = false

    init(_ request: Request, file: String? = nil) {
        url = request.folder.appendingPathComponent(
            file ?? request.text("file", default: "store.sqlite"))
        seed = request.number("seed")
        type = request.text("type", default: NSSQLiteStoreType)
        journal = request.text("journal", default: "WAL")
        version = request.number("version", default: 1)
        isReadOnly = request.number("readOnly") != 0
    }

    var options: [AnyHashable: Any] {
        var options: [AnyHashable: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: version > 1,
            NSInferMappingModelAutomaticallyOption: version > 1,
        ]
        if type == NSSQLiteStoreType {
            options[NSPersistentHistoryTrackingKey] = true
            options[NSSQLitePragmasOption] = ["journal_mode": journal]
            // No case waits for others this long; who has to is hung.
            options[NSPersistentStoreTimeoutOption] = 5
        }
        if isReadOnly { options[NSReadOnlyPersistentStoreOption] = true }
        return options
    }
}

/// A coordinator with one store, and a context.
final class Stack {
    let place: Place
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    let context: NSManagedObjectContext

    init(_ place: Place) throws {
        self.place = place
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.make(version: place.version))
        store = try coordinator.addPersistentStore(
            ofType: place.type, configurationName: nil, at: place.url, options: place.options)
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        context.undoManager = nil
    }

    func close() {
        context.performAndWait { context.reset() }
        try? coordinator.remove(store)
    }

    func all(_ entity: String, sortedBy keys: [String], where predicate: NSPredicate? = nil) throws
        -> [NSManagedObject]
    {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        request.predicate = predicate
        return try context.fetch(request)
    }

    func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }
}
