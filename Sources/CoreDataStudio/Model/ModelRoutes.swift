// The model's addresses below /api/model/.

import CoreDataFiles
import CoreDataGenerator
import Foundation

struct ModelRoutes: StudioArea {
    func add(to routes: inout StudioRoutes) {
        addReading(to: &routes)
        addEditing(to: &routes)
        addSaving(to: &routes)
        addDiagram(to: &routes)
        addVersions(to: &routes)
        addPredicates(to: &routes)
        addClasses(to: &routes)
    }

    private struct Edits: Decodable {
        var version: String
        /// The opening whose numbers the commands have; nil for commands without numbers.
        var opening: String?
        var commands: [ModelCommand]
    }

    private struct Place: Decodable { var version: String? }
    private struct Decision: Decodable { var choice: ModelDocument.LeftoverChoice }
    private struct Saving: Decodable {
        var version: String?
        var overwrite: Bool?
    }

    private struct Trial: Encodable {
        var checks: [ModelCheck]
        var refusal: String?
        /// The changes of a renaming in other places.
        var touched: [ModelTouch] = []
        /// The other version that knows the element by its old name.
        var former: String?
    }

    private struct Change: Encodable {
        var change: Int
        var opening: String
    }

    private func addReading(to routes: inout StudioRoutes) {
        routes.get("model/fields") { call in
            try await call.allow(.readModel)
            return ModelField.all
        }
        routes.get("model") { call in
            var answer = try ModelAnswer(
                await Self.document(call), version: call.optionalText("version"))
            if answer.obstacle == nil, (try? await call.allow(.editModel)) == nil {
                answer.obstacle = "You may look at the model, but not change it."
            }
            return answer
        }
        routes.get("model/change") { call in
            let document = try await Self.document(call)
            let since = try call.number("since", default: -1, in: -1...Int(Int32.max))
            let timeout = try call.number("wait", default: 0, in: 0...20)
            try await document.wait(after: since, for: .seconds(timeout), in: call.studio)
            return Change(change: document.change, opening: document.opening)
        }
    }

    private func addEditing(to routes: inout StudioRoutes) {
        routes.post("model/edit") { call in
            let document = try await Self.document(call, action: .editModel)
            let edits = try call.body(Edits.self)
            guard edits.commands.count <= 1000 else {
                throw StudioProblem(status: 413, "These are too many edits at once.")
            }
            try Self.require(edits.opening, document: document)
            let made = try Self.explained { try document.edit(edits.version, commands: edits.commands) }
            return try ModelAnswer(document, version: edits.version, made: made)
        }
        // Answers the checks' findings; changes nothing, but the edits come in a body.
        routes.post("model/try") { call in
            let document = try await Self.document(call)
            let edits = try call.body(Edits.self)
            try Self.require(edits.opening, document: document)
            do {
                let root = try document.edited(edits.version, commands: edits.commands)
                var trial = Trial(checks: ModelChecker.checks(of: root))
                if case .rename(let id, _, _)? = edits.commands.first,
                    let before = document.draft[version: edits.version]
                {
                    trial.touched = ModelTouch.touches(from: before, to: root, except: id)
                    trial.former = document.draft.version(knowing: id, of: edits.version, before)
                }
                return trial
            } catch let failure as ModelEditFailure {
                return Trial(checks: [], refusal: failure.description)
            }
        }
    }

    private func addSaving(to routes: inout StudioRoutes) {
        routes.post("model/undo") { call in
            try await Self.changed(call) { document, _ in try document.undo() }
        }
        routes.post("model/redo") { call in
            try await Self.changed(call) { document, _ in try document.redo() }
        }
        routes.post("model/reload") { call in
            try await Self.changed(call) { document, _ in try document.reload() }
        }
        routes.post("model/left") { call in
            let choice = try call.body(Decision.self).choice
            return try await Self.changed(call) { document, _ in try document.decide(choice) }
        }
        routes.post("model/save") { call in
            let overwrites = try call.body(Saving.self).overwrite ?? false
            return try await Self.changed(call) { document, _ in try document.save(overwriting: overwrites) }
        }
    }

    // MARK: Parts

    static func document(_ call: StudioCall, action: StudioAction = .readModel) async throws
        -> ModelDocument
    {
        try await call.allow(action)
        return try explained {
            try call.studio.part(SharedModel.self) { try SharedModel(call.studio) }.document
        }
    }

    /// Refuses edits whose numbers are those of another opening of the file: they'd mean other elements.
    private static func require(_ opening: String?, document: ModelDocument) throws {
        guard let opening, opening != document.opening else { return }
        throw StudioProblem(
            status: 409, "The studio was started again meanwhile: look at the model again.",
            details: ["opening": document.opening])
    }

    /// Does something to the document and answers with what it is then. A version that is gone gives way to
    /// the current.
    static func changed(_ call: StudioCall, body: (ModelDocument, String?) throws -> Void) async throws
        -> ModelAnswer
    {
        let document = try await document(call, action: .editModel)
        let version = try call.body(Place.self).version
        try explained { try body(document, version) }
        let isThere = document.draft.versions.contains { $0.name == version }
        return try ModelAnswer(document, version: isThere ? version : nil)
    }

    /// Says in a person's words why something isn't done.
    static func explained<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as ModelEditFailure {
            throw StudioProblem(status: 422, failure.description)
        } catch let conflict as ModelConflict {
            let files = conflict.files.joined(separator: "\n")
            throw StudioProblem(
                status: 409, "Another program changed the model's files.", details: ["files": files])
        } catch let error as ModelFileError {
            throw StudioProblem(status: 422, error.description)
        } catch let failure as GenerationFailure {
            throw StudioProblem(
                status: 422, "The model has mistakes that have to be mended first.",
                details: ["problems": failure.problems.map(\.message).joined(separator: "\n")])
        }
    }
}
