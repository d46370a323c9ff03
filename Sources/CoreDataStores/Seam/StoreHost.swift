// The services that stores need of the classes above them.

package import CoreDataSQL
package import CoreDataSchema
package import CoreDataSupport
package import Foundation

/// Stands above a store and knows clients' objects, which stores handle as references and never look into.
///
/// Sendable, because stores may notice on a thread of their own that somebody else wrote.
package protocol StoreHost: AnyObject, Sendable {
    /// The location of the store: errors name it.
    var url: URL? { get }
    /// Those that the store was added with, by Apple's names (`StoreOption`) and names of the engine's own.
    var options: [AnyHashable: Any]? { get }
    /// Indicates whether saving to the store fails. A store sets it that finds out that it must not be
    /// written.
    var isReadOnly: Bool { get set }
    /// In whose name the store is asked: a history says so.
    var requester: StoreRequester { get }

    /// Called whenever the store has opened what is at its URL.
    func hasOpened(_ place: StorePlace?)

    /// Runs a closure with the lock held that guards the store, on any thread; `nil`, without running it, if the store isn't in
    /// use any more.
    func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result?

    /// Tells clients that somebody saved to what the store has open, in this process or another. Called without the lock.
    func announce(_ change: RemoteChange)

    // MARK: Identities

    /// Returns the reference to a row in a result or a predicate: its object ID.
    func reference(to entity: EntityRuntime, primaryKey: Int64) -> AnyObject

    /// The row of this store that an object or an object ID stands for; `nil` for anything else, and for objects that
    /// were never saved.
    func row(of reference: AnyObject) -> RowKey?

    /// Returns the object that a predicate finds under the key `entity` of a row.
    func reference(to entity: EntityRuntime) -> AnyObject

    /// The name of the entity that a reference is; `nil` if it is none.
    func entityName(of reference: AnyObject) -> String?

    // MARK: Values

    /// Returns whether the attribute's objects can be turned into bytes and back.
    func canEncode(_ attribute: AttributeTraits) -> Bool

    /// The bytes of a transformable attribute's object. Throws an error that names entity and property.
    func encode(
        _ object: Any, attribute: AttributeTraits, entity: String, property: String
    ) throws -> Data

    /// The object of a transformable attribute's bytes; `nil`, with a warning, for bytes that can't be read. Throws where
    /// the program doesn't have the attribute's transformer.
    func decode(
        _ bytes: Data, attribute: AttributeTraits, entity: String, property: String
    ) throws -> Any?

    // MARK: Clients' code

    /// Returns the answer of a client's closure for a row, or for another value.
    func evaluate(_ predicate: AnyObject, with subject: StoreSubject, variables: [String: Any]) throws -> Bool

    /// Returns the results of a request inside a predicate in a context, or their number.
    func fetch(_ request: Value, in context: AnyObject, countOnly: Bool) throws -> Value

    /// The request that a constant is, as the planner takes it. Throws `TranslationFailure` for what can't be planned.
    func description(of request: AnyObject) throws -> FetchDescription
}

/// The argument of a client's closure.
package enum StoreSubject {
    case row(EntityRuntime, primaryKey: Int64)
    case value(Any?)
}

/// The context that asks a store, as a history names it.
package struct StoreRequester: Sendable, Equatable {
    package let author: String?
    package let contextName: String?

    package init(author: String? = nil, contextName: String? = nil) {
        self.author = author
        self.contextName = contextName
    }
}

/// A save that a store has heard of.
package struct RemoteChange: Sendable, Equatable {
    /// The identity of the store that was saved.
    package let identifier: String
    /// The number of the history's transaction, where the store keeps one.
    package let transaction: Int64?

    package init(identifier: String, transaction: Int64?) {
        self.identifier = identifier
        self.transaction = transaction
    }
}
