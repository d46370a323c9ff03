// The protocols of saves and their changes in the history of a data store.

public import Foundation

/// One save, as the history of a data store has it.
public protocol HistoryTransaction: Hashable, Identifiable, Sendable {
    /// The type of the place after a save.
    associatedtype TokenType: Comparable, Hashable, Identifiable, Sendable
    /// The type that tells saves apart.
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

    /// The author that the context which saved had.
    var author: String? { get }
    /// The changes of the save, in their order.
    var changes: [HistoryChange] { get }
    /// The identifier of the store.
    var storeIdentifier: String { get }
    /// The time of the save.
    var timestamp: Date { get }
    /// The place in the history after the save.
    var token: TokenType { get }
    /// The number of the save in its store.
    var transactionIdentifier: TransactionIdentifier { get }
}

extension HistoryTransaction where ID == TransactionIdentifier {
    /// The number of the save in its store.
    public var id: TransactionIdentifier { transactionIdentifier }
}

/// The change of one model in a save.
public enum HistoryChange: Sendable {
    /// A model that is new.
    case insert(any HistoryInsert)
    /// A model with other values.
    case update(any HistoryUpdate)
    /// A model that is gone.
    case delete(any HistoryDelete)

    /// The identifier of the model that changed.
    public var changedPersistentIdentifier: PersistentIdentifier {
        switch self {
        case .insert(let change): change.changedPersistentIdentifier
        case .update(let change): change.changedPersistentIdentifier
        case .delete(let change): change.changedPersistentIdentifier
        }
    }
}

/// The insertion of a model.
public protocol HistoryInsert<Model>: Sendable {
    /// The type of the model.
    associatedtype Model: PersistentModel
    /// The type that tells changes apart.
    associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
    /// The type that tells saves apart.
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

    /// The number of the change in its store.
    var changeIdentifier: ChangeIdentifier { get }
    /// The identifier of the model that changed.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The number of the save.
    var transactionIdentifier: TransactionIdentifier { get }
}

/// The change of a model's values.
public protocol HistoryUpdate<Model>: Sendable {
    /// The type of the model.
    associatedtype Model: PersistentModel
    /// The type that tells changes apart.
    associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
    /// The type that tells saves apart.
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable
    /// A property that a change names.
    typealias PropertyUpdate = PartialKeyPath<Model> & Sendable

    /// The number of the change in its store.
    var changeIdentifier: ChangeIdentifier { get }
    /// The identifier of the model that changed.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The number of the save.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The properties whose values changed.
    var updatedAttributes: [any PartialKeyPath<Model> & Sendable] { get }
}

/// The deletion of a model.
public protocol HistoryDelete<Model>: Sendable {
    /// The type of the model.
    associatedtype Model: PersistentModel
    /// The type that tells changes apart.
    associatedtype ChangeIdentifier: Comparable, Hashable, Sendable
    /// The type that tells saves apart.
    associatedtype TransactionIdentifier: Comparable, Hashable, Sendable

    /// The number of the change in its store.
    var changeIdentifier: ChangeIdentifier { get }
    /// The identifier of the model that changed.
    var changedPersistentIdentifier: PersistentIdentifier { get }
    /// The number of the save.
    var transactionIdentifier: TransactionIdentifier { get }
    /// The values that outlive the model: those of attributes with `.preserveValueOnDeletion`.
    var tombstone: HistoryTombstone<Model> { get }
}

/// The values of a deleted model that its attributes' option `.preserveValueOnDeletion` kept.
public struct HistoryTombstone<Model: PersistentModel>: Sendable {
    /// The values by the names of their properties.
    private let values: [String: any Sendable]

    init(_ values: [String: any Sendable]) { self.values = values }

    /// The value of a property; nil where it had none, or isn't preserved.
    public subscript(_ keyPath: PartialKeyPath<Model>) -> (any Sendable)? {
        Model.propertyName(of: keyPath).flatMap { values[$0] }
    }
}
