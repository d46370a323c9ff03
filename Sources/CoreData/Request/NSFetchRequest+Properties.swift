// The settings of a fetch request as its overridden properties say them, and requests with other results.

import CoreDataSupport
import Foundation

extension NSFetchRequest {
    /// Everything that the request says to who executes it: a subclass is asked for each property.
    final var asked: FetchRequestFields {
        if Swift.type(of: self) == NSFetchRequest<ResultType>.self { return fields }
        var asked = FetchRequestFields()
        asked.entity = entity
        asked.name = entityName
        asked.predicate = predicate
        asked.sortDescriptors = sortDescriptors
        asked.fetchLimit = fetchLimit
        asked.fetchOffset = fetchOffset
        asked.fetchBatchSize = fetchBatchSize
        asked.resultType = resultType
        asked.includesSubentities = includesSubentities
        asked.includesPropertyValues = includesPropertyValues
        asked.includesPendingChanges = includesPendingChanges
        asked.returnsObjectsAsFaults = returnsObjectsAsFaults
        asked.returnsDistinctResults = returnsDistinctResults
        asked.shouldRefreshRefetchedObjects = shouldRefreshRefetchedObjects
        asked.relationshipKeyPathsForPrefetching = relationshipKeyPathsForPrefetching
        asked.propertiesToFetch = propertiesToFetch
        asked.propertiesToGroupBy = propertiesToGroupBy
        asked.havingPredicate = havingPredicate
        return asked
    }
}

extension NSPersistentStoreRequest {
    /// Returns the same fetch request with results of another type.
    ///
    /// On Apple's systems the cast `request as! NSFetchRequest<Person>` does this; here a generic class can't be cast to another.
    /// Changes of one request change both, but for `affectedStores`; of a model's template it is a copy. A request that is no fetch
    /// request raises: `fetchRequest(_:returning:)` gives nil.
    public func returning<Other: NSFetchRequestResult>(
        _ type: Other.Type = Other.self
    ) -> NSFetchRequest<Other> {
        guard let other = self as? any FetchRequestWithFields else {
            raise(.invalidArgument, "\(Swift.type(of: self)) is no fetch request")
        }
        let request = NSFetchRequest<Other>(sharing: other.sharedStorage)
        request.affectedStores = affectedStores
        return request
    }

    /// Returns a value as a fetch request with results of a type; nil if it is no fetch request.
    ///
    /// On Apple's systems `value as? NSFetchRequest<Person>` says this. Here that cast fails for requests
    /// that were made with another type. A request of that type is returned itself, another as
    /// `returning(_:)` gives it.
    ///
    /// - Parameters:
    ///   - value: the value, such as an element of an archive.
    ///   - type: the type of the results.
    public static func fetchRequest<Result: NSFetchRequestResult>(
        _ value: Any?, returning type: Result.Type
    ) -> NSFetchRequest<Result>? {
        if let request = value as? NSFetchRequest<Result> { return request }
        guard let other = value as? any FetchRequestWithFields else { return nil }
        let request = NSFetchRequest<Result>(sharing: other.sharedStorage)
        request.affectedStores = other.affectedStores
        return request
    }
}
