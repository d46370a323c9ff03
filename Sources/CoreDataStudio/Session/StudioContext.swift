// What all sessions share: the stores, the model file, who may do what.

package import CoreData
import Synchronization

package final class StudioContext: Sendable {
    package let options: StudioOptions
    /// The stores whose objects are shown, if any.
    package let coordinator: NSPersistentStoreCoordinator?
    /// The container of the app that the studio is part of.
    package let container: NSPersistentContainer?
    /// The model's source, if it can be edited.
    package var modelFile: URL? { options.modelFile }
    package var isReadOnly: Bool { options.isReadOnly }
    private let parts = PartStore()
    private let ending = Atomic(false)

    init(
        coordinator: NSPersistentStoreCoordinator?, container: NSPersistentContainer?, options: StudioOptions
    ) {
        self.coordinator = coordinator
        self.container = container
        self.options = options
    }

    /// Whether requests that wait for news shall wait no longer.
    var isEnding: Bool { ending.load(ordering: .relaxed) }

    func end() { ending.store(true, ordering: .relaxed) }

    /// The model that the stores are open with.
    package var model: NSManagedObjectModel? { coordinator?.managedObjectModel }

    /// The studio's one value of a type, made at first use.
    package func part<Part: Sendable>(_ type: Part.Type, _ make: () throws -> Part) rethrows -> Part {
        try parts.part(type, make)
    }

    static let readOnly = StudioProblem(
        status: 403, "The studio was opened read-only: nothing can be changed.")

    /// Throws 403 unless the person may do this.
    package func allow(_ action: StudioAction, entity: String?, user: String?) async throws {
        if isReadOnly, action.changes {
            throw Self.readOnly
        }
        guard let authorise = options.authorise else { return }
        guard await authorise(StudioAccess(user: user, entity: entity, action: action)) else {
            let place = entity.map { " of \($0)" } ?? ""
            throw StudioProblem(status: 403, "You may not \(action.words)\(place).")
        }
    }
}
