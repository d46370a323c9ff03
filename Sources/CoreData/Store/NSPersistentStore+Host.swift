// The services of Apple's classes that the values of stores need.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension NSPersistentStore: StoreHost {
    final var requester: StoreRequester {
        let context = persistentStoreCoordinator?.requester
        return StoreRequester(author: context?.transactionAuthor, contextName: context?.name)
    }

    final func hasOpened(_ place: StorePlace?) { OpenStores.add(self, at: place) }

    final func exclusively<Result>(_ body: () throws -> Result) rethrows -> Result? {
        try persistentStoreCoordinator?.withLock(body)
    }

    final func announce(_ change: RemoteChange) {
        guard let coordinator = persistentStoreCoordinator else { return }
        var info: [AnyHashable: Any] = [NSStoreUUIDKey: change.identifier]
        info[NSPersistentStoreURLKey] = url
        info[NSPersistentHistoryTokenKey] = change.transaction.map {
            NSPersistentHistoryToken([change.identifier: $0])
        }
        NotificationCenter.default.post(
            name: .NSPersistentStoreRemoteChange, object: coordinator, userInfo: info)
    }

    final func reference(to entity: EntityRuntime, primaryKey: Int64) -> AnyObject {
        NSManagedObjectID(entity, primaryKey: primaryKey, store: self)
    }

    final func row(of reference: AnyObject) -> RowKey? {
        let identity = (reference as? NSManagedObject)?.objectID ?? reference as? NSManagedObjectID
        guard let identity, !identity.isTemporaryID, identity.storeIdentifier == identifier else {
            return nil
        }
        return RowKey(identity.runtime, primaryKey: identity.primaryKey)
    }

    final func reference(to entity: EntityRuntime) -> AnyObject { entity.managed.description }

    final func entityName(of reference: AnyObject) -> String? { (reference as? NSEntityDescription)?.name }

    final func canEncode(_ attribute: AttributeTraits) -> Bool { TransformableCoding.isKnown(attribute) }

    final func encode(
        _ object: Any, attribute: AttributeTraits, entity: String, property: String
    ) throws -> Data {
        try TransformableCoding.encode(object, attribute: attribute, entity: entity, property: property)
    }

    final func decode(
        _ bytes: Data, attribute: AttributeTraits, entity: String, property: String
    ) throws -> Any? {
        try TransformableCoding.object(from: bytes, attribute: attribute, entity: entity, property: property)
    }

    final func evaluate(
        _ predicate: AnyObject, with subject: StoreSubject, variables: [String: Any]
    ) throws -> Bool {
        guard let predicate = predicate as? NSPredicate else { return false }
        try TooDeepPredicate.check(predicate)
        return try predicate.evaluate(with: object(subject), substitutionVariables: variables)
    }

    private final func object(_ subject: StoreSubject) throws -> Any? {
        switch subject {
        case .value(let value): return value
        case .row(let entity, let primaryKey):
            guard let context = persistentStoreCoordinator?.requester else {
                throw EvaluationFailure(reason: "a closure can't be called without a context")
            }
            return context.object(with: NSManagedObjectID(entity, primaryKey: primaryKey, store: self))
        }
    }

    final func fetch(_ request: Value, in context: AnyObject, countOnly: Bool) throws -> Value {
        guard let context = context as? any PredicateFetching else {
            throw EvaluationFailure(reason: "a fetch in a predicate needs a managed object context")
        }
        return try context.predicateFetch(request, countOnly: countOnly)
    }

    final func description(of request: AnyObject) throws -> FetchDescription {
        guard let request = request as? any FetchRequestWithFields else {
            throw TranslationFailure("FETCH: the request must be a constant")
        }
        return try FetchDescription(fields: request.asked)
    }
}
