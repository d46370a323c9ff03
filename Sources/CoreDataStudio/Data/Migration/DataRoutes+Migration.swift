// Routes that migrate the open store.

import CoreData
import StoreTools

extension DataRoutes {
    private struct Wish: Codable, Sendable {
        var backsUp: Bool
    }

    func addMigration(to routes: inout StudioRoutes) {
        routes.get("data/migration") { call in
            try await Self.allowMigration(call)
            return try StudioMigration.plan(call.studio)
        }
        routes.get("data/migration/progress") { call in
            try await Self.allowMigration(call)
            return call.studio.part(StudioMigration.self) { StudioMigration() }.progress
        }
        routes.post("data/migration") { call in
            try await Self.allowMigration(call)
            let wish = try call.body(Wish.self)
            for workspace in call.studio.workspaces {
                guard try await workspace.run({ !$0.context.hasChanges }) else {
                    throw StudioProblem(status: 409, "There are unsaved changes: save or discard them first.")
                }
            }
            let migration = call.studio.part(StudioMigration.self) { StudioMigration() }
            let studio = call.studio
            // Beside the threads that answer requests: who waits asks how far it is.
            let copy = try await Task.detached { try migration.run(studio, backsUp: wish.backsUp) }.value
            return StudioValue.record(["backup": .optional(copy)])
        }
    }

    private static func allowMigration(_ call: StudioCall) async throws {
        try await call.allow(.editModel)
        try await call.allow(.update)
    }
}
