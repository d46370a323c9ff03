// The ways of a context to the stores of clients.

import CoreData
import Foundation

extension ModelContainer {
    /// The client's store that keeps an entity's models; nil if it is one of Core Data's.
    func clientStore(of entity: NSEntityDescription) -> ClientStore? {
        if clientStores.isEmpty { return nil }
        return clientStores.first { $0.bridge.storeSchema.entitiesByName[entity.name ?? ""] != nil }
    }
}

extension ModelContext {
    /// The fetches of an entity's models, if a client's store keeps them.
    func clientFetch(_ binding: ModelBinding) -> ClientFetch? {
        container.clientStore(of: binding.entity).map { ClientFetch(context: self, store: $0) }
    }

    /// The context as stores see it.
    public var editingState: EditingState { EditingState(id: managed.stateID, author: author) }

    /// Keeps the place in a store's history after a save.
    func note(_ token: any HistoryToken, of store: String) { managed.tokens[store] = token }
}
