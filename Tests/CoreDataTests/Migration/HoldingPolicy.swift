// A migration policy that holds the objects that it makes.

import CoreData
import Foundation

/// Holds the objects that it makes, and says later whether they have their values still and are registered.
final class HoldingPolicy: NSEntityMigrationPolicy {
    private var made: [NSManagedObject] = []

    override func createDestinationInstances(
        forSource sInstance: NSManagedObject, in mapping: NSEntityMapping, manager: NSMigrationManager
    ) throws {
        try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
        made += manager.destinationInstances(
            forEntityMappingName: mapping.name, sourceInstances: [sInstance])
    }

    override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
        let (registered, log) = (manager.destinationContext.registeredObjects, manager.userInfo?["held"])
        for object in made {
            (log as? NSMutableArray)?.add(
                "\(object.isFault ? "fault" : "read") \(registered.contains(object))")
        }
    }
}
