// An asynchronous fetch being carried out: rows are read beside the context's queue, objects made on it.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Dispatch
import Foundation
import Synchronization

/// One asynchronous fetch.
///
/// Unchecked because the request, the result and the context are touched on the context's queue only; the reader
/// gets values.
final class AsynchronousFetch: @unchecked Sendable {
    private let request: any AsynchronousFetchWithFields
    private let context: NSManagedObjectContext
    private let result: NSPersistentStoreAsynchronousResult
    /// Indicates whether the context has saved or merged since the rows were asked for: they may be
    /// older than what it knows.
    private let hasMovedOn = Atomic(false)

    private typealias Slabs = [(store: NSPersistentStore, slab: RowSlab)]

    /// Takes part in the caller's progress, if there is one.
    init(_ request: any AsynchronousFetchWithFields, in context: NSManagedObjectContext) {
        self.request = request
        self.context = context
        var progress: Progress?
        if Progress.current() != nil {
            let estimate = request.estimatedResultCount
            progress = Progress(totalUnitCount: estimate > 0 ? Int64(estimate) : -1)
        }
        result = request.makeResult(context: context, progress: progress)
    }

    /// Puts the fetch behind what already waits on the context's queue.
    func start() -> NSPersistentStoreAsynchronousResult {
        context.perform { self.begin() }
        return result
    }

    private func begin() {
        do {
            try result.cancellation.check()
            let fetch = try ResolvedFetch(request.fields, affected: request.affectedStores, in: context)
            if let objectClass = request.objectClass { fetch.entity.noteClass(objectClass) }
            if request.fields.resultType != .managedObjectResultType {
                return finish(.success(try others(fetch)))
            }
            if request.fields.fetchBatchSize > 0 || !request.fields.includesPropertyValues
                || fetch.stores.contains(where: \.deliversFaults)
            {
                return finish(.success(try context.fetchObjects(fetch)))
            }
            try objects(fetch)
        } catch {
            finish(.failure(error))
        }
    }

    private func finish(_ outcome: Result<[Any], any Error>) {
        let fetched = outcome.flatMap { results in
            context.readError.map { .failure($0) } ?? .success(results)
        }
        if let progress = result.progress, case .success(let results) = fetched {
            progress.totalUnitCount = max(1, Int64(results.count))
            progress.completedUnitCount = progress.totalUnitCount
        }
        request.finish(result, with: fetched)
    }

    /// IDs, dictionaries or a count: values, that need no objects.
    private func others(_ fetch: ResolvedFetch) throws -> [Any] {
        let read = { [self] in try context.results(request.fields, affected: request.affectedStores) }
        guard fetch.stores.count == 1 else { return try read() }
        return try context.withStores { try result.cancellation.asking(fetch.stores[0], body: read) }
    }

    // MARK: Objects

    /// Reads beside the queue if the stores allow it. Others may call a client's code, and what stands for a parent
    /// context asks its child: those belong on it.
    private func objects(_ fetch: ResolvedFetch) throws {
        context.applyPendingDeletes()
        let isBounded = fetch.isAnswered(under: PendingOverlay(context, fetch: fetch))
        guard fetch.stores.allSatisfy({ $0.rowStore?.readsOnAnyThread == true }) else {
            let slabs = try context.withStores { try read(fetch, isBounded: isBounded) }
            return finish(.success(try made(slabs, fetch: fetch, isBounded: isBounded)))
        }
        let tokens = [
            Notification.Name.NSManagedObjectContextDidSave, .NSManagedObjectContextDidMergeChangesObjectIDs,
        ].map {
            NotificationCenter.default.addObserver(forName: $0, object: context, queue: nil) {
                [weak self] _ in self?.hasMovedOn.store(true, ordering: .relaxed)
            }
        }
        let (fetch, observations) = (UncheckedReference(fetch), UncheckedReference(tokens))
        DispatchQueue.global().async { [self] in
            let coordinator = context.requiredCoordinator
            let slabs = UncheckedReference(
                Result {
                    try coordinator.withRequester(context) { try read(fetch.value, isBounded: isBounded) }
                })
            context.perform { [self] in
                for token in observations.value { NotificationCenter.default.removeObserver(token) }
                finish(Result { try made(slabs.value.get(), fetch: fetch.value, isBounded: isBounded) })
            }
        }
    }

    /// With the stores held.
    private func read(_ fetch: ResolvedFetch, isBounded: Bool) throws -> Slabs {
        let request = isBounded ? fetch.storeFetch : fetch.storeFetch.unbounded
        let cancellation = result.cancellation
        var slabs: Slabs = []
        for store in fetch.stores {
            try cancellation.asking(store) {
                try store.fetchRows(request) { slab in
                    try cancellation.check()
                    slabs.append((store, slab))
                    advance(by: slab.count)
                }
            }
        }
        return slabs
    }

    /// Counts rows. If their number was estimated, the last step of the progress is the objects.
    private func advance(by count: Int) {
        guard let progress = result.progress else { return }
        let read = progress.completedUnitCount + Int64(count)
        let isEstimated = request.estimatedResultCount > 0
        progress.completedUnitCount = isEstimated ? min(read, progress.totalUnitCount - 1) : read
    }

    /// The objects of rows. Changes of the context since they were read count as in any fetch; if it saved or
    /// merged, or changes now bear on a bounded result, the rows are read again.
    private func made(_ slabs: Slabs, fetch: ResolvedFetch, isBounded: Bool) throws -> [NSManagedObject] {
        try result.cancellation.check()
        context.applyPendingDeletes()
        let overlay = PendingOverlay(context, fetch: fetch)
        if hasMovedOn.load(ordering: .relaxed) || isBounded && !fetch.isAnswered(under: overlay) {
            return try context.fetchObjects(fetch)
        }
        var objects: [NSManagedObject] = []
        for (store, slab) in slabs {
            context.registerRows(slab, store: store, entity: fetch.entity, into: &objects)
        }
        if fetch.fields.shouldRefreshRefetchedObjects,
            context.refresh(refetched: objects, rows: slabs.map(\.1))
        {
            return try context.fetchObjects(fetch, refreshing: false)
        }
        return try context.complete(objects, fetch: fetch, overlay: overlay)
    }
}
