// The faults of a request, as errors: Apple's framework raises for most of them.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import Foundation

/// Makes the errors of requests that name what the model doesn't have, or are none of the context's.
enum RequestErrors {
    /// A key that the entity doesn't have.
    static func unknown(_ key: String, entity: ManagedEntity) -> NSError {
        wrong("entity \"\(entity.name)\" has no property \"\(key)\"", entity: entity.name, property: key)
    }

    /// A request that can't be answered, whatever the stores hold.
    static func wrong(_ reason: String, entity: String? = nil, property: String? = nil) -> NSError {
        CoreDataError.make(
            NSCoreDataError, description: "The request can't be answered: \(reason).", file: nil,
            entity: entity,
            property: property, reason: reason)
    }

    /// Something that a client's class of stores leaves out, which it must override.
    static func missing(_ function: String, in store: Any.Type) -> NSError {
        CoreDataError.make(
            NSPersistentStoreUnsupportedRequestTypeError,
            description: "The store can't do this: \(store) must override \(function).",
            file: nil, reason: "\(store) must override \(function)")
    }

    /// A result whose failure is an error for clients: what can't be evaluated in memory is a request that can't be
    /// answered.
    static func asErrors<Answer>(_ result: Result<Answer, any Error>) throws -> Answer {
        do {
            return try result.get()
        } catch let failure as EvaluationFailure {
            throw wrong(failure.reason)
        }
    }

    /// Something of another context, coordinator or store than is asked.
    static func foreign(_ reason: String, entity: String? = nil) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOperationError, description: "The request can't be executed here: \(reason).",
            file: nil,
            entity: entity, reason: reason)
    }
}
