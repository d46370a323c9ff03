// The name of a property in the whole model.

/// A property by the entity that declares it.
package struct PropertyAddress: Sendable, Hashable {
    package var entity: String
    package var property: String

    package init(_ entity: String, property: String) {
        self.entity = entity
        self.property = property
    }
}
