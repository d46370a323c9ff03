// Copies the objects of a store to one of a client's class, which takes managed objects only.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// A copy by way of managed objects, in one save.
struct ObjectCopy {
    private let source: NSPersistentStore
    private let target: NSPersistentStore
    private let entities: [ManagedEntity]
    private let context: NSManagedObjectContext

    init(
        _ source: NSPersistentStore, to target: NSPersistentStore, entities: [ManagedEntity],
        in context: NSManagedObjectContext
    ) {
        self.source = source
        self.target = target
        self.entities = entities
        self.context = context
    }

    /// Returns old and new IDs by turns.
    func run() throws -> NSArray {
        var pairs: [(old: NSManagedObject, new: NSManagedObject)] = []
        for entity in entities where !entity.isAbstract {
            let request = NSFetchRequest<NSManagedObject>()
            request.fields.entity = entity.description
            request.includesSubentities = false
            request.affectedStores = [source]
            for object in try context.fetch(request) {
                let copy = NSManagedObject(entity: entity.description, insertInto: context)
                context.assign(copy, to: target)
                pairs.append((object, copy))
            }
        }
        let copies = Dictionary(pairs.map { ($0.old.objectID, $0.new) }, uniquingKeysWith: { $1 })
        for (old, new) in pairs { copy(old, to: new, copies: copies) }
        try context.save()
        return NSArray(array: pairs.flatMap { [$0.old.objectID, $0.new.objectID] })
    }

    private func copy(
        _ old: NSManagedObject, to new: NSManagedObject, copies: [NSManagedObjectID: NSManagedObject]
    ) {
        func counterpart(_ object: Any) -> NSManagedObject? {
            (object as? NSManagedObject).flatMap { copies[$0.objectID] }
        }
        for property in old.runtime.properties where !property.schema.isTransient {
            let value = old.value(forKey: property.name)
            switch property.kind {
            case .attribute, .composite: new.setValue(value, forKey: property.name)
            case .toOne: new.setValue(value.flatMap(counterpart), forKey: property.name)
            case .toMany(let relation):
                if relation.isOrdered {
                    let members = (value as? NSOrderedSet)?.array.compactMap(counterpart) ?? []
                    new.setValue(NSOrderedSet(array: members), forKey: property.name)
                } else {
                    let members = (value as? NSSet)?.allObjects.compactMap(counterpart) ?? []
                    new.setValue(NSSet(array: members), forKey: property.name)
                }
            case .fetched: break
            }
        }
    }
}
