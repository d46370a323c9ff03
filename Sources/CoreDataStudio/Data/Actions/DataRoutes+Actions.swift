// The route to an app's own actions on objects.

import CoreData
import StoreTools

extension DataRoutes {
    private struct Wish: Codable, Sendable {
        var entity: String
        var action: String
        var ids: [String]
    }

    func addActions(to routes: inout StudioRoutes) {
        routes.post("data/actions") { call in
            let wish = try call.body(Wish.self)
            try await call.allow(.update, entity: wish.entity)
            let offered = Self.offered(for: wish.entity, call)
            guard let action = offered.first(where: { $0.name == wish.action }) else {
                throw StudioProblem(status: 404, "There is no action “\(wish.action.prefix(100))”.")
            }
            let grants = await Grants(Self.objectActions, call: call)
            return try await call.workspace.run(action, on: StudioProblem.bounded(wish.ids), grants: grants)
        }
    }

    /// The actions that a page offers for rows of an entity, if the person may do them.
    static func actions(of entity: String, _ call: StudioCall) async -> [StudioValue] {
        guard (try? await call.allow(.update, entity: entity)) != nil else { return [] }
        return offered(for: entity, call).map {
            ["name": .text($0.name), "question": .optional($0.question)]
        }
    }

    private static func offered(for name: String, _ call: StudioCall) -> [StudioObjectAction] {
        let entities = call.studio.model?.entitiesByName ?? [:]
        guard let entity = entities[name] else { return [] }
        return call.studio.options.actions.filter { action in
            entities[action.entity].map { entity.isKindOf(entity: $0) } == true
        }
    }
}

extension DataWorkspace {
    /// Runs an action in a child of the workspace's context: one that fails leaves no trace.
    func run(_ action: StudioObjectAction, on names: [String], grants: Grants) async throws -> StudioValue {
        let ids = try await run { workspace in
            try names.map { name in
                let object = try workspace.object(name)
                guard object.entity.isKindOf(entity: try workspace.entity(action.entity)) else {
                    throw StudioProblem(status: 422, "“\(action.name)” isn't for \(name).")
                }
                try grants.require(object.isInserted ? .insert : .update, entity: object.entity)
                if object.isDeleted {
                    throw StudioProblem(status: 409, "\(name) is marked as deleted: undo that first.")
                }
                return object.objectID
            }
        }
        let scratch = NSManagedObjectContext(.privateQueue)
        scratch.parent = context
        let message = try await scratch.perform { () throws(StudioProblem) in
            do {
                let message = try action.run(ids.map(scratch.object(with:)))
                if scratch.hasChanges { try scratch.save() }
                return message
            } catch let problem as StudioProblem {
                throw problem
            } catch {
                let words = SaveProblem.problems(of: error).map(\.message)
                throw StudioProblem(
                    status: 422, "“\(action.name)” changed nothing. " + words.joined(separator: " "))
            }
        }
        return try await edit(action.name) { workspace in
            ["message": .optional(message), "status": workspace.status]
        }
    }
}
