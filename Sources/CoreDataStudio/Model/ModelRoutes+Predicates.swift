// Predicates in the model's inspectors: text and builder in step, as at the grid, without a store.

import CoreDataPredicate

extension ModelRoutes {
    private struct Text: Decodable { var text: String }

    private struct Form: Decodable { var form: StudioValue }

    func addPredicates(to routes: inout StudioRoutes) {
        routes.post("model/predicate/parse") { call -> StudioValue in
            try await call.allow(.readModel)
            let text = try call.body(Text.self).text
            guard text.utf8.count <= PredicateReading.limit else {
                throw StudioProblem(status: 413, "The predicate is too long.")
            }
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
    }
}
