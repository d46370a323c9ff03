// Many models: in batches, by conditions.

@_spi(SwiftData) import CoreData
public import Foundation

extension ModelContext {
    /// Calls a closure with each model that a descriptor finds, reading them in batches and letting go of each before the next.
    ///
    /// - Parameters:
    ///   - descriptor: the models that are looked for.
    ///   - batchSize: how many are read at once.
    ///   - allowEscapingMutations: whether the closure may leave unsaved changes behind; models that it changed stay in memory.
    ///   - block: the closure.
    /// - Throws: what `fetch(_:)` and the closure throw; `SwiftDataError.modelValidationFailure` where a batch leaves
    ///   unsaved changes behind that aren't allowed.
    public func enumerate<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int = 5000, allowEscapingMutations: Bool = false,
        block: (_ model: T) throws -> Void
    ) throws {
        if let client = clientFetch(try binding(of: T.self)) {
            return try client.models(descriptor).forEach(block)
        }
        takeOverSaves()
        let identifiers = try managed.fetch(objectIDRequest(descriptor))
        let hadChanges = managed.hasChanges
        var start = 0
        while start < identifiers.count {
            let end = min(identifiers.count, start + max(1, batchSize))
            for model in try models(with: Array(identifiers[start..<end])) as [T] { try block(model) }
            if !allowEscapingMutations, !hadChanges, managed.hasChanges {
                throw SwiftDataError.modelValidationFailure.because(
                    "enumerate left unsaved changes; save them in the closure or allow escaping mutations")
            }
            start = end
        }
    }

    private func objectIDRequest<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>
    ) throws -> NSFetchRequest<NSManagedObjectID> {
        let request = try request(descriptor, try binding(of: T.self), as: NSManagedObjectID.self)
        request.resultType = .managedObjectIDResultType
        return request
    }

    /// The models of identifiers of one class or subclasses, read at once.
    func models<T: PersistentModel>(with ids: [NSManagedObjectID]) throws -> [T] {
        let binding = try binding(of: T.self)
        let stored = ids.filter { !$0.isTemporaryID }
        var objects: [_ModelObject] = []
        if !stored.isEmpty {
            let request = NSFetchRequest<_ModelObject>()
            request.entity = binding.entity
            request.predicate = NSPredicate(format: "SELF IN %@", stored as NSArray)
            request.includesPendingChanges = false
            objects = try managed.fetch(request)
        }
        return withExtendedLifetime(objects) {
            ids.compactMap { id in
                (managed.registeredObject(for: id) as? _ModelObject).map { $0.bound.model(as: T.self) }
            }
        }
    }

    /// Has the next save delete all models of a class that fulfil a condition. Delete rules apply.
    ///
    /// - Parameters:
    ///   - model: the class.
    ///   - predicate: the condition; nil for all.
    ///   - includeSubclasses: whether models of subclasses are deleted too.
    /// - Throws: what `fetch(_:)` throws.
    public func delete<T: PersistentModel>(
        model: T.Type, where predicate: Predicate<T>? = nil, includeSubclasses: Bool = true
    ) throws {
        let binding = try binding(of: T.self)
        if let client = clientFetch(binding) {
            return try client.delete(predicate, includeSubclasses: includeSubclasses)
        }
        takeOverSaves()
        let request = try self.request(FetchDescriptor(predicate: predicate), binding, as: _ModelObject.self)
        request.includesSubentities = includeSubclasses
        for object in try managed.fetch(request) { managed.delete(object) }
        awaitEndOfEvent()
    }

    /// Returns the models that a descriptor finds as a collection that reads them in batches as they are asked for.
    ///
    /// - Parameters:
    ///   - descriptor: the models that are looked for.
    ///   - batchSize: how many are read at once.
    /// - Throws: what `fetch(_:)` throws; `SwiftDataError.includePendingChangesWithBatchSize` where the descriptor includes
    ///   pending changes and there are some.
    public func fetch<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int
    ) throws -> FetchResultsCollection<T> {
        try checkBatches(descriptor)
        if let client = clientFetch(try binding(of: T.self)) {
            return FetchResultsCollection(try client.models(descriptor))
        }
        takeOverSaves()
        let ids = try managed.fetch(objectIDRequest(descriptor))
        return FetchResultsCollection(count: ids.count, batchSize: batchSize) { range in
            (try? self.models(with: Array(ids[range]))) ?? ids[range].compactMap { self.model(of: $0) as? T }
        }
    }

    /// Returns the identifiers of the models that a descriptor finds as a collection.
    ///
    /// - Parameters:
    ///   - descriptor: the models that are looked for.
    ///   - batchSize: how many are read at once.
    /// - Throws: what `fetch(_:batchSize:)` throws.
    public func fetchIdentifiers<T: PersistentModel>(
        _ descriptor: FetchDescriptor<T>, batchSize: Int
    ) throws -> FetchResultsCollection<PersistentIdentifier> {
        try checkBatches(descriptor)
        if let client = clientFetch(try binding(of: T.self)) {
            return FetchResultsCollection(try client.identifiers(descriptor))
        }
        takeOverSaves()
        let ids = try managed.fetch(objectIDRequest(descriptor))
        return FetchResultsCollection(count: ids.count, batchSize: batchSize) { range in
            ids[range].map(PersistentIdentifier.init)
        }
    }

    private func checkBatches<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws {
        if descriptor.includePendingChanges, managed.hasChanges {
            throw SwiftDataError.includePendingChangesWithBatchSize
        }
    }

    private func model(of id: NSManagedObjectID) -> (any PersistentModel)? {
        (managed.object(with: id) as? _ModelObject)?.bound.anyModel
    }
}
