// The built-in store that lives as long as its coordinator.

import CoreDataPredicate
import CoreDataSchema
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
        contents = MemoryRows(model: model, store: self)
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        contents = nil
    }

    private func rows() throws -> MemoryRows {
        guard let contents else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "The store has been removed from its coordinator.", file: url
            )
        }
        return contents
    }

    // MARK: Requests

    override func fetchRows(_ fetch: StoreFetch, _ body: (RowSlab) throws -> Void) throws {
        let rows = try rows()
        try rows.deliver(rows.answer { try $0.rows(fetch) }, fetch.entity, body)
    }

    override func fetchKeys(_ fetch: StoreFetch) throws -> StoreKeys {
        try rows().answer { try $0.keys(fetch) }
    }

    override func fetchCount(_ fetch: StoreFetch) throws -> Int {
        try rows().answer { rows in try rows.bounded(rows.matching(fetch), fetch).count }
    }

    override func fetchDictionaries(_ fetch: StoreDictionaryFetch) throws -> [[Value]] {
        try rows().answer { try $0.dictionaries(fetch) }
    }

    override func fetchRows(
        entity: EntityRuntime, primaryKeys: [Int64], _ body: (RowSlab) throws -> Void
    ) throws {
        let rows = try rows()
        try rows.deliver(primaryKeys.compactMap { rows.row(entity, $0) }, entity, body)
    }

    override func fetchRow(entity: EntityRuntime, primaryKey: Int64) throws -> RowSlab? {
        let rows = try rows()
        return rows.row(entity, primaryKey).map { rows.slab([$0], $0.entity) }
    }

    override func fetchRelated(
        _ relation: RelationRuntime, of entity: EntityRuntime, sources: [Int64],
        _ body: (RelatedRows) throws -> Void
    ) throws {
        try rows().deliverRelated(relation, sources: sources, body)
    }

    override func allocateKeys(root: EntityRuntime, count: Int) throws -> Range<Int64> {
        try rows().allocateKeys(root: root, count: count)
    }

    override func save(_ changes: StoreChanges) throws {
        try rows().save(changes)
    }
}

extension MemoryRows {
    /// Runs a fetch and words what a predicate or sort descriptor asks in vain.
    func answer<Result>(_ body: (MemoryRows) throws -> Result) throws -> Result {
        do {
            return try body(self)
        } catch let failure as EvaluationFailure {
            throw CoreDataError.make(
                NSCoreDataError, "The fetch can't be answered by the store: \(failure.reason)",
                file: store.url,
                reason: failure.reason)
        }
    }
}

extension NSPersistentStore {
    /// Notes in the metadata which model the store is of, as every store says it.
    final func addModelMetadata(_ model: ModelRuntime) {
        var metadata: [String: Any] = self.metadata ?? [:]
        let isDefault = configurationName == NSManagedObjectModel.defaultConfigurationName
        let names = model.model.entities(forConfigurationName: configurationName)?.compactMap(\.name)
        let hashes = VersionCheck(model.index, isDefault ? nil : names.map(Set.init)).hashes.mapValues(\.data)
        metadata[NSStoreModelVersionHashesKey] = hashes
        metadata[NSStoreModelVersionIdentifiersKey] = model.model.versionIdentifiers.map { $0 }
        self.metadata = metadata
    }
}
