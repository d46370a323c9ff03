// The changes from one version of a model to another, in words.

import CoreDataSupport

/// One difference.
package struct ModelDifference: Sendable, Hashable, Encodable {
    package enum Kind: String, Sendable, Hashable, Encodable { case added, removed, changed }

    package let kind: Kind
    /// `Hero` or `Hero.name`, as it is called in the newer version.
    package let place: String
    package let words: String
}

/// Compares two models field by field. Elements belong together that have the same name, or whose renaming
/// identifier says so.
package struct ModelComparison {
    private let older: ModelNode
    private let newer: ModelNode
    private var found: [ModelDifference] = []

    package static func differences(from older: ModelNode, to newer: ModelNode) -> [ModelDifference] {
        var comparison = ModelComparison(older: older, newer: newer)
        comparison.compareFields(older, two: newer, place: "model")
        comparison.compare(
            ["entity", "fetchRequest", "configuration", "composite"], older: older, newer: newer, in: "")
        return comparison.found
    }

    private init(older: ModelNode, newer: ModelNode) {
        self.older = older
        self.newer = newer
    }

    private mutating func add(_ kind: ModelDifference.Kind, place: String, words: String) {
        found.append(.init(kind: kind, place: place, words: words))
    }

    private mutating func compare(
        _ kinds: [String], older: ModelNode, newer: ModelNode, in place: String
    ) {
        for kind in kinds {
            var left = older.children(kind)
            for node in newer.children(kind) {
                let name = place.isEmpty ? node.title : "\(place).\(node.title)"
                let former = node["elementID"].flatMap { $0.isEmpty ? nil : $0 } ?? node.title
                guard
                    let match = left.firstIndex(where: { $0.title == former })
                        ?? left.firstIndex(where: { $0.title == node.title })
                else {
                    add(.added, place: name, words: "new \(ModelEditor.words(kind))\(Self.gist(of: node))")
                    continue
                }
                compareElements(left.remove(at: match), two: node, place: name)
            }
            for node in left {
                let name = place.isEmpty ? node.title : "\(place).\(node.title)"
                add(.removed, place: name, words: "\(ModelEditor.words(kind)) removed")
            }
        }
    }

    private mutating func compareElements(_ one: ModelNode, two: ModelNode, place: String) {
        if one.title != two.title { add(.changed, place: place, words: "renamed: was \(one.title)") }
        compareFields(one, two: two, place: place)
        compare(
            ["attribute", "relationship", "fetchedProperty", "fetchIndex"], older: one, newer: two, in: place)
        if one.constraints != two.constraints {
            add(
                .changed, place: place,
                words:
                    "uniqueness constraints: \(Self.words(one.constraints)) → \(Self.words(two.constraints))")
        }
        if one.userInfo.map({ [$0.key, $0.value] }) != two.userInfo.map({ [$0.key, $0.value] }) {
            add(.changed, place: place, words: "other user info")
        }
        let names = one.children.map { former in
            newer.children("entity").first { $0["elementID"] == former.title }?.title ?? former.title
        }
        if two.name == "configuration", Set(names) != Set(two.children.map(\.title)) {
            add(
                .changed, place: place,
                words: "entities: \(two.children.map(\.title).joined(separator: ", "))")
        }
        if two.name == "fetchIndex", one.tree.children != two.tree.children {
            add(.changed, place: place, words: "other elements")
        }
    }

    private mutating func compareFields(_ one: ModelNode, two: ModelNode, place: String) {
        for field in ModelField.all[two.name] ?? [] where field.key != "name" && field.key != "elementID" {
            let (before, after) = (field.value(in: one), field.value(in: two))
            guard before != after, !isRenaming(field, before: before, after: after, one: one, two: two) else {
                continue
            }
            switch after {
            case .flag(let flag):
                add(.changed, place: place, words: "\(field.label): \(flag ? "no → yes" : "yes → no")")
            default:
                add(
                    .changed, place: place,
                    words: "\(field.label): \(before.text ?? "none") → \(after.text ?? "none")")
            }
        }
    }

    /// Returns whether a name differs only because the element that it names was renamed.
    private func isRenaming(
        _ field: ModelField, before: ModelValue, after: ModelValue, one: ModelNode, two: ModelNode
    ) -> Bool {
        guard let before = before.text, let after = after.text else { return false }
        switch field.kind {
        case .entity:
            return newer.children("entity").contains { $0.title == after && $0["elementID"] == before }
        case .inverse:
            let destination = two["destinationEntity"] ?? ""
            return ModelFamily(newer).property(after, of: destination)?["elementID"] == before
        default: return false
        }
    }

    private static func words(_ constraints: [[String]]) -> String {
        constraints.isEmpty ? "none" : constraints.map { $0.joined(separator: ", ") }.joined(separator: "; ")
    }

    private static func gist(of node: ModelNode) -> String {
        switch node.name {
        case "attribute": ", \(node.attributeType)\(node.flag("optional") ? ", optional" : "")"
        case "relationship": ", \(node.isToMany ? "to-many" : "to-one") \(node["destinationEntity"] ?? "")"
        default: ""
        }
    }
}
