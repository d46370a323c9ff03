// The visits of a service, in a store that the environment names.

import CoreData
import CoreDataPostgreSQL

/// Counts visits of pages. Any number of processes may share one database.
final class VisitStore: Sendable {
    private let container: NSPersistentContainer

    /// Opens the store of `VISITS`: a `postgresql://` address, or the path of an SQLite file.
    init(_ environment: [String: String]) async throws {
        let place = environment["VISITS"] ?? "Visits.sqlite"
        container = NSPersistentContainer(name: "Visits", managedObjectModel: Self.model())
        let description =
            place.hasPrefix("postgresql://")
            ? NSPersistentStoreDescription(postgreSQL: place, schema: environment["VISITS_SCHEMA"])
            : NSPersistentStoreDescription(url: URL(fileURLWithPath: place))
        container.persistentStoreDescriptions = [description]
        try await withCheckedThrowingContinuation { (ready: CheckedContinuation<Void, any Error>) in
            container.loadPersistentStores { _, error in
                if let error { ready.resume(throwing: error) } else { ready.resume() }
            }
        }
    }

    private static func model() -> NSManagedObjectModel {
        let (page, path, count) = (
            NSEntityDescription(), NSAttributeDescription(), NSAttributeDescription()
        )
        page.name = "Page"
        (path.name, path.attributeType) = ("path", .stringAttributeType)
        (count.name, count.attributeType, count.defaultValue) = ("visits", .integer64AttributeType, 0)
        page.properties = [path, count]
        page.uniquenessConstraints = [["path"]]
        let model = NSManagedObjectModel()
        model.entities = [page]
        return model
    }

    /// Counts a visit, and returns how many there are of the page. When another process was quicker, the page is read again.
    func visit(_ path: String) async throws -> Int64 {
        while true {
            do {
                return try await attempt(path)
            } catch let error as NSError
                where [NSManagedObjectMergeError, NSManagedObjectConstraintMergeError].contains(error.code)
            {
                continue
            }
        }
    }

    private func attempt(_ path: String) async throws -> Int64 {
        let context = container.newBackgroundContext()
        return try await context.perform {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Page")
            request.predicate = NSPredicate(format: "path == %@", path)
            let page: NSManagedObject
            if let found = try context.fetch(request).first {
                page = found
            } else {
                page = NSEntityDescription.insertNewObject(forEntityName: "Page", into: context)
                page.setValue(path, forKey: "path")
            }
            let visits = (page.value(forKey: "visits") as? Int64 ?? 0) + 1
            page.setValue(visits, forKey: "visits")
            try context.save()
            return visits
        }
    }
}
