// From a class to its entity.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension NSManagedObject {
    /// The entity that bears this class's name in the model of the context's coordinator.
    final class func entity(in context: NSManagedObjectContext) -> NSEntityDescription {
        let known = uncounted(context.registryReference) { $0.model.entity(ofClass: self) }
        return known.map { uncounted($0) { $0.description } } ?? findEntity(in: context)
    }

    private final class func findEntity(in context: NSManagedObjectContext) -> NSEntityDescription {
        let matches = context.runtime.entities.filter {
            LoadedClasses.name($0.description.managedObjectClassName, denotes: self)
                || $0.binding.objectClass == self
        }
        guard let found = matches.first(where: { $0.name == String(describing: self) }) ?? matches.first
        else {
            raise(.invalidArgument, "no entity of the context's model has the class \(self)")
        }
        found.noteClass(self)
        context.runtime.note(found, ofClass: self)
        return found.description
    }

    /// The entity of this class in any model in use; a new description, after a warning, if no model has one.
    final class func entityInUse() -> NSEntityDescription {
        // Descriptions are kept by their models, which another thread may be about to let go of.
        let models = ManagedModel.allInUse
        return withExtendedLifetime(models) {
            for entity in models.lazy.flatMap(\.entities)
            where LoadedClasses.name(entity.description.managedObjectClassName, denotes: self) {
                return entity.description
            }
            Log.warning(
                "no model in use has an entity of the class \(self): its entity() is an empty description")
            return NSEntityDescription()
        }
    }

    /// The entity of an object that is made without one: that of this class, or one without properties in a model of
    /// its own.
    final class func entityOutsideContext() -> (NSEntityDescription, NSManagedObjectModel) {
        Log.warning(
            "an object of \(self) was made by init(), which gives it no context: no save sees it. "
                + "init(context:) and init(entity:insertInto:) are the initialisers to call")
        // `NSManagedObject` itself may be the class of many entities.
        let known = self == NSManagedObject.self ? nil : entity()
        if let known, known.name != nil { return (known, known.managedObjectModel) }
        let empty = NSEntityDescription()
        empty.name = String(describing: self)
        let model = NSManagedObjectModel()
        model.entities = [empty]
        return (empty, model)
    }
}

extension NSEntityDescription {
    static func newObject(
        _ entityName: String, in context: NSManagedObjectContext
    ) -> NSManagedObject {
        do {
            return try insertNewObject(checkingEntityName: entityName, into: context)
        } catch {
            raise(
                .invalidArgument, error.localizedDescription,
                instead: "insertNewObject(checkingEntityName:into:)")
        }
    }

    /// Makes an object of an entity whose name comes from outside, and inserts it. An addition to Apple's class.
    ///
    /// - Parameters:
    ///   - entityName: the entity's name.
    ///   - context: the context that the object will belong to.
    /// - Returns: the new object.
    /// - Throws: `NSCoreDataError` if the model has no such entity, or it is abstract;
    ///   `NSPersistentStoreOperationError` if the context has no coordinator.
    public class func insertNewObject(
        checkingEntityName entityName: String, into context: NSManagedObjectContext
    ) throws -> NSManagedObject {
        try context.checkCoordinator()
        guard let entity = context.runtime.entity(spelled: entityName) else {
            throw RequestErrors.wrong(
                "the context's model has no entity named \"\(entityName)\"", entity: entityName)
        }
        if entity.isAbstract {
            throw RequestErrors.wrong(
                "entity \"\(entityName)\" is abstract: it has no objects", entity: entityName)
        }
        return entity.binding.initializer.make(entity.description, insertInto: context)
    }
}
