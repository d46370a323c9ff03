// Which of a container's stores keeps a new model.

import CoreData
import Foundation

extension ModelContext {
    /// Puts new models into the stores that keep their entities, where there are several.
    func assignStores() {
        if container.coordinator.persistentStores.count < 2 { return }
        var known: [ObjectIdentifier: NSPersistentStore] = [:]
        for object in managed.insertedObjects {
            let entity = ObjectIdentifier(object.entity)
            guard let store = known[entity] ?? container.store(ofNew: object.entity) else { continue }
            known[entity] = store
            managed.assign(object, to: store)
        }
    }
}

extension ModelContainer {
    /// The store that keeps new models of an entity: a client's that has it, else the first that can be written, one whose
    /// configuration names the entity before one of all models.
    fileprivate func store(ofNew entity: NSEntityDescription) -> NSPersistentStore? {
        if let client = clientStore(of: entity) { return client }
        let all = coordinator.persistentStores.filter { store in
            let entities = models.model.entities(forConfigurationName: store.configurationName)
            return !(store is ClientStore) && entities?.contains { $0 === entity } == true
        }
        let writable = all.filter { !$0.isReadOnly }
        let stated = configurations.filter { $0.schema?.entitiesByName[entity.name ?? ""] != nil }
        return writable.first { store in stated.contains { $0.store(in: coordinator) === store } }
            ?? writable.first ?? all.first
    }
}
