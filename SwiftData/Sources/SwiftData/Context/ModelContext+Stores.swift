// Which of a container's stores keeps a new model.

import CoreData
import Foundation

extension ModelContext {
    /// Puts new models into the stores whose configurations name their entities; those that none names go to the first store.
    func assignStores() {
        let stated = container.configurations.filter { $0.schema != nil }
        if stated.isEmpty || container.coordinator.persistentStores.count < 2 { return }
        for object in managed.insertedObjects {
            let name = object.entity.name ?? ""
            guard let configuration = stated.first(where: { $0.schema?.entitiesByName[name] != nil }),
                let store = configuration.store(in: container.coordinator)
            else { continue }
            managed.assign(object, to: store)
        }
    }
}
