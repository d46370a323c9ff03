// What the contexts of a container tell each other of their saves.

@_spi(SwiftData) import CoreData
import Foundation
import Synchronization

/// Hands the saves of a coordinator's contexts to the inboxes of the others.
final class SaveExchange: Sendable {
    private let list = InboxList()
    // Unchecked in effect only: the token is never looked into, and handed back to the centre once.
    nonisolated(unsafe) private let token: any NSObjectProtocol

    init(_ coordinator: NSPersistentStoreCoordinator) {
        let known = ObjectIdentifier(coordinator)
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSaveObjectIDs, object: nil, queue: nil
        ) { [list] note in
            guard let saver = note.object as? NSManagedObjectContext,
                saver.persistentStoreCoordinator.map(ObjectIdentifier.init) == known
            else { return }
            // What is new in the stores is nothing that another context could have.
            list.deliver(
                SavedRows(
                    updated: note.userInfo?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID> ?? [],
                    deleted: note.userInfo?[NSDeletedObjectIDsKey] as? Set<NSManagedObjectID> ?? []),
                from: ObjectIdentifier(saver))
        }
    }

    deinit { NotificationCenter.default.removeObserver(token) }

    func add(_ inbox: SaveInbox) { list.inboxes.withLock { $0[inbox.reader] = inbox } }

    func remove(_ inbox: SaveInbox) { list.inboxes.withLock { $0[inbox.reader] = nil } }
}

/// The inboxes of a coordinator's contexts.
private final class InboxList: Sendable {
    let inboxes = Mutex<[ObjectIdentifier: SaveInbox]>([:])

    func deliver(_ rows: SavedRows, from saver: ObjectIdentifier) {
        if rows.isEmpty { return }
        let others = inboxes.withLock { all in all.filter { $0.key != saver }.values }
        for inbox in others { inbox.put(rows) }
    }
}

/// Rows that were changed and deleted by saves.
struct SavedRows: Sendable {
    /// A context that isn't used while others save more rows than this looks at all that it has instead.
    static let limit = 100_000

    var updated: Set<NSManagedObjectID> = []
    var deleted: Set<NSManagedObjectID> = []
    /// Indicates that there were too many to keep.
    private(set) var areMany = false

    var isEmpty: Bool { updated.isEmpty && deleted.isEmpty && !areMany }

    mutating func add(_ new: SavedRows, limit: Int = limit) {
        if areMany { return }
        updated.formUnion(new.updated)
        deleted.formUnion(new.deleted)
        if updated.count + deleted.count <= limit { return }
        (updated, deleted, areMany) = ([], [], true)
    }
}

/// The rows that other contexts saved since a context last looked.
///
/// It is filled on whatever thread saves. Only the context's owner empties it, as one thread at a time uses a
/// context.
final class SaveInbox: Sendable {
    /// The managed object context whose inbox this is.
    let reader: ObjectIdentifier
    private let rows = Mutex(SavedRows())
    /// Asked before each use of the context, which shouldn't take a lock.
    private let isFilled = Atomic(false)
    /// The context of the main actor, which is told at once.
    private let main: MainReader?

    init(of context: ModelContext) {
        reader = ObjectIdentifier(context.managed)
        main = context.isMain ? MainReader(context: context) : nil
    }

    /// Adds rows. A main context takes them over soon, so that those who observe its models are told.
    func put(_ new: SavedRows) {
        let wasEmpty = rows.withLock { rows in
            let wasEmpty = rows.isEmpty
            rows.add(new)
            isFilled.store(true, ordering: .releasing)
            return wasEmpty
        }
        guard wasEmpty, let main else { return }
        Task { @MainActor in main.context?.takeOverSaves() }
    }

    /// The rows so far, which are no longer there; nil if there are none.
    func take() -> SavedRows? {
        guard isFilled.load(ordering: .acquiring) else { return nil }
        return rows.withLock { rows in
            isFilled.store(false, ordering: .releasing)
            defer { rows = SavedRows() }
            return rows.isEmpty ? nil : rows
        }
    }

    /// Unchecked because the context is used on the main actor only, and the reference never changes but to
    /// nil.
    private struct MainReader: @unchecked Sendable {
        weak var context: ModelContext?
    }
}

extension ModelContext {
    /// Takes over what other contexts of the container saved since the last time: models that are here get
    /// fresh values, but for properties with unsaved changes, or count as deleted. Called by the owner only,
    /// before each use of the context.
    func takeOverSaves() {
        if isTakingOver { return }
        guard let rows = inbox.take() else { return }
        let (updated, deleted) = registered(rows)
        if updated.isEmpty && deleted.isEmpty { return }
        // Observers are told meanwhile, and may use the context.
        isTakingOver = true
        defer { isTakingOver = false }
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectIDsKey: updated, NSDeletedObjectIDsKey: deleted],
            into: [managed])
        if !deleted.isEmpty { letGoOfDeleted() }
    }

    /// The rows of which there are objects.
    func registered(
        _ rows: SavedRows
    ) -> (updated: Set<NSManagedObjectID>, deleted: Set<NSManagedObjectID>) {
        guard rows.areMany else {
            return (
                rows.updated.filter { managed.registeredObject(for: $0) != nil },
                rows.deleted.filter { managed.registeredObject(for: $0) != nil }
            )
        }
        let all = managed.registeredObjects.map(\.objectID).filter { !$0.isTemporaryID }
        var present: Set<NSManagedObjectID> = []
        for (entity, ids) in Dictionary(grouping: all, by: \.entity) {
            let request = NSFetchRequest<NSManagedObjectID>(entityName: entity.name ?? "")
            request.resultType = .managedObjectIDResultType
            request.includesPendingChanges = false
            request.predicate = NSPredicate(format: "SELF IN %@", ids)
            do {
                present.formUnion(try managed.fetch(request))
            } catch {
                ValueLog.warn("whether models are still in the store couldn't be read: \(error)")
                present.formUnion(ids)
            }
        }
        return (present, Set(all).subtracting(present))
    }

    /// Lets models go that other contexts deleted, unless there are unsaved changes: then they stay until the
    /// save. They are nothing that a save would write, so they don't count as changes either.
    func letGoOfDeleted() {
        guard managed.hasChanges else { return }
        let unsaved = managed.unsaved
        guard unsaved.inserted.isEmpty, unsaved.updated.isEmpty, unsaved.deleted.isEmpty else { return }
        do {
            try managed.save()
            releaseHeld()
        } catch {
            ValueLog.warn("models that another context deleted couldn't be let go: \(error)")
        }
    }
}
