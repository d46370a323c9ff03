// The changes of an edit in other places than the one that it is made in.

import CoreDataSupport

/// One attribute of the file that has another value after an edit.
package struct ModelTouch: Sendable, Hashable, Encodable {
    /// `Hero.name`, as it was called before.
    package let place: String
    package let field: String
    package let before: String
    package let after: String

    /// Returns the differences, but for the element itself.
    package static func touches(from old: ModelNode, to new: ModelNode, except id: Int) -> [ModelTouch] {
        var walk = Walk(exception: id)
        walk.collect(new)
        walk.visit(old, path: [])
        return walk.found
    }

    private static let labels = [
        "parentEntity": "Parent entity", "destinationEntity": "Destination", "inverseName": "Inverse",
        "entity": "Entity", "predicateString": "Predicate", "derivationExpression": "Derivation",
        "filteringPredicate": "Filter", "partialIndexPredicate": "Partial index predicate",
        "expression": "Index element", "property": "Index element", "composite": "Composite type",
        "representedClassName": "Class", "coreSpotlightDisplayNameExpression": "Spotlight display name",
    ]

    private struct Walk {
        let exception: Int
        var after: [Int: ModelNode] = [:]
        var found: [ModelTouch] = []

        mutating func collect(_ node: ModelNode) {
            after[node.id] = node
            for child in node.children { collect(child) }
        }

        mutating func visit(_ node: ModelNode, path: [String]) {
            let isNamed = node.name != "model" && !["memberEntity", "element", "entry"].contains(node.name)
            let isRequest = node.name == "fetchRequest" && path.count > 1
            let here = isNamed && !isRequest && !node.title.isEmpty ? path + [node.title] : path
            if let now = after[node.id], node.id != exception {
                for attribute in node.attributes where now[attribute.name] != attribute.value {
                    guard let label = label(attribute.name, of: node) else { continue }
                    found.append(
                        ModelTouch(
                            place: here.joined(separator: "."), field: label, before: attribute.value,
                            after: now[attribute.name] ?? ""))
                }
            }
            for child in node.children { visit(child, path: here) }
        }

        /// Nil for what nobody needs to be told: places in the diagram, and what goes with another attribute.
        private func label(_ attribute: String, of node: ModelNode) -> String? {
            switch (node.name, attribute) {
            case ("constraint", "value"): "Uniqueness constraint"
            case ("index", "value"): "Index"
            case ("entry", "value"): "User info"
            case ("memberEntity", "name"): "Configuration"
            default: ModelTouch.labels[attribute]
            }
        }
    }
}
