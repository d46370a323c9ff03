// Executes batch requests: finds entity and stores, hands each store its part, puts the answers together.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// A request that changes rows without objects.
protocol BatchRequest: NSPersistentStoreRequest {
    /// Executes the request on the stores of a context without parent.
    func execute(in context: NSManagedObjectContext, _ policy: NSMergePolicyType) throws
        -> NSPersistentStoreResult
}

extension NSManagedObjectContext {
    /// Executes a batch request on the stores themselves, past all parents, under this context's merge policy.
    final func executeBatch(_ request: any BatchRequest) throws -> NSPersistentStoreResult {
        let policy = (mergePolicy as? NSMergePolicy ?? .error).mergeType
        var root = self
        while let parent = root.parentContext { root = parent }
        if root === self { return try request.execute(in: self, policy) }
        return try root.performAndWait {
            try root.throwReadError()
            return try request.execute(in: root, policy)
        }
    }

    fileprivate final func batchEntity(
        _ description: NSEntityDescription?, name: String
    ) throws -> EntityRuntime {
        guard
            let entity = description.flatMap({ runtime.entity(for: $0) })
                ?? (description == nil ? runtime.entity(spelled: name) : nil)
        else {
            throw RequestErrors.wrong(
                "entity \"\(name)\" of a batch request is not in the context's model", entity: name)
        }
        return entity
    }

    /// Does a store's part of a batch; reading the store's answer, IDs among it, still under the lock.
    fileprivate final func execute<Answer>(
        _ batch: StoreBatch, on store: NSPersistentStore, read: (BatchChanges) -> Answer
    ) throws -> Answer {
        return try withStores {
            read(try batch.progress.asking(store) { try store.execute(batch) })
        }
    }
}

/// The answers of several stores, put together.
private struct BatchAnswer {
    var count = 0
    var objectIDs: [NSManagedObjectID] = []

    init() {}

    mutating func add(
        _ batch: StoreBatch, on store: NSPersistentStore, in context: NSManagedObjectContext
    ) throws {
        try context.execute(batch, on: store) { changes in
            count += changes.count
            if batch.collectsKeys {
                objectIDs += changes.objectIDs(in: store, context.runtime)
            }
        }
    }
}

extension NSBatchInsertRequest: BatchRequest {
    func execute(in context: NSManagedObjectContext, _ policy: NSMergePolicyType) throws
        -> NSPersistentStoreResult
    {
        let entity = try context.batchEntity(entity, name: entityName)
        let store = try store(for: entity, in: context)
        if entity.isAbstract {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                description: "The entity \"\(entity.name)\" is abstract: it has no rows.",
                file: store.url, entity: entity.name)
        }
        let progress = BatchProgress(total: total)
        let batch = BatchInsert(
            entity: entity, source: source(BatchRowWriter(entity, for: store)), conflicts: .init(policy),
            collectsKeys: resultType == .objectIDs, progress: progress)
        var answer = BatchAnswer()
        try answer.add(.insert(batch), on: store, in: context)
        progress.finish(answer.count)
        let result: Any =
            switch resultType {
            case .statusOnly: true
            case .objectIDs: answer.objectIDs
            case .count: answer.count
            }
        return NSBatchInsertResult(result, type: resultType)
    }

    private var total: Int {
        managedObjectHandler == nil && dictionaryHandler == nil ? objectsToInsert?.count ?? 0 : -1
    }

    private func source(_ writer: BatchRowWriter) -> any BatchRowSource {
        if let managedObjectHandler { return ObjectRows(managedObjectHandler, writer: writer) }
        if let dictionaryHandler { return DictionaryRows(dictionaryHandler, writer: writer) }
        return DictionaryRows(objectsToInsert ?? [], writer: writer)
    }

    /// New rows go to one store: the first of the request's that may hold them, or the one of new objects.
    private func store(for entity: EntityRuntime, in context: NSManagedObjectContext) throws
        -> NSPersistentStore
    {
        let coordinator = context.requiredCoordinator
        let store =
            affectedStores.map { stores in stores.first { coordinator.store($0, mayHold: entity.managed) } }
            ?? coordinator.store(forNew: entity.managed)
        if let store { return store }
        throw CoreDataError.make(
            NSPersistentStoreSaveError,
            description: "No store of the coordinator holds entity \"\(entity.name)\".", file: nil,
            entity: entity.name)
    }
}

extension NSBatchUpdateRequest: BatchRequest {
    func execute(in context: NSManagedObjectContext, _ policy: NSMergePolicyType) throws
        -> NSPersistentStoreResult
    {
        let entity = try context.batchEntity(known, name: entityName)
        known = entity.managed.description
        guard let propertiesToUpdate, !propertiesToUpdate.isEmpty else {
            throw RequestErrors.wrong("a batch update must have properties to update", entity: entity.name)
        }
        var fetch = StoreFetch(entity: entity)
        fetch.includesSubentities = includesSubentities
        fetch.predicate = try predicate.map {
            try ResolvedFetch.folded(
                $0.tree, of: entity.managed, includesSubentities: includesSubentities, in: context)
        }
        let progress = BatchProgress()
        var answer = BatchAnswer()
        for store in context.requiredCoordinator.stores(for: entity.managed, affected: affectedStores) {
            let batch = BatchUpdate(
                fetch: fetch, values: try BatchValues(propertiesToUpdate, entity: entity, for: store),
                collectsKeys: resultType == .updatedObjectIDsResultType, progress: progress)
            try answer.add(.update(batch), on: store, in: context)
        }
        progress.finish(answer.count)
        let result: Any =
            switch resultType {
            case .statusOnlyResultType: true
            case .updatedObjectIDsResultType: answer.objectIDs
            case .updatedObjectsCountResultType: answer.count
            }
        return NSBatchUpdateResult(result, type: resultType)
    }
}

extension NSBatchDeleteRequest: BatchRequest {
    func execute(in context: NSManagedObjectContext, _ policy: NSMergePolicyType) throws
        -> NSPersistentStoreResult
    {
        let progress = BatchProgress()
        var answer = BatchAnswer()
        if let objectIDs {
            try delete(objectIDs, in: context, progress: progress, answer: &answer)
        } else {
            let fetch = try ResolvedFetch(fields, affected: affectedStores, in: context)
            if !fetch.memorySort.isEmpty {
                throw CoreDataError.make(
                    NSCoreDataError,
                    description: "A batch deletion can't sort by a comparator of the client's.",
                    file: nil, entity: fetch.entity.name)
            }
            for store in fetch.stores {
                try answer.add(
                    batch(fetch.storeFetch, primaryKeys: nil, progress: progress), on: store, in: context)
            }
        }
        progress.finish(answer.count)
        let result: Any =
            switch resultType {
            case .resultTypeStatusOnly: true
            case .resultTypeObjectIDs: answer.objectIDs
            case .resultTypeCount: answer.count
            }
        return NSBatchDeleteResult(result, type: resultType)
    }

    private func batch(
        _ fetch: StoreFetch, primaryKeys: [Int64]?, progress: BatchProgress
    ) -> StoreBatch {
        .delete(
            BatchDelete(
                fetch: fetch, primaryKeys: primaryKeys, collectsKeys: resultType == .resultTypeObjectIDs,
                progress: progress))
    }

    private func delete(
        _ objectIDs: [NSManagedObjectID], in context: NSManagedObjectContext, progress: BatchProgress,
        answer: inout BatchAnswer
    ) throws {
        guard let first = objectIDs.first else { return }
        let entity = try context.batchEntity(nil, name: first.runtime.name)
        for identity in objectIDs {
            guard identity.runtime.name == entity.name, !identity.isTemporaryID else {
                throw CoreDataError.make(
                    NSPersistentStoreSaveError,
                    description:
                        "A batch deletion takes permanent IDs of one entity; \(identity) is not one of "
                        + "\"\(entity.name)\".", file: nil, entity: entity.name)
            }
        }
        for store in context.requiredCoordinator.stores(for: entity.managed, affected: affectedStores) {
            let keys = objectIDs.filter { $0.storeIdentifier == store.identifier }.map(\.primaryKey)
            if keys.isEmpty { continue }
            try answer.add(
                batch(StoreFetch(entity: entity), primaryKeys: keys, progress: progress), on: store,
                in: context)
        }
    }
}
