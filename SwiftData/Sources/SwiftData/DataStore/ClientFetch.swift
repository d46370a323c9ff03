// Fetching from stores of clients' own: by descriptors, with what the store can't do done on models.

import CoreData
import Foundation

/// Fetches of one context from one client's store.
struct ClientFetch {
    let context: ModelContext
    let store: ClientStore

    /// The models that a descriptor finds, with the context's unsaved changes unless the descriptor leaves them out.
    func models<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
        let changes = descriptor.includePendingChanges ? PendingChanges(context, T.self) : nil
        if let changes, !changes.isEmpty {
            // Bounds count over what is stored and what isn't together.
            var all = descriptor
            (all.fetchLimit, all.fetchOffset) = (nil, nil)
            let stored = try fetched(all)
            return try finish(changes.applied(to: stored, descriptor.predicate), descriptor, isSorted: false)
        }
        return try fetched(descriptor)
    }

    func count<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> Int {
        if descriptor.includePendingChanges, !PendingChanges(context, T.self).isEmpty {
            return try models(descriptor).count
        }
        do {
            return try locked { try store.bridge.count(descriptor, context.editingState) }
        } catch let error as DataStoreError where error.isPreference {
            return try fetched(descriptor).count
        }
    }

    func identifiers<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [PersistentIdentifier] {
        if descriptor.includePendingChanges, !PendingChanges(context, T.self).isEmpty {
            return try models(descriptor).map(\.persistentModelID)
        }
        do {
            return try locked { try store.bridge.identifiers(descriptor, context.editingState) }
        } catch let error as DataStoreError where error.isPreference {
            return try fetched(descriptor).map(\.persistentModelID)
        }
    }

    /// Has models deleted: at once by a store that can by a condition, else with the next save.
    func delete<T: PersistentModel>(_ predicate: Predicate<T>?, includeSubclasses: Bool) throws {
        do {
            let isDone = try locked {
                try store.bridge.delete(
                    T.self, predicate, includeSubclasses: includeSubclasses, context.editingState)
            }
            if isDone { return }
        } catch DataStoreError.preferInMemoryFilter {
            // It deletes by the identifiers that a save gives it.
        }
        for model in try models(FetchDescriptor<T>(predicate: predicate))
        where includeSubclasses || type(of: model) == T.self {
            context.delete(model)
        }
    }

    // MARK: What is stored

    private func fetched<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
        do {
            return try ask(descriptor)
        } catch DataStoreError.preferInMemoryFilter {
            // Who can't filter can't cut either; it may be able to sort.
            var all = FetchDescriptor<T>(sortBy: descriptor.sortBy)
            all.relationshipKeyPathsForPrefetching = descriptor.relationshipKeyPathsForPrefetching
            let found: [T]
            let isSorted: Bool
            do {
                (found, isSorted) = (try ask(all), true)
            } catch DataStoreError.preferInMemorySort {
                (found, isSorted) = (try ask(FetchDescriptor<T>()), false)
            }
            let kept = try descriptor.predicate.map { predicate in
                try found.filter { try predicate.evaluate($0) }
            }
            return try finish(kept ?? found, descriptor, isSorted: isSorted)
        } catch DataStoreError.preferInMemorySort {
            let found: [T] = try ask(FetchDescriptor<T>(predicate: descriptor.predicate))
            return try finish(found, descriptor, isSorted: false)
        }
    }

    private func ask<T: PersistentModel>(_ descriptor: FetchDescriptor<T>) throws -> [T] {
        let (ids, changed) = try locked {
            let answer = try store.bridge.fetch(descriptor, context.editingState)
            let changed = store.keep(answer.related + answer.found)
            return (
                answer.found.compactMap { store.objectID(of: $0.identifier) },
                changed.compactMap { store.objectID(of: $0) }
            )
        }
        // The context shows what the store told now, where it has no changes of its own.
        for id in changed {
            guard let object = context.managed.registeredObject(for: id), !object.hasChanges, !object.isFault
            else {
                continue
            }
            context.managed.refresh(object, mergeChanges: false)
        }
        return ids.compactMap { id in
            (context.managed.object(with: id) as? _ModelObject)?.bound.anyModel as? T
        }
    }

    private func finish<T: PersistentModel>(
        _ models: [T], _ descriptor: FetchDescriptor<T>, isSorted: Bool
    ) throws -> [T] {
        var found = models
        if !isSorted, !descriptor.sortBy.isEmpty { found = found.sorted(using: descriptor.sortBy) }
        if let offset = descriptor.fetchOffset, offset > 0 { found = Array(found.dropFirst(offset)) }
        if let limit = descriptor.fetchLimit, limit > 0 { found = Array(found.prefix(limit)) }
        return found
    }

    /// The coordinator's lock guards the client's store, as it does when faults are fired.
    private func locked<Result>(_ body: () throws -> Result) throws -> Result {
        var result: Swift.Result<Result, any Error>?
        context.container.coordinator.performAndWait { result = Swift.Result { try body() } }
        guard let result else { preconditionFailure("a block that is waited for was run") }
        return try result.get()
    }
}

extension DataStoreError {
    /// The store wants to be asked for more, and the rest done in memory.
    fileprivate var isPreference: Bool { self == .preferInMemoryFilter || self == .preferInMemorySort }
}

/// The models of one type that a context changed and didn't save.
private struct PendingChanges<T: PersistentModel> {
    private let inserted: [T]
    private let updated: [T]
    private let deleted: Set<T>

    init(_ context: ModelContext, _ type: T.Type) {
        context.processPendingChanges()
        inserted = context.insertedModelsArray.compactMap { $0 as? T }
        updated = context.changedModelsArray.compactMap { $0 as? T }
        deleted = Set(context.deletedModelsArray.compactMap { $0 as? T })
    }

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    /// Returns what was found as it is with the changes.
    func applied(to found: [T], _ predicate: Predicate<T>?) throws -> [T] {
        let changed = Set(inserted + updated)
        let kept = found.filter { !deleted.contains($0) && !changed.contains($0) }
        return kept + (try (inserted + updated).filter { try predicate?.evaluate($0) ?? true })
    }
}
