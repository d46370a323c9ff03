import CoreData

@objc(Job)
public final class Job: NSManagedObject, Identifiable {
    @NSManaged public var effort: Double
    @NSManaged public var isDone: Bool
    @NSManaged public var title: String?

    @objc public dynamic var summary: String { "\(title ?? "-"): \(effort)" }
    @objc public dynamic var label: String { isDone ? "done" : summary }

    @objc class func keyPathsForValuesAffectingSummary() -> Set<String> {
        [#keyPath(Job.title), #keyPath(Job.effort)]
    }

    public override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
        let keyPaths = super.keyPathsForValuesAffectingValue(forKey: key)
        return key == #keyPath(Job.label)
            ? keyPaths.union([#keyPath(Job.isDone), #keyPath(Job.summary)]) : keyPaths
    }
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
