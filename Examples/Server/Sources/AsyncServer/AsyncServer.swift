// A server whose `main()` is asynchronous: the main queue is served, and a view context works as in an app.

import CoreData

@main
struct AsyncServer {
    static func main() async throws {
        let visit = NSEntityDescription()
        visit.name = "Visit"
        let model = NSManagedObjectModel()
        model.entities = [visit]
        let container = NSPersistentContainer(name: "Visits", managedObjectModel: model)
        let memory = NSPersistentStoreDescription()
        memory.type = NSInMemoryStoreType
        container.persistentStoreDescriptions = [memory]
        container.loadPersistentStores { _, error in
            if let error { print("the store can't be opened: \(error)") }
        }
        let view = container.viewContext
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    try await view.perform {
                        _ = NSEntityDescription.insertNewObject(forEntityName: "Visit", into: view)
                        try view.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        let count = try await view.perform {
            try view.count(for: NSFetchRequest<NSManagedObject>(entityName: "Visit"))
        }
        print("\(count) visits")
    }
}
