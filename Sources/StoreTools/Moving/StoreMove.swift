// Moving a store's objects to a store of another kind.

import CoreData

/// A move of all objects of a store into a new store, in a file or on a server. One that was stopped goes on when it is run again.
public final class StoreMove {
    /// The objects of an entity that were moved.
    public struct Entity: Sendable {
        /// The entity's name.
        public let name: String
        /// The number of its own objects.
        public let count: Int
    }

    private let source: OpenStore
    private let destination: StoreAddress
    private let target: NSPersistentStore
    private let isCopy: Bool
    /// Indicates whether a move that was stopped is gone on with.
    public let isResumed: Bool

    /// Opens the source, and makes the destination unless a move into it was begun.
    ///
    /// - Parameters:
    ///   - source: the store's file or address.
    ///   - destination: the file or address of the new store.
    ///   - modelPath: the model's file; nil for the model that the store keeps.
    /// - Throws: `ToolFailure` if there is something else at the destination; the errors of opening and making a store.
    public convenience init(from source: String, to destination: String, modelPath: String? = nil) throws {
        try self.init(from: source, to: destination, modelPath: modelPath, isCopy: false)
    }

    /// - Parameter isCopy: whether the source is read as it is at one moment, whoever writes. Its caller has seen that nothing is at the destination.
    init(from source: String, to destination: String, modelPath: String?, isCopy: Bool) throws {
        self.isCopy = isCopy
        self.destination = try StoreAddress(destination)
        isResumed = try !isCopy && self.destination.isThere()
        if isResumed { try Self.requireBegun(self.destination) }
        self.source = try OpenStore(path: source, modelPath: modelPath)
        let store = self.source.store
        let configuration = self.source.model.configurations.contains(store.configurationName)
        target = try self.destination.open(
            in: self.source.coordinator, configuration: configuration ? store.configurationName : nil,
            options: [NSPersistentStoreTimeoutOption: 5])
    }

    private static func requireBegun(_ address: StoreAddress) throws {
        let metadata = try address.metadata()
        if NSPersistentStoreCoordinator.isCopyBegun(metadata) {
            throw ToolFailure(
                "A copy into \(address.name) was begun, and can only be begun anew: coredata copy does.")
        }
        if NSPersistentStoreCoordinator.isTransferBegun(metadata) { return }
        throw ToolFailure("There is a store at \(address.name) already.")
    }

    /// Moves the objects, and compares all values and relationships of both stores.
    ///
    /// - Parameter progress: called with what is being done, in a few words.
    /// - Returns: the entities, by name.
    /// - Throws: `ToolFailure` if another program is filling the destination; the errors of reading and saving;
    ///   `NSPersistentStoreOperationError` (134070) if the stores differ in the end. A move that failed can be run again.
    public func run(progress: @escaping (String) -> Void = { _ in }) throws -> [Entity] {
        try run(throwingProgress: progress)
    }

    /// As `run(progress:)`; an error of the closure stops the move as it is.
    package func run(throwingProgress progress: @escaping (String) throws -> Void) throws -> [Entity] {
        var moved: [Entity] = []
        try destination.fill { moved = try transfer(progress) }
        return moved
    }

    /// The same where who calls keeps other programs from filling the destination.
    func transfer(_ progress: @escaping (String) throws -> Void) throws -> [Entity] {
        let transfer = try StoreTransfer(from: source.store, to: target, isCopy: isCopy) { state in
            try progress("\(state.step) \(state.entity): \(state.done) of \(state.total)")
        }
        let moved = try transfer.run().map { Entity(name: $0.name, count: $0.count) }
        try destination.gatherFigures(after: "All objects were moved and compared")
        return moved
    }

    /// Closes both stores.
    ///
    /// - Throws: the errors of closing.
    public func close() throws {
        for store in source.coordinator.persistentStores { try source.coordinator.remove(store) }
    }
}
