// Routes to views of rows that have a name.

import CoreData

extension DataRoutes {
    private struct Views: Encodable, Sendable {
        var views: [SavedView]
        /// The file that keeps them; nil where there is none.
        var place: String?
        var canSave: Bool
    }

    private struct ViewName: Codable, Sendable {
        var entity: String
        var name: String
    }

    func addViews(to routes: inout StudioRoutes) {
        routes.get("data/views/:entity") { call in
            let entity = try call.parameter("entity")
            try await call.allow(.read, entity: entity)
            return try await Self.views(of: entity, call)
        }
        routes.post("data/views") { call in
            let view = try call.body(SavedView.self)
            try await call.allow(.saveViews, entity: view.query.entity)
            try await call.allow(.read, entity: view.query.entity)
            let grants = await Grants([.read], call: call)
            // A view that can't be shown isn't kept.
            try await call.workspace.run { _ = try GridQuery(view.query, in: $0, grants: grants) }
            try call.views().keep(view)
            return try await Self.views(of: view.query.entity, call)
        }
        routes.post("data/views/remove") { call in
            let view = try call.body(ViewName.self)
            try await call.allow(.saveViews, entity: view.entity)
            try call.views().remove(view.name, of: view.entity)
            return try await Self.views(of: view.entity, call)
        }
    }

    private static func views(of entity: String, _ call: StudioCall) async throws -> Views {
        guard let views = call.studio.views else { return Views(views: [], place: nil, canSave: false) }
        let canSave = (try? await call.allow(.saveViews, entity: entity)) != nil
        return Views(views: try views.views(of: entity), place: views.path, canSave: canSave)
    }
}

extension StudioContext {
    /// The file of views that the options name, else the one beside the model.
    fileprivate var views: SavedViews? {
        let beside = modelFile.map {
            $0.deletingPathExtension().appendingPathExtension(StudioOptions.viewsExtension)
        }
        return (options.viewsFile ?? beside).map { file in part(SavedViews.self) { SavedViews(file) } }
    }
}

extension StudioCall {
    fileprivate func views() throws -> SavedViews {
        guard let views = studio.views else {
            throw StudioProblem(status: 422, "This studio has no file for views: its options name none.")
        }
        return views
    }
}
