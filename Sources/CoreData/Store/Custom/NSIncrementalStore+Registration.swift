// Telling incremental stores which objects contexts hold.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension NSIncrementalStore {
    /// Tells the store what contexts have registered and forgotten since the last time.
    final func tellRegistrations() {
        guard let model else { return }
        for run in registrations.take() {
            let ids = run.map {
                NSManagedObjectID(model.runtimes[$0.entity], primaryKey: $0.primaryKey, store: self)
            }
            if run[0].isRegistered {
                managedObjectContextDidRegisterObjects(with: ids)
            } else {
                managedObjectContextDidUnregisterObjects(with: ids)
            }
        }
    }
}

extension NSPersistentStoreCoordinator {
    /// Tells incremental stores which objects contexts registered and forgot. Under the lock.
    final func tellRegistrations() {
        for entry in attached where entry.store is NSIncrementalStore {
            (entry.store as? NSIncrementalStore)?.tellRegistrations()
        }
    }
}
