// From a class to its entity.

import CoreDataSupport
import Foundation

extension NSManagedObject {
    /// The entity that bears this class's name in the model of the context's coordinator.
    final class func entity(in context: NSManagedObjectContext) -> NSEntityDescription {
        if let known = context.runtime.entity(ofClass: self) { return known.description }
        let matches = context.runtime.entities.filter {
            $0.binding.objectClass == self
                || ObjectClasses.name($0.description.managedObjectClassName, denotes: self)
        }
        guard let found = matches.first(where: { $0.name == String(describing: self) }) ?? matches.first
        else {
            raise(.invalidArgument, "no entity of the context's model has the class \(self)")
        }
        found.adopt(self)
        context.runtime.note(found, ofClass: self)
        return found.description
    }

    /// The entity of this class in any model in use.
    final class func entityInUse() -> NSEntityDescription {
        // Descriptions are kept by their models, which another thread may be about to let go of.
        let models = ModelRuntime.allInUse
        return withExtendedLifetime(models) {
            for entity in models.lazy.flatMap(\.entities)
            where ObjectClasses.name(entity.description.managedObjectClassName, denotes: self) {
                return entity.description
            }
            raise(.internalInconsistency, "no model in use has an entity of the class \(self)")
        }
    }
}

extension NSEntityDescription {
    /// The entity of a name in the model of the context's coordinator.
    public class func entity(
        forEntityName entityName: String, in context: NSManagedObjectContext
    ) -> NSEntityDescription? {
        context.runtime.entity(named: entityName)?.description
    }

    /// Makes an object of the named entity and inserts it. Raises if the model has no such entity.
    public class func insertNewObject(
        forEntityName entityName: String, into context: NSManagedObjectContext
    ) -> NSManagedObject {
        guard let entity = context.runtime.entity(named: entityName) else {
            raise(.invalidArgument, "the context's model has no entity named \"\(entityName)\"")
        }
        if entity.isAbstract {
            raise(.invalidArgument, "entity \"\(entityName)\" is abstract: it has no objects")
        }
        return entity.objectClass.init(entity: entity.description, insertInto: context)
    }
}
