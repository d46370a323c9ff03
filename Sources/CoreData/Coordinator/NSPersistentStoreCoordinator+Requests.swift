// Requests that a client hands to the coordinator itself.

import CoreDataStores
import Foundation

extension NSPersistentStoreCoordinator {
    /// Executes a fetch for a context and returns what it finds, as the context's own `fetch` does; a batch, and
    /// returns its result; or a request for history, whose answer is an `NSPersistentHistoryResult`.
    ///
    /// Throws `NSPersistentStoreUnsupportedRequestTypeError` for other requests: contexts save by `save()`.
    public func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws
        -> Any
    {
        if let batch = request as? any BatchRequest { return try context.executeBatch(batch) }
        if let request = request as? NSPersistentHistoryChangeRequest { return try execute(request) }
        guard let fetch = request as? any FetchRequestWithFields else {
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError, "The coordinator doesn't execute this request.",
                userInfo: [CoreDataError.Key.reason: "\(type(of: request)) isn't a fetch request."])
        }
        let general = NSFetchRequest<any NSFetchRequestResult>(fields: fetch.fields)
        general.affectedStores = request.affectedStores
        return try context.fetch(general)
    }
}
