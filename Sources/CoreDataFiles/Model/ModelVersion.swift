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

/// The versions of a model file: those that can be read, and why the others can't.
package struct ModelVersionList: Sendable {
    package var versions: [ModelVersion]
    /// Each names the version's own file.
    package var failures: [ModelFileError] = []

    init(versions: [ModelVersion]) {
        self.versions = versions
    }

    /// Reads the versions of these names. A version that can't be read doesn't keep
    /// the others from being used.
    init(_ names: [String], current: String?, read: (String) throws -> ModelSchema) throws {
        versions = []
        for name in names {
            do {
                try versions.append(ModelVersion(name: name, schema: read(name), isCurrent: name == current))
            } catch let error as ModelFileError {
                failures.append(error)
            }
        }
    }
}
