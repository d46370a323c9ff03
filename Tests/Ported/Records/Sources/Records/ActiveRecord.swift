import CoreData
import os.log

private let log = Logger(subsystem: "org.example.records", category: "records")

/// The operations of classes of records that need no details of their context.
public protocol ActiveRecord: AnyObject {
    static var entityName: String { get }
}

extension ActiveRecord where Self: NSManagedObject {
    public static var entityName: String { entity().name ?? NSStringFromClass(self) }

    /// A new object.
    @discardableResult
    public static func create(in context: NSManagedObjectContext, _ setUp: (Self) -> Void = { _ in }) -> Self
    {
        let record = Self(context: context)
        setUp(record)
        return record
    }

    public static func request() -> NSFetchRequest<Self> {
        let request = fetchRequest() as! NSFetchRequest<Self>
        request.returnsObjectsAsFaults = false
        return request
    }

    public static func all(
        in context: NSManagedObjectContext, where format: String? = nil, _ arguments: CVarArg...,
        orderedBy keys: String...
    ) throws -> [Self] {
        let request = self.request()
        request.predicate = format.map { NSPredicate(format: $0, arguments: getVaList(arguments)) }
        request.sortDescriptors = keys.map { NSSortDescriptor(key: $0, ascending: true) }
        return try context.fetch(request)
    }

    public static func first(
        in context: NSManagedObjectContext, where predicate: NSPredicate
    ) throws -> Self? {
        let request = self.request()
        request.predicate = predicate
        request.fetchLimit = 1
        return try context.fetch(request).first
    }

    /// The object with a value, made if there is none.
    public static func findOrCreate(
        in context: NSManagedObjectContext, _ key: String, _ value: NSObject
    ) throws -> Self {
        if let found = try first(in: context, where: NSPredicate(format: "%K == %@", key, value)) {
            return found
        }
        let made = Self(context: context)
        made.setValue(value, forKey: key)
        log.debug("made a \(Self.entityName, privacy: .public)")
        return made
    }

    /// Deletes all objects without reading their values.
    @discardableResult
    public static func deleteAll(in context: NSManagedObjectContext) throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: entityName)
        request.includesPropertyValues = false
        let found = try context.fetch(request)
        for object in found { context.delete(object) }
        return found.count
    }

    public static func count(in context: NSManagedObjectContext) throws -> Int {
        try context.count(for: request())
    }

    /// The same record in another context.
    public func inContext(_ other: NSManagedObjectContext) throws -> Self {
        try other.existingObject(with: objectID) as! Self
    }
}

extension NSManagedObjectContext {
    /// A new object of a type that the caller names, or that is known from where the object goes.
    public func insert<T: NSManagedObject>(_ type: T.Type = T.self) -> T {
        T(context: self)
    }

    /// A new object of a class that is known at run time only.
    public func insert(anyOf type: NSManagedObject.Type) -> NSManagedObject {
        type.init(context: self)
    }
}
