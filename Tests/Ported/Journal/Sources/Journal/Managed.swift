import CoreData

/// What every class of objects knows of its requests.
public protocol Managed: NSManagedObject, NSFetchRequestResult {
    static var defaultSortDescriptors: [NSSortDescriptor] { get }
    static var defaultPredicate: NSPredicate { get }
}

extension Managed {
    public static var defaultSortDescriptors: [NSSortDescriptor] { [] }
    public static var defaultPredicate: NSPredicate { NSPredicate(value: true) }
    public static var entityName: String { entity().name! }

    public static var sortedRequest: NSFetchRequest<Self> {
        let request = NSFetchRequest<Self>(entityName: entityName)
        request.sortDescriptors = defaultSortDescriptors
        request.predicate = defaultPredicate
        return request
    }

    public static func sortedRequest(with predicate: NSPredicate) -> NSFetchRequest<Self> {
        let request = sortedRequest
        guard let existing = request.predicate else { fatalError("a predicate is there") }
        request.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [existing, predicate])
        return request
    }

    public static func predicate(format: String, _ arguments: CVarArg...) -> NSPredicate {
        let predicate = withVaList(arguments) { NSPredicate(format: format, arguments: $0) }
        return NSCompoundPredicate(type: .and, subpredicates: [defaultPredicate, predicate])
    }

    public static func fetch(
        in context: NSManagedObjectContext, configure: (NSFetchRequest<Self>) -> Void = { _ in }
    ) -> [Self] {
        let request = NSFetchRequest<Self>(entityName: Self.entityName)
        configure(request)
        return (try? context.fetch(request)) ?? []
    }

    public static func count(
        in context: NSManagedObjectContext, configure: (NSFetchRequest<Self>) -> Void = { _ in }
    ) -> Int {
        let request = NSFetchRequest<Self>(entityName: entityName)
        configure(request)
        return (try? context.count(for: request)) ?? 0
    }

    /// An object that the context has already.
    public static func materialized(
        in context: NSManagedObjectContext, matching predicate: NSPredicate
    ) -> Self? {
        for object in context.registeredObjects where !object.isFault {
            guard let result = object as? Self, predicate.evaluate(with: result) else { continue }
            return result
        }
        return nil
    }

    public static func findOrCreate(
        in context: NSManagedObjectContext, matching predicate: NSPredicate, configure: (Self) -> Void
    ) -> Self {
        if let found = materialized(in: context, matching: predicate) { return found }
        let found = fetch(in: context) { request in
            request.predicate = predicate
            request.returnsObjectsAsFaults = false
            request.fetchLimit = 1
        }.first
        if let found { return found }
        let made: Self = context.insertObject()
        configure(made)
        return made
    }

    /// The one object that a key in the context's dictionary stands for.
    public static func cached(
        in context: NSManagedObjectContext, forKey key: String, find: () -> Self?
    ) -> Self? {
        if let id = context.userInfo[key] as? NSManagedObjectID {
            return context.object(with: id) as? Self
        }
        let found = find()
        context.userInfo[key] = found?.objectID
        return found
    }
}

extension NSManagedObjectContext {
    public func insertObject<A: NSManagedObject>() -> A where A: Managed {
        guard
            let object = NSEntityDescription.insertNewObject(forEntityName: A.entityName, into: self) as? A
        else { fatalError("of another type") }
        return object
    }

    public func saveOrRollback() -> Bool {
        do {
            try save()
            return true
        } catch {
            rollback()
            return false
        }
    }

    public func performChanges(block: @escaping () -> Void) {
        perform {
            block()
            _ = self.saveOrRollback()
        }
    }

    private var store: NSPersistentStore { persistentStoreCoordinator!.persistentStores[0] }

    public var metadata: [String: AnyObject] {
        get {
            guard let coordinator = persistentStoreCoordinator else { return [:] }
            return coordinator.metadata(for: store) as [String: AnyObject]
        }
        set { persistentStoreCoordinator?.setMetadata(newValue, for: store) }
    }
}

extension Collection where Element: NSManagedObject {
    /// Reads the values of all with one request.
    public func fetchFaults() {
        guard !isEmpty, let context = first?.managedObjectContext else { return }
        let faults = filter { $0.isFault }
        guard let object = faults.first else { return }
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.entity = object.entity
        request.returnsObjectsAsFaults = false
        request.predicate = NSPredicate(format: "self in %@", faults)
        _ = try? context.fetch(request)
    }
}

extension Entry: Managed {
    public static var defaultSortDescriptors: [NSSortDescriptor] {
        [NSSortDescriptor(key: #keyPath(date), ascending: false)]
    }
    public static var defaultPredicate: NSPredicate { NSPredicate(format: "%K != nil", #keyPath(Entry.code)) }
}

extension Tag: Managed {}

/// What a notification of a save says.
public struct SaveNotification {
    private let notification: Notification

    public init(_ note: Notification) {
        guard note.name == .NSManagedObjectContextDidSave else { fatalError("of another name") }
        notification = note
    }

    public var inserted: AnyIterator<NSManagedObject> { iterator(forKey: NSInsertedObjectsKey) }
    public var updated: AnyIterator<NSManagedObject> { iterator(forKey: NSUpdatedObjectsKey) }
    public var deleted: AnyIterator<NSManagedObject> { iterator(forKey: NSDeletedObjectsKey) }

    public var context: NSManagedObjectContext {
        guard let context = notification.object as? NSManagedObjectContext else { fatalError("no context") }
        return context
    }

    private func iterator(forKey key: String) -> AnyIterator<NSManagedObject> {
        guard let set = (notification as Notification).userInfo?[key] as? NSSet else {
            return AnyIterator { nil }
        }
        let iterator = set.makeIterator()
        return AnyIterator { iterator.next() as? NSManagedObject }
    }
}

extension NSManagedObjectContext {
    public func addSaveObserver(_ handler: @escaping (SaveNotification) -> Void) -> NSObjectProtocol {
        NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: self, queue: nil
        ) { handler(SaveNotification($0)) }
    }
}
