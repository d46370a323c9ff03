// A migration as a value: what is to be asked of the file, what it means and how many rows it concerns.

package import CoreDataSchema
package import Foundation

/// The way of a store from one version of a model to another, in place. Its steps run in one transaction, in order.
package struct MigrationPlan: Sendable {
    /// One thing that happens to the store.
    package struct Step: Sendable {
        /// In a few words, for people.
        package var summary: String
        package var statements: [SQLStatement]
        /// Counts the rows concerned; asked of the store before anything has changed.
        package var count: SQLStatement?
        /// Indicates whether values are gone afterwards.
        package var losesData: Bool

        package init(
            _ summary: String, statements: [SQLStatement], count: SQLStatement? = nil,
            losesData: Bool = false
        ) {
            self.summary = summary
            self.statements = statements
            self.count = count
            self.losesData = losesData
        }
    }

    /// A condition on the rows, without which there is no migration.
    package struct Check: Sendable {
        package var entity: String
        package var attribute: String
        /// Returns the number of rows that lack a value.
        package var count: SQLStatement
    }

    /// A condition on numbers whose attribute gets another type, without which there is no migration.
    package struct Fit: Sendable {
        /// The older entity.
        package var source: String
        package var entity: String
        package var attribute: String
        package var conversion: NumericConversion
        /// Returns key and value of the first row whose number doesn't fit. Calls `Function.converted`.
        package var firstMisfit: SQLStatement
    }

    package var checks: [Check] = []
    package var fits: [Fit] = []
    package var steps: [Step] = []
    /// Return the cells that may name external files which nothing refers to afterwards.
    package var droppedCells: [SQLStatement] = []
    /// The new places of the properties of an update in the history: for each former Z_ENT the places, and
    /// their number. `HistoryColumnMove` applies it.
    package var historyMoves: [Int64: HistoryColumnMove] = [:]

    /// Indicates whether programs with the older version can go on with the store.
    package var isAdditive = false
    /// The work that is left for when the steps are done.
    package var workLeft: [PostgreSQLCatalogue.Work] = []
    /// Columns that are better filled before the steps begin.
    package var spares: [SpareColumn] = []

    package var statements: [SQLStatement] { steps.flatMap(\.statements) }

    /// SQL functions that the statements call, and only they.
    package enum Function {
        /// (value, former type, type) → the number in the newer type; NULL for what doesn't fit
        package static let converted = "OpenCoreDataConverted"
        /// (cell) → the value of a cell of external storage, out of its file where it is in one
        package static let unframed = "OpenCoreDataUnframed"
        /// (former Z_ENT, bitmap) → bitmap
        package static let movedColumns = "OpenCoreDataMovedColumns"
    }
}

/// The change of the bitmap of an entity's updates.
package struct HistoryColumnMove: Sendable, Hashable {
    /// By former position; `nil` for a property that is gone.
    package var places: [Int?]
    package var count: Int

    package init(places: [Int?], count: Int) {
        self.places = places
        self.count = count
    }

    package func moved(_ data: Data) -> Data {
        let positions = HistoryBitmap.positions(data).filter(places.indices.contains)
        return HistoryBitmap.data(positions.compactMap { places[$0] }, count: count)
    }
}
