// The reason why a model and a store's tables can't be brought together.

/// Names the entity, and where it applies the property, that has no place in the store.
package struct LayoutFailure: Error, Sendable, Hashable, CustomStringConvertible {
    package var entity: String
    package var property: String?
    package var reason: String

    package init(entity: String, property: String? = nil, _ reason: String) {
        self.entity = entity
        self.property = property
        self.reason = reason
    }

    package var description: String {
        let subject = property.map { "property \"\($0)\" of entity \"\(entity)\"" } ?? "entity \"\(entity)\""
        return "\(subject): \(reason)"
    }
}
