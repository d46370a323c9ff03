// The work of one session with the stores' objects: a context with unsaved changes that lives across pages.

import CoreData
import StoreTools
import Synchronization

/// The objects of one session.
///
/// Unchecked: what changes is used on the context's queue only, but for the feed, the log and the observers, which have
/// locks of their own.
package final class DataWorkspace: @unchecked Sendable {
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext
    let feed = ChangeFeed()
    let log = SQLLog()
    let exports = ExportSnapshots()
    let turns = ReadTurns()
    /// Only on the context's queue.
    var names: ObjectNames
    /// The conflicts of the last save, until they are resolved. Only on the context's queue.
    var conflicts: [SaveConflict] = []
    private let observers = Mutex<[Observer]>([])

    /// Unchecked: nothing but removing it is done with what the notification centre gives.
    private struct Observer: @unchecked Sendable {
        let token: any NSObjectProtocol
    }

    /// - Parameter user: the person whose transactions they are, if the studio knows.
    package init(_ studio: StudioContext, user: String? = nil) throws {
        guard let coordinator = studio.coordinator else {
            throw StudioProblem(
                status: 404, "The studio was opened without a store: there are no objects to show.")
        }
        self.coordinator = coordinator
        names = ObjectNames(coordinator)
        context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = coordinator
        context.name = "studio"
        context.transactionAuthor = user ?? "studio"
        coordinator.traceSQL()
        if studio.container == nil { ColorTransformer.standIn(for: coordinator.managedObjectModel) }
        let log = log
        context.sqlObserver = { log.note($0) }
        context.performAndWait {
            let undo = UndoManager()
            undo.levelsOfUndo = 200
            context.undoManager = undo
        }
        watch()
    }

    deinit {
        observers.withLock { $0.forEach { NotificationCenter.default.removeObserver($0.token) } }
    }

    var model: NSManagedObjectModel { coordinator.managedObjectModel }

    /// Runs a block on the context's queue. Its changes can be undone as one step.
    func run<Result>(_ body: @escaping @Sendable (DataWorkspace) throws -> Result) async throws -> Result {
        try await context.perform {
            // A value that couldn't be read was the former request's error: this one
            // reads it anew if it needs it.
            if self.context.readError != nil { self.context.refreshAllObjects() }
            return try body(self)
        }
    }

    /// Runs a block that a person's action asks for, and keeps the SQL that it needs under the action's name.
    func act<Result>(
        _ title: String, body: @escaping @Sendable (DataWorkspace) throws -> Result
    ) async throws -> Result {
        try await run { workspace in
            workspace.log.begin(title)
            defer { workspace.log.end() }
            return try body(workspace)
        }
    }

    /// An action that changes objects: one step to undo, of that name. A `status` in its answer says what is unsaved then.
    func edit(
        _ title: String, body: @escaping @Sendable (DataWorkspace) throws -> StudioValue
    ) async throws -> StudioValue {
        try await act(title) { workspace in
            let answer = try workspace.finishing(title, body: body)
            return answer["status"] == nil ? answer : answer.with("status", value: workspace.status)
        }
    }

    /// An edit of one object: its page as it is then, with what is unsaved.
    func editObject(
        _ title: String, grants: Grants,
        body: @escaping @Sendable (DataWorkspace) throws -> NSManagedObject
    ) async throws -> StudioValue {
        try await act(title) { workspace in
            let object = try workspace.finishing(title, body: body)
            return try workspace.page(object, grants: grants).with("status", value: workspace.status)
        }
    }

    private func finishing<Result>(_ title: String, body: (DataWorkspace) throws -> Result) rethrows
        -> Result
    {
        defer {
            context.processPendingChanges()
            feed.note(.edit)
        }
        let result = try body(self)
        context.processPendingChanges()
        context.undoManager?.setActionName(title)
        return result
    }

    /// The entity of a name. Throws a problem of status 404 if the model has none.
    func entity(_ name: String) throws -> NSEntityDescription {
        guard let entity = model.entitiesByName[name] else {
            throw StudioProblem(status: 404, "The model has no entity “\(name.prefix(200))”.")
        }
        return entity
    }

    func object(_ name: String) throws -> NSManagedObject { try names.object(name, in: context) }

    // MARK: Saves by others

    private func watch() {
        let center = NotificationCenter.default
        let own = ObjectIdentifier(context)
        let coordinator = coordinator
        let saved = center.addObserver(forName: .NSManagedObjectContextDidSave, object: nil, queue: nil) {
            [weak self] notification in
            guard let context = notification.object as? NSManagedObjectContext,
                ObjectIdentifier(context) != own,
                context.parent == nil, context.persistentStoreCoordinator === coordinator
            else { return }
            self?.takeOver()
        }
        let remote = center.addObserver(
            forName: .NSPersistentStoreRemoteChange, object: coordinator, queue: nil
        ) { [weak self] _ in self?.takeOver() }
        let both = [saved, remote].map(Observer.init)
        observers.withLock { $0 = both }
    }

    /// Forgets what objects without changes of ours read: they are read anew. Changed ones stay as they are, so that a
    /// save finds the conflict.
    private func takeOver() {
        context.perform { [weak self] in
            guard let self else { return }
            for object in context.registeredObjects where !object.hasChanges && !object.isFault {
                context.refresh(object, mergeChanges: false)
            }
            feed.note(.store)
        }
    }
}
