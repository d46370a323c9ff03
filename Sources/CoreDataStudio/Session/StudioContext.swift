// The parts that all sessions share: the stores, the model file, who may do what.

package import CoreData
import Synchronization

package final class StudioContext: Sendable {
    package let options: StudioOptions
    /// The stores whose objects are shown, if any: others once the store was migrated.
    package var coordinator: NSPersistentStoreCoordinator? { stores.withLock(\.coordinator) }
    /// The container of the app that the studio is part of.
    package let container: NSPersistentContainer?
    /// The model's source, if it can be edited.
    package var modelFile: URL? { options.modelFile }
    package var isReadOnly: Bool { options.isReadOnly }
    private let parts = PartStore()
    private let ending = Atomic(false)

    private struct Stores {
        var coordinator: NSPersistentStoreCoordinator?
        /// The sessions' objects, to ask for unsaved changes.
        var workspaces: [WeakWorkspace] = []
    }

    private struct WeakWorkspace {
        weak var workspace: DataWorkspace?
    }

    private let stores: Mutex<Stores>

    init(
        coordinator: NSPersistentStoreCoordinator?, container: NSPersistentContainer?, options: StudioOptions
    ) {
        stores = Mutex(Stores(coordinator: coordinator))
        self.container = container
        self.options = options
    }

    /// Indicates whether requests that wait for news shall wait no longer.
    var isEnding: Bool { ending.load(ordering: .relaxed) }

    func end() { ending.store(true, ordering: .relaxed) }

    /// The model that the stores are open with.
    package var model: NSManagedObjectModel? { coordinator?.managedObjectModel }

    /// The objects of all sessions on the stores that are shown.
    var workspaces: [DataWorkspace] {
        let all = stores.withLock { $0.workspaces.compactMap(\.workspace) }
        return all.filter { $0.coordinator === coordinator }
    }

    func add(_ workspace: DataWorkspace) {
        stores.withLock { stores in
            stores.workspaces.removeAll { $0.workspace == nil }
            stores.workspaces.append(WeakWorkspace(workspace: workspace))
        }
    }

    /// Shows other stores in place of those that were: sessions begin anew with them.
    func replace(_ old: NSPersistentStoreCoordinator, by new: NSPersistentStoreCoordinator) {
        stores.withLock { if $0.coordinator === old { $0.coordinator = new } }
    }

    /// The studio's one value of a type, made at first use.
    package func part<Part: Sendable>(_ type: Part.Type, make: () throws -> Part) rethrows -> Part {
        try parts.part(type, make: make)
    }

    static let readOnly = StudioProblem(
        status: 403, "The studio was opened read-only: nothing can be changed.")

    /// Throws 403 unless the person may do this.
    package func allow(_ action: StudioAction, entity: String?, user: String?) async throws {
        if isReadOnly, action.changes {
            throw Self.readOnly
        }
        let isCovered = options.users.isEmpty || role(of: user)?.covers(action) == true
        let access = StudioAccess(user: user, entity: entity, action: action)
        guard isCovered, await options.authorise?(access) != false else {
            let place = entity.map { " of \($0)" } ?? ""
            throw StudioProblem(status: 403, "You may not \(action.words)\(place).")
        }
    }

    /// The role of a user of the options; nil for a person whom they don't name.
    func role(of user: String?) -> StudioUser.Role? {
        options.users.first { $0.name == user }?.role
    }
}
