// The entities of an edited model and how they hang together. Unlike a schema, such a model may be broken.

/// Look-ups over a model's elements. Names that occur twice stand for the first.
package struct ModelFamily {
    package let entities: [ModelNode]
    private let byName: [String: ModelNode]
    private let composites: [String: ModelNode]

    package init(_ root: ModelNode) {
        entities = root.children("entity")
        byName = Dictionary(entities.map { ($0.title, $0) }) { first, _ in first }
        composites = Dictionary(root.children("composite").map { ($0.title, $0) }) { first, _ in first }
    }

    package func entity(_ name: String) -> ModelNode? { byName[name] }

    package func composite(_ name: String) -> ModelNode? { composites[name] }

    /// The entity's name and those of what it inherits from, as far as they are there and go in no circle.
    package func ancestry(of name: String) -> [String] {
        var names: [String] = []
        var next: String? = name
        while let current = next, !names.contains(current), let entity = byName[current] {
            names.append(current)
            next = entity["parentEntity"]
        }
        return names
    }

    package func isCircular(_ name: String) -> Bool {
        guard let last = ancestry(of: name).last, let next = byName[last]?["parentEntity"] else {
            return false
        }
        return byName[next] != nil
    }

    /// Returns whether an entity is another one or inherits from it.
    package func entity(_ name: String, isKindOf ancestor: String) -> Bool {
        ancestry(of: name).contains(ancestor)
    }

    /// An entity's own and inherited properties.
    package func properties(of name: String) -> [ModelNode] {
        ancestry(of: name).compactMap { byName[$0] }.flatMap(\.properties)
    }

    package func property(_ name: String, of entity: String) -> ModelNode? {
        properties(of: entity).first { $0.title == name }
    }
}

extension ModelNode {
    /// Attributes, relationships and fetched properties.
    package var properties: [ModelNode] { children.filter { Self.propertyKinds.contains($0.name) } }

    package static let propertyKinds: Set<String> = ["attribute", "relationship", "fetchedProperty"]

    package var attributeType: String { self["attributeType"] ?? "Undefined" }

    /// The names in each uniqueness constraint.
    package var constraints: [[String]] {
        children("uniquenessConstraints").flatMap(\.children).map { $0.children.map { $0["value"] ?? "" } }
    }

    package var userInfo: [(key: String, value: String)] {
        children("userInfo").flatMap(\.children).map { ($0["key"] ?? "", $0["value"] ?? "") }
    }
}
