// Statements over the rows of a history, and the rows as values.

import CoreDataSQL
import CoreDataSupport
import Foundation

extension ServerHistory {
    /// Rows that are read at once.
    static let page = 1024

    private func bigint(_ number: Int64) -> SQLFragment {
        SQLFragment(binding: .integer(number), as: .named("bigint"))
    }

    private func moment(_ timestamp: Double) -> SQLFragment {
        dialect.constant(.date(Date(timeIntervalSinceReferenceDate: timestamp)))?.sql ?? "NULL"
    }

    // MARK: Transactions

    func last(before limit: Int64) -> SQLStatement {
        statement("SELECT COALESCE(MAX(number), 0) FROM \(transactions) WHERE number < \(bigint(limit))")
    }

    /// Number, time, texts in the order of `HistoryLayout.Text.allCases`.
    func transactions(after number: Int64, before limit: Int64, _ timestamp: Double?) -> SQLStatement {
        let since: SQLFragment = timestamp.map { "AND time > \(moment($0)) " } ?? ""
        return statement(
            """
            SELECT number, time, author, bundle_id, context_name, process_id FROM \(transactions) \
            WHERE number > \(bigint(number)) AND number < \(bigint(limit)) \(since)ORDER BY number \
            LIMIT \(number: Self.page)
            """)
    }

    /// `nil` if the row makes no sense.
    static func transaction(_ row: [SQLBinding]) -> HistoryTransactionRow? {
        guard row.count == 2 + HistoryLayout.Text.allCases.count, case .integer(let number) = row[0],
            case .double(let time) = row[1]
        else { return nil }
        var texts: [HistoryLayout.Text: String] = [:]
        for (place, text) in HistoryLayout.Text.allCases.enumerated() {
            if case .text(let value) = row[2 + place] { texts[text] = value }
        }
        return HistoryTransactionRow(number: number, timestamp: time, texts: texts)
    }

    // MARK: Changes

    /// Binds the transaction's number, then kinds, entities, keys, names of properties and tombstones, each as an array.
    var changeInsertion: String {
        let arrays = ["bigint[]", "bigint[]", "bigint[]", "text[]", "text[]"].map {
            "\(slot: .named($0))" as SQLFragment
        }
        let text: SQLFragment = """
            INSERT INTO \(changes) (transaction_number, kind, entity, object_id, columns, tombstones) \
            SELECT \(slot: .named("bigint")), u.k, u.e, u.o, u.c::jsonb, u.t::jsonb \
            FROM unnest(\(arrays.joined(separator: ", "))) AS u(k, e, o, c, t)
            """
        return text.text(in: dialect)
    }

    func changes(of transaction: Int64, after key: Int64) -> SQLStatement {
        statement(
            """
            SELECT id, kind, entity, object_id, columns::text, tombstones::text FROM \(changes) \
            WHERE transaction_number = \(bigint(transaction)) AND id > \(bigint(key)) ORDER BY id \
            LIMIT \(number: Self.page)
            """)
    }

    /// `nil` if the row makes no sense.
    func change(_ row: [SQLBinding]) throws -> HistoryChangeRow? {
        guard row.count == 6, case .integer(let number) = row[0], case .integer(let type) = row[1],
            let kind = HistoryChangeRow.Kind(rawValue: type), case .integer(let entity) = row[2],
            case .integer(let key) = row[3]
        else { return nil }
        var change = HistoryChangeRow(number: number, kind: kind, entity: entity, primaryKey: key)
        if case .text(let text) = row[4] { change.columns = try bitmap(text, of: entity) }
        if case .text(let text) = row[5] {
            change.tombstones = try Tombstones.values(text, names.preserved[entity] ?? [])
        }
        return change
    }

    /// The names of an update's properties, as an array in JSON.
    func columns(_ bitmap: Data, of entity: Int64) throws -> String {
        let numbered = names.numbered[entity] ?? []
        let found = HistoryBitmap.positions(bitmap).filter(numbered.indices.contains).map { numbered[$0] }
        return String(decoding: try JSONEncoder().encode(found), as: UTF8.self)
    }

    /// Names that the model doesn't have are left out: another version of it wrote them.
    private func bitmap(_ text: String, of entity: Int64) throws -> Data {
        let found = Set(try JSONDecoder().decode([String].self, from: Data(text.utf8)))
        let numbered = names.numbered[entity] ?? []
        return HistoryBitmap.data(
            numbered.indices.filter { found.contains(numbered[$0]) }, count: numbered.count)
    }

    private func own(_ transaction: Int64, entities: [Int]) -> SQLFragment {
        "transaction_number = \(bigint(transaction)) AND entity IN (\(numbers: entities))"
    }

    /// The key of the change in a place, from 1, among those of a transaction to rows of these entities.
    func key(ofChange place: Int, of transaction: Int64, entities: [Int]) -> SQLStatement {
        statement(
            """
            SELECT id FROM \(changes) WHERE \(own(transaction, entities: entities)) ORDER BY id LIMIT 1 \
            OFFSET \(bigint(Int64(place - 1)))
            """)
    }

    func changeCount(of transaction: Int64, entities: [Int]) -> SQLStatement {
        statement("SELECT COUNT(*) FROM \(changes) WHERE \(own(transaction, entities: entities))")
    }

    // MARK: Deleting

    /// The first transaction from a time on. Those behind it stay, whatever their time.
    func first(since timestamp: Double) -> SQLStatement {
        statement("SELECT MIN(number) FROM \(transactions) WHERE time >= \(moment(timestamp))")
    }

    func noteDeletion(before number: Int64) -> SQLStatement {
        statement(
            """
            UPDATE \(state) SET deleted = GREATEST(deleted, \
            (SELECT MAX(number) FROM \(transactions) WHERE number < \(bigint(number))))
            """)
    }

    func deleteChanges(before number: Int64) -> SQLStatement {
        statement("DELETE FROM \(changes) WHERE transaction_number < \(bigint(number))")
    }

    func deleteTransactions(before number: Int64) -> SQLStatement {
        statement("DELETE FROM \(transactions) WHERE number < \(bigint(number))")
    }
}

/// Values that outlive a deleted row, of any type, by the attributes' names, as one text: an object in JSON. NULL isn't in it, any
/// other value is an object with one member, named after its kind.
enum Tombstones {
    static func text(_ values: [SQLBinding], _ names: [String]) throws -> String {
        let pairs = zip(names, values).compactMap { name, value in Element(value).map { (name, $0) } }
        let elements = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        return String(decoding: try JSONEncoder().encode(elements), as: UTF8.self)
    }

    static func values(_ text: String, _ names: [String]) throws -> [SQLBinding] {
        let elements = try JSONDecoder().decode([String: Element].self, from: Data(text.utf8))
        return names.map { elements[$0]?.binding ?? .null }
    }

    private struct Element: Codable {
        var integer: Int64?
        /// The bits of a number, which JSON can't always hold.
        var double: UInt64?
        var text: String?
        var bytes: Data?

        init?(_ value: SQLBinding) {
            switch value {
            case .null: return nil
            case .integer(let number): integer = number
            case .double(let number): double = number.bitPattern
            case .text(let text): self.text = text
            case .blob(let data): bytes = data
            }
        }

        var binding: SQLBinding {
            integer.map(SQLBinding.integer) ?? double.map { .double(Double(bitPattern: $0)) }
                ?? text.map(SQLBinding.text) ?? bytes.map(SQLBinding.blob) ?? .null
        }
    }
}
