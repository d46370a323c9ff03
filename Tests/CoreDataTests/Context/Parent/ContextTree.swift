// Contexts on contexts over one store.

import CoreData
import CoreDataTestSupport
import Foundation

/// A root context over a new store with a child and a grandchild.
final class ContextTree {
    let container: StoreContainer
    let root: NSManagedObjectContext
    let middle: NSManagedObjectContext
    let leaf: NSManagedObjectContext

    init(_ kind: StoreKind = .sqlite, _ model: NSManagedObjectModel = CompanyModel.make()) throws {
        container = try kind.makeContainer(model)
        root = NSManagedObjectContext(.privateQueue)
        root.persistentStoreCoordinator = container.persistentStoreCoordinator
        middle = Self.child(of: root)
        leaf = Self.child(of: middle)
    }

    static func child(of parent: NSManagedObjectContext) -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.parent = parent
        return context
    }

    /// The contexts from the leaf to the root.
    var upwards: [NSManagedObjectContext] { [leaf, middle, root] }

    /// A context that sees what is in the store, and nothing else.
    func fresh() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        return context
    }

    /// Saves the leaf, then what is above it.
    func saveAll() throws {
        for context in upwards { try context.run { try context.save() } }
    }
}

extension NSManagedObjectContext {
    /// Objects of an entity that a format with an argument finds.
    func find(_ entity: String, _ format: String, _ argument: Any) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format, argumentArray: [argument])
        return try fetch(request)
    }

    /// The string values of an attribute in all objects of an entity, sorted.
    func strings(_ entity: String, _ key: String = "name") throws -> [String] {
        try run { try all(entity).compactMap { $0.value(forKey: key) as? String }.sorted() }
    }
}

extension NSManagedObject {
    /// Names or the like of the objects of a relationship: in order if that is ordered, else sorted.
    func names(_ relationship: String, _ key: String = "name") -> [String] {
        func name(_ object: Any) -> String? { (object as? NSManagedObject)?.value(forKey: key) as? String }
        switch value(forKey: relationship) {
        case let set as NSOrderedSet: return set.array.compactMap(name)
        case let set as NSSet: return set.allObjects.compactMap(name).sorted()
        case let object?: return [name(object)].compactMap { $0 }
        case nil: return []
        }
    }
}
