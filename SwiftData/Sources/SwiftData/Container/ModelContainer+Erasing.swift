// Emptying a container.

import CoreData
import Foundation

extension ModelContainer {
    /// Deletes everything in the container's stores, which are made anew. Models of contexts are gone.
    ///
    /// - Throws: the error of a store that can't be removed or made anew.
    public func erase() throws {
        for store in coordinator.persistentStores {
            let (type, url, options) = (store.type, store.url, store.options)
            let configuration = store.configurationName
            try coordinator.remove(store)
            if let url, type == NSSQLiteStoreType {
                try coordinator.destroyPersistentStore(at: url, ofType: type, options: options)
            }
            try coordinator.addPersistentStore(
                ofType: type, configurationName: configuration, at: url, options: options)
        }
    }

    /// Deletes everything in the container's stores. A store that can't be emptied is logged; `erase()` throws instead.
    public func deleteAllData() {
        do {
            try erase()
        } catch {
            ValueLog.warn("the container's data couldn't be deleted: \(error)")
        }
    }
}
