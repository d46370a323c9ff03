// The columns that the rows of every entity have.

/// The columns at the head of every entity's table: the row's key, its entity's number and its version.
package struct HeadColumns: Sendable, Hashable {
    package var key: String
    package var entity: String
    package var version: String

    package init(key: String, entity: String, version: String) {
        self.key = key
        self.entity = entity
        self.version = version
    }

    /// As Apple's framework calls them.
    package static let apple = HeadColumns(key: "Z_PK", entity: "Z_ENT", version: "Z_OPT")

    package var all: [String] { [key, entity, version] }

    /// ` RETURNING Z_ENT, Z_PK`
    var returning: SQLFragment { " RETURNING \(name: entity), \(name: key)" }
}
