// The permissions of a person for each entity, asked for once in a request.

import CoreData

/// The answers of the studio's authorising closure.
struct Grants: Sendable {
    private var entities: [StudioAction: Set<String>] = [:]
    private let isReadOnly: Bool

    /// Asks for each of the actions and all entities of the model.
    init(_ actions: [StudioAction], call: StudioCall) async {
        isReadOnly = call.studio.isReadOnly
        let names = call.studio.model?.entities.compactMap(\.name) ?? []
        for action in actions {
            var allowed: Set<String> = []
            for name in names where (try? await call.allow(action, entity: name)) != nil {
                allowed.insert(name)
            }
            entities[action] = allowed
        }
    }

    func has(_ action: StudioAction, entity: NSEntityDescription?) -> Bool {
        entities[action]?.contains(entity?.name ?? "") ?? false
    }

    /// Throws a problem of status 403 unless it is granted.
    func require(_ action: StudioAction, entity: NSEntityDescription) throws {
        if has(action, entity: entity) { return }
        if isReadOnly, action.changes { throw StudioContext.readOnly }
        throw StudioProblem(status: 403, "You may not \(action.words) of \(entity.name ?? "").")
    }

    /// The entity and those of its subentities that may be read, and what else is said.
    func readable(_ entity: NSEntityDescription, and action: StudioAction = .read) -> [NSEntityDescription] {
        (has(.read, entity: entity) && has(action, entity: entity) ? [entity] : [])
            + entity.subentities.flatMap { readable($0, and: action) }
    }
}
