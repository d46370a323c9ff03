// The persistent history of a store, in numbers and rows.

package import CoreDataSQL
package import CoreDataSchema
package import Foundation

/// Keeps the history of a store: what was saved, transaction by transaction, with rising numbers. Asked with the coordinator's
/// lock held.
package protocol StoreHistory: AnyObject {
    /// The number of the last transaction; `nil` if the store keeps no history.
    func lastTransaction() throws -> Int64?

    /// The last transaction that this store recorded, else the last there is; `nil` if saves aren't recorded.
    var recordedTransaction: Int64? { get }

    /// Deletes the history before a transaction or before a time, and returns how many transactions that were.
    func deleteHistory(before number: Int64?, or date: Date?) throws -> Int

    /// Makes an empty history for a store that takes another's place and identity. Its numbers begin beyond those of the
    /// other's, and leave one out, so that all tokens from there have expired.
    func beginHistory(after last: Int64) throws

    /// Runs a closure that reads one state of the history; not at all if the store keeps none.
    func readHistory(_ body: (any HistoryReader) throws -> Void) throws
}

/// Reads one state of a history.
package protocol HistoryReader {
    /// The number of the oldest transaction that is kept, `nil` if none is, and that of the last one ever written.
    func span() throws -> (oldest: Int64?, last: Int64)

    /// Hands over transactions, oldest first, one by one, until the closure returns false.
    func transactions(
        after number: Int64?, since timestamp: Double?, _ body: (HistoryTransactionRow) throws -> Bool
    ) throws

    /// Hands over the changes of a transaction one by one, each with the entity of its row, beyond the one with a key, until the
    /// closure returns false. Those of entities that the model lacks are left out.
    func changes(
        of transaction: Int64, after key: Int64,
        _ body: (HistoryChangeRow, EntityRuntime) throws -> Bool
    ) throws

    /// Passes over the first changes of a transaction without reading them. Returns how many there were to pass, and the key
    /// of the last of them; no key if there are no others.
    func passChanges(of transaction: Int64, count: Int) throws -> (count: Int, key: Int64?)

    /// The number that changes name an entity by; `nil` if the store has no place for it.
    func number(ofEntity name: String) -> Int64?
}
