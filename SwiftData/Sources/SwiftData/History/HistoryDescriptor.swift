// What is asked of the history.

public import Foundation

/// The transactions of a history that are asked for, or are to be deleted.
///
/// ```swift
/// var descriptor = HistoryDescriptor<DefaultHistoryTransaction>()
/// descriptor.predicate = #Predicate { $0.token > last && $0.author == "importer" }
/// for transaction in try context.fetchHistory(descriptor) { … }
/// ```
///
/// Of a predicate over `DefaultHistoryTransaction` a lower bound of `token` or `timestamp` goes to the store's query, so that older
/// transactions aren't read, and a comparison with `author` is asked before changes are read.
public struct HistoryDescriptor<TransactionType: HistoryTransaction>: Sendable {
    /// The condition on transactions; nil for all.
    public var predicate: Predicate<TransactionType>?
    /// The order of the transactions; that of their saves if empty.
    public var sortBy: [SortDescriptor<TransactionType>]
    /// The most transactions that are wanted; 0 for all.
    public var fetchLimit: UInt64 = 0

    /// A descriptor of transactions in the order of their saves.
    public init(predicate: Predicate<TransactionType>? = nil) {
        self.init(predicate: predicate, sortBy: [])
    }

    /// A descriptor of transactions in an order.
    ///
    /// - Parameters:
    ///   - predicate: the condition; nil for all transactions.
    ///   - sortBy: the order.
    public init(predicate: Predicate<TransactionType>? = nil, sortBy: [SortDescriptor<TransactionType>]) {
        self.predicate = predicate
        self.sortBy = sortBy
    }

    /// Filters, sorts and cuts transactions in memory.
    func applied(to transactions: [TransactionType]) throws -> [TransactionType] {
        var found = transactions
        if let predicate { found = try found.filter { try predicate.evaluate($0) } }
        if !sortBy.isEmpty { found = found.sorted(using: sortBy) }
        if fetchLimit > 0, UInt64(found.count) > fetchLimit { found = Array(found.prefix(Int(fetchLimit))) }
        return found
    }
}
