// Routes for predicates: text and builder in step, completion, templates.

import CoreData
import CoreDataPredicate
import StoreTools

extension DataRoutes {
    private struct Text: Codable, Sendable {
        var entity: String
        var text: String
        var cursor: Int?
    }

    private struct Form: Codable, Sendable {
        var entity: String
        var form: StudioValue
    }

    func addPredicates(to routes: inout StudioRoutes) {
        routes.post("data/predicate/parse") { call in
            let text = try call.body(Text.self)
            let grants = await Grants([.read], call: call)
            return try await call.workspace.run { workspace -> StudioValue in
                let entity = try workspace.entity(text.entity)
                try grants.require(.read, entity: entity)
                if text.text.allSatisfy(\.isWhitespace) {
                    return ["form": ["type": "and", "parts": .list([])]]
                }
                do {
                    let tree = try PredicateReading.check(text.text, of: entity, grants: grants)
                    return [
                        "form": PredicateForm.value(of: tree), "text": .text(tree.format),
                        "variables": .texts(tree.variables.sorted()),
                        "objects": Self.objects(tree, of: entity),
                    ]
                } catch let mistake as PredicateMistake {
                    return ["error": mistake.value]
                }
            }
        }
        addBuilder(to: &routes)
    }

    /// Returns the objects that variables stand for, as pickers need them.
    private static func objects(_ tree: PredicateTree, of entity: NSEntityDescription) -> StudioValue {
        .record(
            PredicateReading.objects(tree, of: entity).mapValues { destination in
                ["destination": .text(destination.name ?? ""), "titleKey": .optional(destination.titleKey)]
            })
    }

    private func addBuilder(to routes: inout StudioRoutes) {
        routes.post("data/predicate/print") { call in
            let form = try call.body(Form.self)
            let grants = await Grants([.read], call: call)
            return try await call.workspace.run { workspace -> StudioValue in
                let entity = try workspace.entity(form.entity)
                try grants.require(.read, entity: entity)
                if form.form["parts"]?.list?.isEmpty == true { return ["text": "", "variables": .list([])] }
                let tree = try PredicateForm.tree(form.form)
                let text = tree.format
                do {
                    try PredicateReading.check(tree, entity: entity, grants: grants, in: text)
                } catch let mistake as PredicateMistake {
                    throw StudioProblem(status: 422, mistake.message)
                }
                return [
                    "text": .text(text), "variables": .texts(tree.variables.sorted()),
                    "objects": Self.objects(tree, of: entity),
                ]
            }
        }
        routes.post("data/predicate/complete") { call in
            let text = try call.body(Text.self)
            let grants = await Grants([.read], call: call)
            guard text.text.utf8.count <= PredicateReading.limit else { return StudioValue.record([:]) }
            return try await call.workspace.run { workspace -> StudioValue in
                let entity = try workspace.entity(text.entity)
                try grants.require(.read, entity: entity)
                return PredicateCompletion(
                    text.text, cursor: text.cursor ?? text.text.count, entity: entity, in: workspace,
                    grants: grants
                ).value
            }
        }
    }
}
