// Diagram, versions and previews.

import CoreDataGenerator
import Foundation

extension ModelRoutes {
    private struct Diagram: Encodable {
        var boxes: [ModelGraph.Box]
        var lines: [ModelGraph.Line]
        var isAutomatic: Bool
        var detail: ModelGraph.Detail
    }

    /// So many boxes with all their properties can't be read at one glance.
    private static let glance = 20

    private struct Moved: Decodable {
        var version: String
        /// Places in the diagram's own measure.
        var places: [ModelCommand.Place]
    }

    func addDiagram(to routes: inout StudioRoutes) {
        routes.get("model/graph") { call in
            var placed = try await Self.graph(call)
            let isMuch = placed.isAutomatic && placed.graph.boxes.count > Self.glance
            let detail =
                call.optionalText("detail").flatMap(ModelGraph.Detail.init) ?? (isMuch ? .names : .all)
            placed.graph.reduce(to: detail)
            return Diagram(
                boxes: placed.graph.boxes, lines: placed.graph.lines,
                isAutomatic: placed.isAutomatic || detail != .all, detail: detail)
        }
        routes.get("model/graph/:format") { call -> StudioResponse in
            let text = try call.parameter("format")
            guard let format = ModelGraph.Format(rawValue: text) else {
                throw StudioProblem(status: 404, "A diagram can't be written as \"\(text)\".")
            }
            let graph = try await Self.graph(call).graph
            let name = try await Self.document(call).name
            let suffix = [.svg: "svg", .mermaid: "mmd", .plantuml: "puml"][format] ?? "txt"
            let type = format == .svg ? "image/svg+xml" : "text/plain; charset=utf-8"
            return .download(Data(graph.written(as: format).utf8), name: "\(name).\(suffix)", type: type)
        }
        routes.post("model/place") { call in
            let document = try await Self.document(call, action: .editModel)
            let moved = try call.body(Moved.self)
            let places = moved.places.prefix(10_000).map { ModelGraph.filePlace($0.name, x: $0.x, y: $0.y) }
            _ = try Self.explained { try document.edit(moved.version, commands: [.place(places)]) }
            return try ModelAnswer(document, version: moved.version)
        }
        routes.post("model/layout") { call in
            try await Self.changed(call) { document, version in
                let name = version ?? document.draft.current ?? ""
                guard let root = document.draft[version: name] else { throw ModelDocument.noVersion(name) }
                var graph = ModelGraph(root)
                graph.layOut()
                let places = graph.boxes.map { ModelGraph.filePlace($0.name, x: $0.x, y: $0.y) }
                if !places.isEmpty { try document.edit(name, commands: [.place(places)]) }
            }
        }
    }

    private static func graph(_ call: StudioCall) async throws -> ModelGraph.Placed {
        let (root, _) = try await root(call, field: "version")
        let placed = ModelGraph.placed(root)
        guard let around = call.optionalText("around"), !around.isEmpty else { return placed }
        let steps = try call.number("steps", default: 1, in: 0...20)
        guard let part = placed.graph.neighbourhood(of: around, steps: steps) else {
            throw StudioProblem(status: 404, "There is no entity \"\(around)\".")
        }
        return .init(graph: part, isAutomatic: true)
    }

    /// The version that a field of the query names, or the current one, and its name.
    private static func root(_ call: StudioCall, field: String) async throws -> (ModelNode, String) {
        let draft = try await document(call).draft
        let name = call.optionalText(field) ?? draft.current ?? draft.versions.first?.name ?? ""
        guard let root = draft[version: name] else {
            throw StudioProblem(status: 404, "There is no version \"\(name)\".")
        }
        return (root, name)
    }

    // MARK: Versions and previews

    static func generationOptions(sets: String?, scalars: String?) -> GenerationOptions {
        var options = GenerationOptions()
        options.usesNativeSets = sets == "native"
        options.usesOptionalScalars = scalars == "optional"
        return options
    }

    private struct NewVersion: Decodable {
        var name: String
        var basedOn: String
    }

    private struct Compared: Encodable {
        var differences: [ModelDifference]
        var verdict: ModelMigrationVerdict
    }

    func addVersions(to routes: inout StudioRoutes) {
        routes.post("model/versions") { call in
            let document = try await Self.document(call, action: .editModel)
            let wanted = try call.body(NewVersion.self)
            try Self.explained { try document.addVersion(wanted.name, basedOn: wanted.basedOn) }
            return try ModelAnswer(document, version: wanted.name)
        }
        routes.post("model/current") { call in
            try await Self.changed(call) { document, version in try document.setCurrent(version ?? "") }
        }
        routes.get("model/compare") { call in
            let (older, _) = try await Self.root(call, field: "from")
            let (newer, _) = try await Self.root(call, field: "to")
            // A person who may not see objects isn't told their number.
            let mayCount = (try? await call.allow(.read)) != nil
            return Compared(
                differences: ModelComparison.differences(from: older, to: newer),
                verdict: ModelMigrationVerdict(
                    from: older, to: newer, store: mayCount ? SharedModel.store(of: call.studio) : nil))
        }
        routes.get("model/preview/swift") { call in
            let (root, _) = try await Self.root(call, field: "version")
            let name = try await Self.document(call).name
            let options = Self.generationOptions(
                sets: call.optionalText("sets"), scalars: call.optionalText("scalars"))
            return try Self.explained { try ModelPreview.swift(of: root, named: name, options: options) }
        }
        routes.get("model/preview/objc") { call in
            let (root, _) = try await Self.root(call, field: "version")
            return try Self.explained { try ModelPreview.headers(of: root) }
        }
        routes.get("model/hashes") { call in
            let (root, _) = try await Self.root(call, field: "version")
            return try Self.explained { try ModelHashes(root, store: SharedModel.store(of: call.studio)) }
        }
        routes.get("model/preview/sql") { call in
            let (root, _) = try await Self.root(call, field: "version")
            return try Self.explained { try ModelPreview.sql(of: root) }
        }
    }
}
