// A store's persistent history for people to read.

public import CoreData

/// The transactions of a store.
public struct StoreHistory {
    private let store: OpenStore

    /// The history of a store.
    ///
    /// - Throws: `ToolFailure` if the store keeps none, or if its file is damaged, so that what it keeps can't be told.
    public init(of store: OpenStore) throws {
        guard store.keepsHistory else {
            if store.address.isFile, let damage = try OpenStore.damage(of: store.url) {
                throw ToolFailure("\(store.address.name) is damaged: \(damage).")
            }
            throw ToolFailure(
                "\(store.address.name) keeps no history: it was never opened with NSPersistentHistoryTrackingKey."
            )
        }
        self.store = store
    }

    /// Returns the transactions, the oldest first.
    ///
    /// - Parameters:
    ///   - since: a date, or the number of a transaction; nil for all.
    ///   - author: the author of the transactions; nil for any.
    /// - Throws: `ToolFailure` for a text that is neither; the errors of reading the history.
    public func transactions(since: String?, author: String?) throws -> [Transaction] {
        let request = try request(since)
        request.resultType = .transactionsAndChanges
        let result = try store.context.execute(request) as? NSPersistentHistoryResult
        let all = result?.result as? [NSPersistentHistoryTransaction] ?? []
        let number = since.flatMap { Int64($0) } ?? 0
        return all.filter { $0.transactionNumber > number && (author == nil || $0.author == author) }
            .map(Transaction.init)
    }

    private func request(_ since: String?) throws -> NSPersistentHistoryChangeRequest {
        guard let since, Int64(since) == nil else {
            return .fetchHistory(after: nil as NSPersistentHistoryToken?)
        }
        guard let date = Timestamp.date(from: since) else {
            throw ToolFailure("\"\(since)\" is no date as in 2024-05-01, and no number of a transaction.")
        }
        return .fetchHistory(after: date)
    }

    /// A save or a batch, as the history keeps it.
    public struct Transaction {
        /// The transaction's number in the store, from 1.
        public let number: Int64
        /// When it was saved.
        public let date: Date
        /// The author that the context named.
        public let author: String?
        /// The context's name.
        public let context: String?
        /// The changes of the transaction, in the store's order.
        public let changes: [Change]

        init(_ transaction: NSPersistentHistoryTransaction) {
            number = transaction.transactionNumber
            date = transaction.timestamp
            author = transaction.author
            context = transaction.contextName
            changes = (transaction.changes ?? []).map(Change.init)
        }

        /// The transaction in a line, for people.
        public var line: String {
            let names = [author.map { "by \($0)" }, context.map { "in \($0)" }].compactMap(\.self)
            let head = ["\(number)", Timestamp.text(of: date)] + names
            return head.joined(separator: "  ") + "  "
                + Change.Kind.allCases.compactMap { kind in
                    let count = changes.count { $0.kind == kind }
                    return count == 0 ? nil : "\(count) \(kind.rawValue)"
                }.joined(separator: ", ")
        }

        /// The transaction with its changes, for programs.
        public var record: PrintedValue {
            .object([
                "number": .integer(number), "date": .date(date),
                "author": author.map(PrintedValue.text) ?? .null,
                "context": context.map(PrintedValue.text) ?? .null,
                "changes": .list(changes.map(\.record)),
            ])
        }
    }

    /// A change of one object.
    public struct Change {
        /// The kinds of changes.
        public enum Kind: String, CaseIterable {
            /// The object was inserted, updated or deleted.
            case inserted, updated, deleted
        }

        /// The kind of change: insertion, update or deletion.
        public let kind: Kind
        /// The object's name: its entity and number.
        public let object: String
        /// The properties that an update changed.
        public let properties: [String]
        /// The values that are kept of a deleted object.
        public let tombstone: [String: Any]

        init(_ change: NSPersistentHistoryChange) {
            kind =
                switch change.changeType {
                case .insert: .inserted
                case .update: .updated
                case .delete: .deleted
                }
            object = ObjectName.text(of: change.changedObjectID)
            properties = (change.updatedProperties ?? []).map(\.name).sorted()
            tombstone =
                change.tombstone.map { kept in
                    Dictionary(kept.map { ("\($0.key)", $0.value) }, uniquingKeysWith: { first, _ in first })
                } ?? [:]
        }

        /// The change in a line, for people.
        public var line: String {
            var line = "\(kind.rawValue) \(object)"
            if !properties.isEmpty { line += ": " + properties.joined(separator: ", ") }
            if !tombstone.isEmpty { line += " " + PrintedValue(any: tombstone).cell }
            return line
        }

        /// The change, for programs.
        public var record: PrintedValue {
            .object([
                "kind": .text(kind.rawValue), "object": .text(object),
                "properties": .list(properties.map(PrintedValue.text)),
                "tombstone": tombstone.isEmpty ? .null : PrintedValue(any: tombstone),
            ])
        }
    }
}
