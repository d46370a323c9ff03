// Deleting everything that a container's stores keep.

import CoreData
import Foundation

extension ModelContainer {
    /// Deletes everything that the stores keep, with their histories. Contexts that have models of them should be let go of before.
    ///
    /// - Throws: the error of a store; those before it are empty then.
    public func erase() throws {
        for store in clientStores { try store.erase() }
        // In the order in which they were opened, as they are added again.
        for store in coordinator.persistentStores {
            guard let configuration = configurations.first(where: { $0.store(in: coordinator) === store })
            else { continue }
            let description = configuration.storeDescription(configuration: store.configurationName)
            try coordinator.remove(store)
            if !configuration.isStoredInMemoryOnly, let url = description.url {
                try coordinator.destroyPersistentStore(
                    at: url, ofType: description.type, options: description.options)
            }
            var failure: (any Error)?
            coordinator.addPersistentStore(with: description) { failure = $1 }
            if let failure { throw failure }
        }
    }

    /// Deletes everything that the stores keep. An error is logged.
    public func deleteAllData() {
        do {
            try erase()
        } catch {
            ValueLog.warn("not everything could be deleted: \(error)")
        }
    }
}
