// One version of a versioned model.

package import CoreDataSchema

/// A version in a `.momd` or `.xcdatamodeld`.
package struct ModelVersion: Sendable, Hashable {
    /// The version's file name without its extension.
    package var name: String
    package var schema: ModelSchema
    package var isCurrent: Bool

    package init(name: String, schema: ModelSchema, isCurrent: Bool = false) {
        self.name = name
        self.schema = schema
        self.isCurrent = isCurrent
    }
}
