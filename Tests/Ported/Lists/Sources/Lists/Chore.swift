import CoreData

@objc(Chore)
public class Chore: NSManagedObject {
    @NSManaged public var isDone: Bool
    @NSManaged public var place: Int32
    @NSManaged public var room: String?
    @NSManaged public var title: String?

    /// A new chore goes behind the others.
    public override func awakeFromInsert() {
        super.awakeFromInsert()
        let request = NSFetchRequest<Chore>(entityName: "Chore")
        request.predicate = NSPredicate(format: "SELF != %@", self)
        let others = try? managedObjectContext?.fetch(request)
        place = ((others ?? []).map { $0.place }.max() ?? 0) + 1
        title = "Chore \(place)"
    }
}

public final class ChoreStore: NSObject {
    public let context: NSManagedObjectContext

    public override init() {
        let url = Bundle(for: ChoreStore.self).url(forResource: "Chores", withExtension: "momd")!
        let container = NSPersistentContainer(
            name: "Chores", managedObjectModel: NSManagedObjectModel(contentsOf: url)!)
        container.persistentStoreDescriptions[0].url = URL(fileURLWithPath: "/dev/null")
        container.loadPersistentStores { _, error in
            precondition(error == nil)
        }
        context = container.viewContext
        super.init()
    }
}
