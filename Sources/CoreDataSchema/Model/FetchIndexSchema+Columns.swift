// The fetch indexes that a table can't have, because an element of them has no column there. Apple's tools
// take such models, and its framework leaves these indexes out.

import CoreDataPredicate

extension FetchIndexSchema {
    /// The reason why a table can't have the index; nil if all its elements have columns, or don't
    /// exist, which is an error.
    package func obstacle(in entity: ModelIndex.Entity) -> String? {
        if elements.isEmpty { return "it is empty" }
        return elements.compactMap { $0.path.flatMap { Self.obstacle(at: $0, in: entity) } }.first
    }

    private static func obstacle(at path: String, in entity: ModelIndex.Entity) -> String? {
        if ["self", "entity"].contains(path) { return "\"\(path)\" is no attribute" }
        guard let property = entity.property(at: path) else { return nil }
        let base = entity.propertiesByName[String(path.prefix { $0 != "." })] ?? property
        if base.isTransient { return "\"\(path)\" is transient" }
        switch property.kind {
        case .fetched: return "\"\(path)\" is a fetched property"
        case .relationship(let traits): return traits.isToMany ? "\"\(path)\" is a to-many relationship" : nil
        case .attribute(let traits): return traits.type == .composite ? "\"\(path)\" is composite" : nil
        }
    }
}

extension FetchIndexElementSchema {
    /// The attribute, the element of a composite attribute or the relationship; nil for other expressions.
    package var path: String? {
        switch subject {
        case .property(let path), .expression(_, .keyPath(.evaluatedObject, let path), _): path
        case .expression: nil
        }
    }
}
