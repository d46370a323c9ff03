// Requests that a client hands to the coordinator itself.

import CoreDataStores
import Foundation

extension NSPersistentStoreCoordinator {
    /// Executes a request for a context, as the context's own `fetch(_:)` and `execute(_:)` do.
    ///
    /// - Parameters:
    ///   - request: a fetch, a batch or a request for history; contexts save by `save()`.
    ///   - context: the context that the objects will belong to.
    /// - Returns: an array of what a fetch finds, a batch's result, or an `NSPersistentHistoryResult`.
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` (134091) for other requests; what the
    ///   context's methods throw.
    public func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws
        -> Any
    {
        if let batch = request as? any BatchRequest { return try context.executeBatch(batch) }
        if let request = request as? NSPersistentHistoryChangeRequest { return try execute(request) }
        guard let fetch = request as? any FetchRequestWithFields else {
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError,
                description: "The coordinator doesn't execute this request.",
                userInfo: [CoreDataError.Key.reason: "\(type(of: request)) isn't a fetch request."])
        }
        let general = NSFetchRequest<any NSFetchRequestResult>(fields: fetch.fields)
        general.affectedStores = request.affectedStores
        return try context.fetch(general)
    }
}
