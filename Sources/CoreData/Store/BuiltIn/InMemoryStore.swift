// The built-in store that lives as long as its coordinator.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// A store in memory.
///
/// The coordinator's lock guards everything that changes.
final class InMemoryStore: NSPersistentStore, @unchecked Sendable {
    private var contents: MemoryRows?

    override var type: String { NSInMemoryStoreType }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        throw CoreDataError.make(
            NSFileReadNoSuchFileError, "A store in memory has no file whose metadata could be read.",
            file: url)
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        throw CoreDataError.make(
            NSFileReadNoSuchFileError, "A store in memory has no file whose metadata could be set.", file: url
        )
    }

    override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: NSInMemoryStoreType, NSStoreUUIDKey: UUID().uuidString]
    }

    override func open(model: ModelRuntime) throws {
        try loadMetadata()
        addModelMetadata(model)
        contents = try MemoryRows(model: model, host: self)
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        contents = nil
    }

    override func rows() throws -> MemoryRows {
        guard let contents else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The store has been removed from its coordinator.", file: url
            )
        }
        return contents
    }

    // MARK: Requests

    override func allocateKeys(root: EntityRuntime, count: Int) throws -> Range<Int64> {
        try rows().allocateKeys(root: root, count: count)
    }

    override func save(_ changes: StoreChanges) throws {
        try rows().save(changes)
    }

    override var takesCopies: Bool { true }

    override func takeCopies(_ body: (_ write: (StoreChanges) throws -> Void) throws -> Void) throws {
        let rows = try rows()
        let state = rows.state
        do {
            try body { try rows.save($0) }
        } catch {
            rows.state = state
            throw error
        }
    }

    override func save(_ changes: StoreChanges, before rest: () throws -> Void) throws {
        let rows = try rows()
        let earlier = rows.state
        do {
            try rows.save(changes)
            try rest()
        } catch {
            rows.state = earlier
            throw error
        }
    }

    override var savesBefore: Int { 1 }

    override var keepsObjects: Bool { true }

    override func takeDerivedRows() -> DerivedRows { contents?.takeDerivedRows() ?? DerivedRows() }

    override func execute(_ batch: any StoreBatch) throws -> BatchChanges {
        try rows().execute(batch) { try save($0) }
    }
}

extension NSPersistentStore {
    /// Notes in the metadata which model the store is of, as every store says it.
    final func addModelMetadata(_ model: ModelRuntime) {
        var metadata: [String: Any] = self.metadata ?? [:]
        let hashes = VersionHash.hashes(of: model.index).mapValues(\.data)
        metadata[NSStoreModelVersionHashesKey] = hashes
        metadata[NSStoreModelVersionIdentifiersKey] = model.managed.model.versionIdentifiers.map { $0 }
        self.metadata = metadata
    }
}
