// The tables of a store as its history is written to them.

package import CoreDataSQL

/// Tables whose changes may be written down in a history, in a transaction of the caller's.
package protocol HistoryTables: BatchTables {
    /// Writes a transaction with a number, which it returns.
    func insertHistory(_ transaction: HistoryTransactionRow) throws -> Int64
    /// Writes changes of a transaction.
    func insertHistory(_ changes: [HistoryChangeRow], of number: Int64) throws

    /// Indicates whether the database computes derived attributes, and tells what it computed.
    var keepsDerivedValues: Bool { get }
    /// The values that were computed since they were last taken, from a position on.
    func derivedValues(from position: Int) -> ArraySlice<DerivedValue>
    /// Takes over the values that were computed.
    func takeDerivedValues() -> [DerivedValue]
}

extension HistoryTables {
    package var keepsDerivedValues: Bool { false }
    package func derivedValues(from position: Int) -> ArraySlice<DerivedValue> { [] }
    package func takeDerivedValues() -> [DerivedValue] { [] }
}
