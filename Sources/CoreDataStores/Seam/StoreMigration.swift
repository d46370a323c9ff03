// The way in which stores are brought to a newer version of their model.

package import CoreDataSchema

/// The way in which stores of one kind are brought to a newer version of their model.
package enum StoreMigration {
    /// Not at all.
    case none
    /// By a new store, into which the objects are copied.
    case copy
    /// By the store itself.
    case inPlace
}

/// A migration that a store carries out by itself.
package struct MigrationInPlace {
    /// The version that the store is of.
    package let source: ModelIndex
    /// From there to `model`.
    package let difference: SchemaDifference
    package let model: ModelRuntime
    /// Called with the position of each step that begins, and how many there are.
    package let progress: (_ step: Int, _ count: Int) -> Void

    package init(
        from source: ModelIndex, by difference: SchemaDifference, to model: ModelRuntime,
        progress: @escaping (_ step: Int, _ count: Int) -> Void = { _, _ in }
    ) {
        self.source = source
        self.difference = difference
        self.model = model
        self.progress = progress
    }
}

/// One thing that a migration in place would do.
package struct PlannedStep {
    package let summary: String
    /// The number of rows that it concerns; `nil` if that isn't counted.
    package let count: Int?
    /// Indicates whether values are gone afterwards.
    package let losesData: Bool
    /// The statements, of a store on a server.
    package let statements: [String]

    package init(summary: String, count: Int?, losesData: Bool, statements: [String] = []) {
        self.statements = statements
        self.summary = summary
        self.count = count
        self.losesData = losesData
    }
}
