import CoreData

@objc(Job)
public final class Job: NSManagedObject, Identifiable {
    @NSManaged public var effort: Double
    @NSManaged public var isDone: Bool
    @NSManaged public var title: String?
}

public final class JobStore {
    public let container: NSPersistentContainer

    public init() {
        let bundle = Bundle(for: JobStore.self)
        let model = NSManagedObjectModel(
            contentsOf: bundle.url(forResource: "Tasks", withExtension: "momd")!)!
        container = NSPersistentContainer(name: "Tasks", managedObjectModel: model)
        container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
        container.loadPersistentStores { _, error in
            if let error = error { fatalError("\(error)") }
        }
    }
}
