// Saves and changes of stores that Core Data keeps.

public import Foundation

/// One save of a store that Core Data keeps.
public struct DefaultHistoryTransaction: HistoryTransaction {
    /// The author that the context which saved had.
    public let author: String?
    /// The program that saved.
    public let bundleIdentifier: String
    /// The process that saved.
    public let processIdentifier: String
    /// The changes of the save, in their order.
    public let changes: [HistoryChange]
    /// The identifier of the store.
    public let storeIdentifier: String
    /// The time of the save.
    public let timestamp: Date
    /// The place in the history after the save.
    public let token: DefaultHistoryToken
    /// The number of the save in its store.
    public let transactionIdentifier: Int64

    /// The store and the number together.
    public var id: String { "\(storeIdentifier)/\(transactionIdentifier)" }

    public static func == (lhs: DefaultHistoryTransaction, rhs: DefaultHistoryTransaction) -> Bool {
        lhs.id == rhs.id
    }

    public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}

/// The insertion of a model in a store that Core Data keeps.
public struct DefaultHistoryInsert<Model: PersistentModel>: HistoryInsert, Hashable {
    public let changeIdentifier: Int64
    public let changedPersistentIdentifier: PersistentIdentifier
    public let transactionIdentifier: Int64

    /// Returns whether both are the same change of one store's history.
    public static func == (lhs: DefaultHistoryInsert<Model>, rhs: DefaultHistoryInsert<Model>) -> Bool {
        lhs.changeIdentifier == rhs.changeIdentifier
            && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
    }

    /// Adds what tells the change apart from others.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(changeIdentifier)
        hasher.combine(changedPersistentIdentifier)
    }
}

/// The change of a model's values in a store that Core Data keeps.
public struct DefaultHistoryUpdate<Model: PersistentModel>: HistoryUpdate, Hashable {
    /// A property that a change names.
    public typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

    public let changeIdentifier: Int64
    public let changedPersistentIdentifier: PersistentIdentifier
    public let transactionIdentifier: Int64
    public let updatedAttributes: [any PartialKeyPath<Model> & Sendable]

    /// Returns whether the change is one of an attribute.
    public func containsAttribute(_ keyPath: any PartialKeyPath<Model> & Sendable) -> Bool {
        let name = Model.propertyName(of: keyPath)
        return updatedAttributes.contains {
            $0 == keyPath || (name != nil && Model.propertyName(of: $0) == name)
        }
    }

    /// Returns whether both are the same change of one store's history.
    public static func == (lhs: DefaultHistoryUpdate<Model>, rhs: DefaultHistoryUpdate<Model>) -> Bool {
        lhs.changeIdentifier == rhs.changeIdentifier
            && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
    }

    /// Adds what tells the change apart from others.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(changeIdentifier)
        hasher.combine(changedPersistentIdentifier)
    }
}

/// The deletion of a model in a store that Core Data keeps.
public struct DefaultHistoryDelete<Model: PersistentModel>: HistoryDelete, Hashable {
    public let changeIdentifier: Int64
    public let changedPersistentIdentifier: PersistentIdentifier
    public let transactionIdentifier: Int64
    public let tombstone: HistoryTombstone<Model>

    /// Returns whether both are the same change of one store's history.
    public static func == (lhs: DefaultHistoryDelete<Model>, rhs: DefaultHistoryDelete<Model>) -> Bool {
        lhs.changeIdentifier == rhs.changeIdentifier
            && lhs.changedPersistentIdentifier == rhs.changedPersistentIdentifier
    }

    /// Adds what tells the change apart from others.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(changeIdentifier)
        hasher.combine(changedPersistentIdentifier)
    }
}
