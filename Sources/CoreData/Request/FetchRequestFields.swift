// The settings of a fetch request without the type of its results, so that code for any fetch
// request needs no generics.

import Foundation

/// The values of a fetch request.
struct FetchRequestFields {
    /// Weak in effect would lose a request's entity when its model goes: the request keeps it.
    var entity: NSEntityDescription?
    /// The name that the request was made with, until an entity is set.
    var name: String?
    var predicate: NSPredicate?
    var sortDescriptors: [NSSortDescriptor]?
    var fetchLimit = 0
    var fetchOffset = 0
    var fetchBatchSize = 0
    var resultType = NSFetchRequestResultType.managedObjectResultType
    var includesSubentities = true
    var includesPropertyValues = true
    var includesPendingChanges = true
    var returnsObjectsAsFaults = true
    var returnsDistinctResults = false
    var shouldRefreshRefetchedObjects = false
    var relationshipKeyPathsForPrefetching: [String]?
    var propertiesToFetch: [Any]?
    var propertiesToGroupBy: [Any]?
    var havingPredicate: NSPredicate?

    var entityName: String? { entity?.name ?? name }
}

/// Any fetch request, whatever it returns.
protocol FetchRequestWithFields: NSPersistentStoreRequest {
    var fields: FetchRequestFields { get set }
    /// The settings as the request says them, which a subclass may override.
    var asked: FetchRequestFields { get }
    var sharedStorage: FetchRequestStorage { get }
}

/// The settings of a request, shared by requests that differ in the type of their results.
final class FetchRequestStorage {
    var fields: FetchRequestFields
    var isFrozen = false

    init(_ fields: FetchRequestFields) { self.fields = fields }
}
