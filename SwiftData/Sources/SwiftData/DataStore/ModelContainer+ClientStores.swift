// Containers over stores that clients wrote.

public import CoreData
import Foundation

extension ModelContainer {
    /// A container of models in stores of any kind: clients' own, and Core Data's.
    ///
    /// - Parameters:
    ///   - types: the classes.
    ///   - configurations: the stores.
    /// - Throws: `SwiftDataError`, or the error of the store that couldn't be opened.
    public convenience init(
        for types: any PersistentModel.Type..., configurations: any DataStoreConfiguration...
    ) throws {
        try self.init(for: Schema(types), configurations: configurations)
    }

    /// A container of a schema in stores of any kind: clients' own, and Core Data's.
    ///
    /// A configuration's schema says which models its store keeps; models that no client's store keeps are in the others.
    ///
    /// - Parameters:
    ///   - schema: the schema.
    ///   - configurations: the stores.
    /// - Throws: `SwiftDataError`, or the error of the store that couldn't be opened.
    public convenience init(for schema: Schema, configurations: [any DataStoreConfiguration]) throws {
        let own = configurations.compactMap { $0 as? ModelConfiguration }
        let others = configurations.filter { !($0 is ModelConfiguration) }
        if others.isEmpty {
            try self.init(for: schema, migrationPlan: nil, configurations: own)
            return
        }
        SnapshotTypes.register(schema)
        let parts = StorePart.parts(of: schema, stated: own.map(\.schema) + others.map(\.schema))
            .prefix(own.count)
        let models = ModelSet.of(schema, parts: Set(parts.compactMap { $0 }))
        let coordinator =
            own.isEmpty
            ? NSPersistentStoreCoordinator(managedObjectModel: models.model)
            : try StoreOpening(schema, models, own, Array(parts), nil).open()
        var stores: [ClientStore] = []
        for configuration in others {
            try configuration.validate()
            stores.append(try Self.add(configuration, coordinator))
        }
        self.init(models, schema, Set(own), coordinator: coordinator, clientStores: stores)
    }

    private static func add<Configuration: DataStoreConfiguration>(
        _ configuration: Configuration, _ coordinator: NSPersistentStoreCoordinator
    ) throws -> ClientStore {
        ClientStore.register
        let bridge = TypedClientStoreBridge(try Configuration.Store(configuration, migrationPlan: nil))
        let description = NSPersistentStoreDescription(
            url: URL(
                fileURLWithPath: "/dev/null/"
                    + (bridge.identifier.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")))
        description.type = ClientStore.storeType
        description.setOption(ClientStore.BridgeBox(bridge), forKey: ClientStore.bridgeOption)
        var failure: (any Error)?
        coordinator.addPersistentStore(with: description) { failure = $1 }
        if let failure { throw StoreOpening.told(failure) }
        guard let store = coordinator.persistentStores.compactMap({ $0 as? ClientStore }).last else {
            throw SwiftDataError.loadIssueModelContainer
        }
        return store
    }

    /// The coordinator of the container's stores, for Core Data's classes and the studio. An addition.
    public var persistentStoreCoordinator: NSPersistentStoreCoordinator { coordinator }
}
