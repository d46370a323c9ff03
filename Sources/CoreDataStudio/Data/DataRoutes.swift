// The routes below `/api/data/`.

import CoreData
import StoreTools

struct DataRoutes: StudioArea {
    func add(to routes: inout StudioRoutes) {
        addEntities(to: &routes)
        addObjects(to: &routes)
        addChanges(to: &routes)
        addPredicates(to: &routes)
        addRecords(to: &routes)
        addTransfer(to: &routes)
        addMigration(to: &routes)
        addViews(to: &routes)
        addSQL(to: &routes)
        addActions(to: &routes)
    }

    private func addEntities(to routes: inout StudioRoutes) {
        routes.get("data/entities") { call in try await Self.overview(call) }
        routes.get("data/counts") { call in
            let grants = await Grants([.read], call: call)
            return try await call.workspace.run { $0.counts(grants) }
        }
        routes.get("data/entities/:name") { call in
            let name = try call.parameter("name")
            try await call.allow(.read, entity: name)
            let actions = await Self.actions(of: name, call)
            return try await call.workspace.run {
                EntityPage.value(try $0.entity(name)).with("actions", value: .list(actions))
            }
        }
        addGrid(to: &routes)
        addGroups(to: &routes)
    }

    private func addGrid(to routes: inout StudioRoutes) {
        routes.post("data/rows") { call in
            let page = try call.body(RowsPage.self)
            let grants = await Grants([.read], call: call)
            let turn = try call.workspace.turns.turn(of: page.question)
            return try await call.workspace.act("Show \(page.query.entity)") { workspace in
                try turn.reading(workspace.context) {
                    try workspace.rows(
                        GridQuery(page.query, in: workspace, grants: grants),
                        offset: max(0, page.offset ?? 0),
                        limit: min(500, max(1, page.limit ?? 100)), grants: grants)
                }
            }
        }
        addCount(to: &routes)
        addTexts(to: &routes)
        routes.get("data/choices/:entity") { call in
            let name = try call.parameter("entity")
            let search = call.optionalText("search") ?? ""
            let offset = try call.number("offset", default: 0, in: 0...Int(Int32.max))
            let grants = await Grants([.read], call: call)
            return try await call.workspace.run { workspace in
                try workspace.choices(
                    workspace.entity(name), search: search, offset: offset, limit: 100, grants: grants)
            }
        }
    }

    private func addCount(to routes: inout StudioRoutes) {
        routes.post("data/count") { call in
            let page = try call.body(RowsPage.self)
            let grants = await Grants([.read], call: call)
            let turn = try call.workspace.turns.turn(of: page.question)
            return try await call.workspace.run { workspace in
                try turn.reading(workspace.context) {
                    try workspace.count(GridQuery(page.query, in: workspace, grants: grants))
                }
            }
        }
        // A page that is left, or a question that somebody takes back: it is answered before what is under way.
        routes.post("data/stop") { call in
            try call.workspace.turns.end(call.body(RowsStop.self).question)
            return StudioValue.record([:])
        }
    }

    /// The text that a person copies.
    private func addTexts(to routes: inout StudioRoutes) {
        routes.post("data/query/text") { call in
            let wanted = try call.body(QueryForm.self)
            let grants = await Grants([.read], call: call)
            if wanted.form == .sql { try await call.allow(.sql) }
            return try await call.workspace.run { workspace in
                try workspace.text(
                    of: GridQuery(wanted.query, in: workspace, grants: grants), as: wanted.form)
            }
        }
        routes.post("data/rows/text") { call in
            let wanted = try call.body(RowsText.self)
            let grants = await Grants([.read, .export], call: call)
            return try await call.workspace.run { try $0.text(wanted, grants: grants) }
        }
    }

    /// The entities, and what the pages offer besides.
    private static func overview(_ call: StudioCall) async throws -> StudioValue {
        let workspace = try call.workspace
        let grants = await Grants([.read, .insert, .importing, .export], call: call)
        let isReadOnly = await !call.mayDo(anyOf: [.insert, .update, .delete])
        let mayPurge = (try? await call.allow(.purge)) != nil
        let mayReadHistory = (try? await call.allow(.history)) != nil
        let maySeeSQL = (try? await call.allow(.sql)) != nil
        let mayRunSQL = (try? await call.allowSQL()) != nil
        let mayEditModel = (try? await call.allow(.editModel)) != nil
        let savesTemplates =
            mayEditModel && call.studio.modelFile?.pathExtension.hasPrefix("xcdatamodel") == true
        return try await workspace.run { workspace -> StudioValue in
            let entities = workspace.shownEntities.filter {
                grants.has(.read, entity: $0) || !grants.readable($0).isEmpty
            }
            return [
                "entities": .list(entities.map { listed($0, grants: grants) }),
                "isReadOnly": .bool(isReadOnly),
                "hasHistory": .bool(mayReadHistory && workspace.keepsHistory),
                "hasSQL": .bool(maySeeSQL && workspace.hasSQL), "status": workspace.status,
                "canRunSQL": .bool(mayRunSQL && workspace.storeOfSQL != nil),
                "canSaveTemplate": .bool(savesTemplates), "canPurge": .bool(mayPurge),
                "file": .optional(workspace.file(of: call.studio)),
                "migration": mayEditModel ? call.studio.outdated ?? .null : .null,
            ]
        }
    }

    private static func listed(_ entity: NSEntityDescription, grants: Grants) -> StudioValue {
        let canInsert = EntityPage.concrete(entity).contains { grants.has(.insert, entity: $0) }
        let canImport =
            !entity.isAbstract && grants.has(.importing, entity: entity)
            && grants.has(.insert, entity: entity)
        return EntityPage.summary(entity).with("canInsert", value: .bool(canInsert))
            .with("canImport", value: .bool(canImport)).with(
                "canExport", value: .bool(grants.has(.export, entity: entity)))
    }

    /// Rows that a person copies.
    struct RowsText: Codable, Sendable {
        var entity: String
        var ids: [String]
        var columns: [String]?
        var form: String
    }

    struct QueryForm: Codable, Sendable {
        var query: GridQuery.Fields
        var form: QueryText.Form
    }

    struct RowsStop: Codable, Sendable {
        var question: ReadTurns.Question
    }

    struct RowsPage: Codable, Sendable {
        /// The page's next question ends the one before.
        var question: ReadTurns.Question?
        var query: GridQuery.Fields
        var offset: Int?
        var limit: Int?
    }
}

extension StudioCall {
    /// The session's objects.
    var workspace: DataWorkspace {
        get throws {
            // Another one once the store was migrated.
            try session.part(DataWorkspace.self, where: { $0.coordinator === studio.coordinator }) {
                let workspace = try DataWorkspace(studio, user: user)
                studio.add(workspace)
                return workspace
            }
        }
    }

    /// The name of the object that the path states.
    var objectName: String {
        get throws { try parameter("entity") + "/" + parameter("number") }
    }
}

extension DataWorkspace {
    /// The entities of the stores that are open, by name.
    var shownEntities: [NSEntityDescription] {
        var names: Set<String> = []
        for store in coordinator.persistentStores {
            for entity in model.entities(forConfigurationName: store.configurationName) ?? model.entities {
                names.insert(entity.name ?? "")
            }
        }
        return model.entities.filter { names.contains($0.name ?? "") }.sorted {
            ($0.name ?? "") < ($1.name ?? "")
        }
    }

    /// Returns the path of the store, or its address without a password, for commands that a page proposes; nil if it is an
    /// app's, or a copy.
    func file(of studio: StudioContext) -> String? {
        guard studio.container == nil, !studio.isReadOnly else { return nil }
        return coordinator.persistentStores.first?.url.map(StoreAddress.name(of:))
    }

    /// Indicates whether queries can be shown as SQL.
    var hasSQL: Bool { coordinator.persistentStores.contains { $0.type == NSSQLiteStoreType } }

    /// The store that people's own SQL runs on; nil if none can.
    var storeOfSQL: NSPersistentStore? { coordinator.persistentStores.first(where: Self.isDatabase) }

    var keepsHistory: Bool { historyStore != nil }

    /// Indicates whether a store is a file of SQLite's or lies in a database on a server.
    static func isDatabase(_ store: NSPersistentStore) -> Bool {
        store.type == NSSQLiteStoreType && store.url?.isFileURL == true || ServerStores.includes(store)
    }
}
