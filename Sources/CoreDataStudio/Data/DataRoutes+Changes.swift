// Routes to unsaved changes: listed, saved, undone; and the long poll that tells of changes.

import CoreData
import StoreTools

extension DataRoutes {
    private struct Choices: Codable, Sendable {
        /// For each object the keys whose values the others' shall be.
        var theirs: [String: [String]]
    }

    private struct Discarding: Codable, Sendable {
        /// All, if it's missing.
        var ids: [String]?
    }

    func addChanges(to routes: inout StudioRoutes) {
        routes.get("data/changes") { call in
            let since = try call.number("since", default: -1, in: -1...Int(Int32.max))
            let timeout = try call.number("wait", default: 20, in: 0...30)
            let workspace = try call.workspace
            try await workspace.feed.wait(after: since, for: .seconds(timeout), in: call.studio)
            return try await workspace.run(\.status)
        }
        routes.get("data/unsaved") { call in
            let grants = await Grants([.read], call: call)
            return try await call.workspace.run { $0.unsaved(grants) }
        }
        routes.post("data/rehearsal") { call in
            try await call.allow(.sql)
            return try await call.workspace.run { try $0.rehearse() }
        }
        routes.post("data/save") { call in
            try await Self.allowSave(call)
            let grants = await Grants(Self.objectActions, call: call)
            return try await call.workspace.act("Save") { $0.save(grants) }
        }
        routes.post("data/resolution") { call in
            try await Self.allowSave(call)
            let choices = try call.body(Choices.self).theirs
            let grants = await Grants(Self.objectActions, call: call)
            return try await call.workspace.act("Save") { try $0.resolve(choices, grants: grants) }
        }
        addUndo(to: &routes)
    }

    private func addUndo(to routes: inout StudioRoutes) {
        routes.post("data/undo") { call in
            try await call.workspace.act("Undo") { workspace -> StudioValue in
                workspace.undo()
                return workspace.status
            }
        }
        routes.post("data/redo") { call in
            try await call.workspace.act("Redo") { workspace -> StudioValue in
                workspace.redo()
                return workspace.status
            }
        }
        routes.post("data/discard") { call in
            let ids = try call.body(Discarding.self).ids
            return try await call.workspace.act("Discard") { workspace -> StudioValue in
                try workspace.discard(ids)
                return workspace.status
            }
        }
    }

    /// Rights may have changed since the objects were: they are asked for again.
    private static func allowSave(_ call: StudioCall) async throws {
        let pending = try await call.workspace.run { workspace -> [StudioAction: Set<String>] in
            func names(_ objects: Set<NSManagedObject>) -> Set<String> {
                Set(objects.compactMap(\.entity.name))
            }
            let context = workspace.context
            return [
                .insert: names(context.insertedObjects), .delete: names(context.deletedObjects),
                .update: names(context.updatedObjects.filter(\.hasPersistentChangedValues)),
            ]
        }
        for (action, entities) in pending where action != .update {
            for entity in entities { try await call.allow(action, entity: entity) }
        }
        // The other sides of relationships change with objects that may be changed: one right of the two is enough.
        for entity in pending[.update] ?? [] where (try? await call.allow(.update, entity: entity)) == nil {
            let others = pending.filter { $0.key != .update }.values.contains { !$0.isEmpty }
            if !others, pending[.update]?.count == 1 { try await call.allow(.update, entity: entity) }
        }
    }
}
