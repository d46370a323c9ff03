// The open store is brought to the model file's version, and opened again.

import CoreData
import StoreTools
import Synchronization

/// The studio's one migration, which all sessions see.
final class StudioMigration: Sendable {
    private struct State {
        var isRunning = false
        var words = ""
    }

    private let state = Mutex(State())

    /// The progress, for the page that waits.
    var progress: StudioValue {
        state.withLock { ["isRunning": .bool($0.isRunning), "words": .text($0.words)] }
    }

    /// The steps that would be done, line by line.
    static func plan(_ studio: StudioContext) throws -> StudioValue {
        let (store, model, version) = try required(studio)
        let migration = try StoreMigration(of: store.url?.path ?? "", from: nil, to: model.path)
        return [
            "version": version.value(isOffered: true), "lines": .texts(migration.lines),
            "losesData": .bool(migration.losesData),
        ]
    }

    private static func required(_ studio: StudioContext) throws -> (NSPersistentStore, URL, StoreVersion) {
        guard let found = studio.migratable else {
            throw StudioProblem(
                status: 409, "The store is of the model's current version, or can't be migrated here.")
        }
        return found
    }

    /// Closes the store, migrates its file and opens it with the new model; with the old one if that fails, for then
    /// the file is as it was. Gives where the copy is, if one was wished for.
    func run(_ studio: StudioContext, backsUp: Bool) throws -> String? {
        guard
            state.withLock({ state in
                defer { state.isRunning = true }
                return !state.isRunning
            })
        else { throw StudioProblem(status: 409, "A migration is running already.") }
        defer { state.withLock { $0 = State() } }
        let (store, model, _) = try Self.required(studio)
        guard let url = store.url, let coordinator = store.persistentStoreCoordinator else { return nil }
        let migration = try StoreMigration(of: url.path, from: nil, to: model.path)
        let options = store.options
        try coordinator.remove(store)
        do {
            let copy = backsUp ? try migration.backUp() : nil
            try migration.run { words in self.state.withLock { $0.words = words } }
            let newer = try ModelSource(path: model.path).read()
            try studio.replace(coordinator, by: Self.opened(newer, url: url, options: options))
            return copy
        } catch {
            let older = coordinator.managedObjectModel
            try studio.replace(coordinator, by: Self.opened(older, url: url, options: options))
            throw error
        }
    }

    private static func opened(
        _ model: NSManagedObjectModel, url: URL, options: [AnyHashable: Any]?
    ) throws -> NSPersistentStoreCoordinator {
        model.hasNoClasses = true
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let configuration = model.configuration(for: try OpenStore.metadata(of: url))?.name
        _ = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: configuration, at: url, options: options)
        return coordinator
    }
}
