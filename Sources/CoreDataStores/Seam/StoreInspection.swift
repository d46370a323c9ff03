// The view that tools have of a store that runs statements in SQL.

package import CoreDataSQL

/// One run of a statement.
package struct StatementRun {
    /// The statement, with a `?` for each binding.
    package let sql: String
    package let bindings: [SQLBinding]
    package let duration: Duration

    package init(sql: String, bindings: [SQLBinding], duration: Duration) {
        self.sql = sql
        self.bindings = bindings
        self.duration = duration
    }
}

/// Something wrong with what a store holds.
package struct StoreFinding {
    /// The check that found the problem.
    package let check: String
    package let explanation: String
    /// The rows concerned, as the check reports them; at most twenty.
    package let rows: [String]
    /// The number of rows concerned.
    package let count: Int
    /// Indicates whether values may be lost or not found because of it.
    package let isHarmful: Bool

    package init(check: String, explanation: String, rows: [String], count: Int, isHarmful: Bool) {
        self.check = check
        self.explanation = explanation
        self.rows = rows
        self.count = count
        self.isHarmful = isHarmful
    }
}

/// Shows how a store works. Asked with the coordinator's lock held.
package protocol StoreInspection: AnyObject {
    /// The statement for a fetch, and how the database would run it, a line for each step.
    ///
    /// - Parameter deliversRows: whether the fetch's result are rows with their values.
    func statement(
        for fetch: FetchDescription, deliversRows: Bool
    ) throws -> (statement: SQLStatement, plan: [String])

    /// The plan by which the database would run a statement, a line for each step.
    func plan(ofSQL sql: String) throws -> [String]

    /// Checks what the store holds against the model and the rules of its format.
    func findings() throws -> [StoreFinding]
}

/// Tells the statements that a store runs. Asked with the coordinator's lock held.
package protocol StoreTracing: StoreInspection {
    /// Has each statement told from now on, once it ran; as before for `nil`.
    func observe(_ observer: ((StatementRun) -> Void)?)

    /// Runs a closure that saves in a transaction, tells the statements, and takes the transaction back when the closure
    /// throws.
    func rehearse(telling observer: @escaping (StatementRun) -> Void, _ body: () throws -> Void) throws
}
