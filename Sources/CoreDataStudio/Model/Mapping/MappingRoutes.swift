// The addresses of mapping models, below /api/model/mappings.

import CoreDataFiles
import CoreDataSchema
import Foundation

struct MappingRoutes: StudioArea {
    private struct List: Encodable {
        /// The reason why there can be none; nil if there can.
        var obstacle: String?
        var folder: String?
        var items: [SharedMapping.Item]
        var versions: [String]
    }

    private struct File: Decodable {
        var file: String
        var overwrite: Bool?
    }

    private struct New: Decodable {
        var name: String
        var source: String
        var destination: String
    }

    private struct Sides: Decodable {
        var file: String
        var source: String
        var destination: String
    }

    private struct Edits: Decodable {
        var file: String
        var change: Int
        var commands: [MappingCommand]
    }

    private struct Trial: Encodable {
        var checks: [MappingCheck] = []
        var refusal: String?
    }

    func add(to routes: inout StudioRoutes) {
        addReading(to: &routes)
        addEditing(to: &routes)
        addVersions(to: &routes)
        addSaving(to: &routes)
    }

    private func addReading(to routes: inout StudioRoutes) {
        routes.get("model/mappings") { call in
            let document = try await ModelRoutes.document(call)
            let shared = try Self.shared(call)
            return List(
                obstacle: shared == nil
                    ? "Mapping models lie beside a model's file; there is none here." : nil,
                folder: shared?.folder.path, items: shared?.items() ?? [],
                versions: document.draft.versions.map(\.name))
        }
        routes.get("model/mappings/one") { call in
            let file = try call.text("file")
            return try await Self.answer(call, file: file)
        }
    }

    private func addEditing(to routes: inout StudioRoutes) {
        routes.post("model/mappings/new") { call in
            let model = try await ModelRoutes.document(call, action: .editModel)
            let wanted = try call.body(New.self)
            let shared = try Self.requiredShared(call)
            let made = try ModelRoutes.explained {
                let source = try Self.version(wanted.source, of: model)
                let destination = try Self.version(wanted.destination, of: model)
                var draft = MappingDraft(from: source, to: destination)
                draft.sourcePath = Self.path(wanted.source, of: model)
                draft.destinationPath = Self.path(wanted.destination, of: model)
                return try shared.add(wanted.name, draft: draft)
            }
            return MappingAnswer(made, versions: model.draft)
        }
        routes.post("model/mappings/edit") { call in
            let edits = try call.body(Edits.self)
            guard edits.commands.count <= 1000 else {
                throw StudioProblem(status: 413, "These are too many edits at once.")
            }
            return try await Self.changed(call, file: edits.file) {
                try $0.edit(edits.commands, seen: edits.change)
            }
        }
        // Answers the checks' findings; changes nothing, but the edits come in a body.
        routes.post("model/mappings/try") { call in
            _ = try await ModelRoutes.document(call)
            let edits = try call.body(Edits.self)
            let document = try Self.opened(call, file: edits.file)
            do {
                return Trial(checks: MappingCheck.checks(of: try document.edited(edits.commands)))
            } catch let failure as ModelEditFailure {
                return Trial(refusal: failure.description)
            }
        }
    }

    private func addVersions(to routes: inout StudioRoutes) {
        routes.post("model/mappings/models") { call in
            let sides = try call.body(Sides.self)
            let model = try await ModelRoutes.document(call, action: .editModel)
            return try await Self.changed(call, file: sides.file) { document in
                let source = try Self.version(sides.source, of: model)
                let destination = try Self.version(sides.destination, of: model)
                try document.take(
                    source: source, destination: destination,
                    paths: (Self.path(sides.source, of: model), Self.path(sides.destination, of: model)))
            }
        }
    }

    private func addSaving(to routes: inout StudioRoutes) {
        routes.post("model/mappings/undo") { call in
            try await Self.changed(call, file: call.body(File.self).file) { try $0.undo() }
        }
        routes.post("model/mappings/redo") { call in
            try await Self.changed(call, file: call.body(File.self).file) { try $0.redo() }
        }
        routes.post("model/mappings/save") { call in
            let wanted = try call.body(File.self)
            return try await Self.changed(call, file: wanted.file) {
                try $0.save(overwriting: wanted.overwrite ?? false)
            }
        }
        routes.post("model/mappings/discard") { call in
            _ = try await ModelRoutes.document(call, action: .editModel)
            let shared = try Self.requiredShared(call)
            let file = try call.body(File.self).file
            try ModelRoutes.explained { try shared.discard(file) }
            return shared.items()
        }
    }

    // MARK: Parts

    /// The mapping models beside the studio's model file; nil if it has none.
    static func shared(_ call: StudioCall) throws -> SharedMapping? {
        guard let file = call.studio.modelFile else { return nil }
        return call.studio.part(SharedMapping.self) {
            SharedMapping(folder: file.deletingLastPathComponent(), isReadOnly: call.studio.isReadOnly)
        }
    }

    private static func requiredShared(_ call: StudioCall) throws -> SharedMapping {
        guard let shared = try shared(call) else {
            throw StudioProblem(status: 404, "Mapping models lie beside a model's file; there is none here.")
        }
        return shared
    }

    private static func opened(_ call: StudioCall, file: String) throws -> MappingDocument {
        let shared = try requiredShared(call)
        return try ModelRoutes.explained { try shared.document(file) }
    }

    private static func answer(_ call: StudioCall, file: String) async throws -> MappingAnswer {
        let model = try await ModelRoutes.document(call)
        return MappingAnswer(try opened(call, file: file), versions: model.draft)
    }

    private static func changed(
        _ call: StudioCall, file: String, body: (MappingDocument) throws -> Void
    ) async throws -> MappingAnswer {
        let model = try await ModelRoutes.document(call, action: .editModel)
        let document = try opened(call, file: file)
        try ModelRoutes.explained { try body(document) }
        return MappingAnswer(document, versions: model.draft)
    }

    private static func version(_ name: String, of model: ModelDocument) throws -> ModelSchema {
        guard let root = model.draft[version: name] else { throw ModelDocument.noVersion(name) }
        return try root.schema()
    }

    /// Returns the path at which Xcode finds the version: beside the mapping model.
    private static func path(_ version: String, of model: ModelDocument) -> String {
        let bundle = model.url.lastPathComponent
        return model.isVersioned ? "\(bundle)/\(version).xcdatamodel" : bundle
    }
}
