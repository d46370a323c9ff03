// Relationships end where a store ends.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

enum StoreBoundary {
    /// Throws `NSManagedObjectExternalRelationshipError` if one of the objects, which have their final keys, has
    /// got a relationship to an object of another store.
    static func check(_ objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        guard context.requiredCoordinator.persistentStores.count > 1 else { return }
        for object in objects {
            guard object.primaryKey > 0, let extras = object.extras else { continue }
            for relation in object.runtime.relations where !relation.isTransient {
                guard extras.relations.indices.contains(relation.number) else { continue }
                switch extras.relations[relation.number] {
                case let members as ToMany:
                    for member in members.added {
                        try check(object, relation: relation, target: member, context: context)
                    }
                case let target as NSManagedObject:
                    try check(object, relation: relation, target: target, context: context)
                default: break
                }
            }
        }
    }

    private static func check(
        _ object: NSManagedObject, relation: RelationRuntime, target: NSManagedObject,
        context: NSManagedObjectContext
    ) throws {
        guard target.primaryKey > 0, !target.state.isGone,
            let here = context.store(ofTable: Int(object.table)),
            let there = context.store(ofTable: Int(target.table)), here !== there
        else { return }
        throw CoreDataError.make(
            NSManagedObjectExternalRelationshipError,
            description:
                "The relationship \"\(relation.name)\" of \(object.runtime.name) leads to an object in another "
                + "persistent store.",
            userInfo: [
                NSAffectedObjectsErrorKey: [object, target], NSAffectedStoresErrorKey: [here, there],
                NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: relation.name,
                NSValidationValueErrorKey: target, CoreDataError.Key.entity: object.runtime.name,
                CoreDataError.Key.property: relation.name,
            ])
    }
}
