import CoreData

/// A library in memory.
public final class Library {
    public let container: NSPersistentContainer
    public var context: NSManagedObjectContext { container.viewContext }

    private static let model: NSManagedObjectModel = {
        let bundle = Bundle(for: Library.self)
        return NSManagedObjectModel(contentsOf: bundle.url(forResource: "Lending", withExtension: "momd")!)!
    }()

    public init() {
        container = NSPersistentContainer(name: "Lending", managedObjectModel: Self.model)
        let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/dev/null"))
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { _, error in
            if let error { fatalError("\(error)") }
        }
        container.viewContext.automaticallyMergesChangesFromParent = true
    }
}
