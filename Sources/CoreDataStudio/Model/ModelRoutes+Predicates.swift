// Predicates in the model's inspectors: text and builder in step, as at the grid, without a store.

import CoreData
import CoreDataPredicate
import CoreDataSchema

extension ModelRoutes {
    private struct Text: Decodable {
        var version: String
        var entity: String
        var text: String
        var cursor: Int?
    }

    private struct Form: Decodable { var form: StudioValue }

    func addPredicates(to routes: inout StudioRoutes) {
        routes.post("model/predicate/parse") { call -> StudioValue in
            try await call.allow(.readModel)
            let text = try call.body(Text.self).text
            if text.allSatisfy(\.isWhitespace) { return ["form": ["type": "and", "parts": .list([])]] }
            do {
                let tree = try PredicateParser.predicate(text)
                return [
                    "form": PredicateForm.value(of: tree), "text": .text(tree.format),
                    "variables": .texts(tree.variables.sorted()),
                ]
            } catch let error as ParseFailure {
                let mistake = PredicateMistake(
                    message: error.reason + ".", position: error.position, length: error.length)
                return ["error": mistake.value]
            }
        }
        routes.post("model/predicate/print") { call -> StudioValue in
            try await call.allow(.readModel)
            let form = try call.body(Form.self).form
            if form["parts"]?.list?.isEmpty == true { return ["text": "", "variables": .list([])] }
            let tree = try PredicateForm.tree(form)
            return ["text": .text(tree.format), "variables": .texts(tree.variables.sorted())]
        }
        routes.post("model/predicate/complete") { call -> StudioValue in
            let document = try await Self.document(call)
            let text = try call.body(Text.self)
            guard text.text.utf8.count <= PredicateReading.limit,
                let schema = try? document.draft[version: text.version]?.schema(),
                let entity = NSManagedObjectModel(schema: schema).entitiesByName[text.entity]
            else { return StudioValue.record([:]) }
            let grants = Grants(granting: [.read], of: schema.entities.map(\.name))
            return PredicateCompletion(
                text.text, cursor: text.cursor ?? text.text.count, entity, in: nil, grants
            ).value
        }
    }
}
