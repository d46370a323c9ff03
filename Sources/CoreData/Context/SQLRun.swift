// One statement that a store ran, as tools show it.

import CoreDataStores

/// One run of a statement.
package struct SQLRun: Sendable, Hashable {
    /// The statement, with a `?` for each binding.
    package let sql: String
    /// The bindings as SQL literals, in order.
    package let bindings: [String]
    /// The time that it took, in seconds.
    package let duration: Double

    init(_ run: StatementRun) {
        sql = run.sql
        bindings = run.bindings.map(\.shown)
        let parts = run.duration.components
        duration = Double(parts.seconds) + Double(parts.attoseconds) * 1e-18
    }
}
