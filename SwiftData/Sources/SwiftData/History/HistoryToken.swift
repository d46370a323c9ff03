// Places in the history of stores.

/// A place in the history of a data store.
public protocol HistoryToken: Codable, Comparable, Hashable, Identifiable, Sendable {
    /// The type of the value that a store keeps of a place.
    associatedtype TokenType: Codable, Hashable, Sendable

    /// The value of the place; nil before anything was saved.
    var tokenValue: TokenType? { get }
}

extension HistoryToken where ID == Self {
    /// The token itself.
    public var id: Self { self }
}

/// A place in the histories of stores that Core Data keeps.
public struct DefaultHistoryToken: HistoryToken {
    /// The number of the last transaction, by the identifier of its store.
    public let tokenValue: [String: Int64]?

    init(_ numbers: [String: Int64]) { tokenValue = numbers }

    var numbers: [String: Int64] { tokenValue ?? [:] }

    /// The identifier of the store; the first one of a token of several.
    public var storeIdentifier: String { numbers.keys.min() ?? "" }

    /// Returns whether the first token's place comes before the second's in one store, and after it in none. A store that a token
    /// doesn't know counts from its beginning.
    public static func < (lhs: DefaultHistoryToken, rhs: DefaultHistoryToken) -> Bool {
        let pairs = Set(lhs.numbers.keys).union(rhs.numbers.keys).map {
            (lhs.numbers[$0] ?? 0, rhs.numbers[$0] ?? 0)
        }
        return pairs.contains { $0 < $1 } && !pairs.contains { $0 > $1 }
    }
}
