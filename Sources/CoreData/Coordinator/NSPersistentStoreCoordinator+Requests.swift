// Requests that a client hands to the coordinator itself.

import CoreDataStores
import Foundation

extension NSPersistentStoreCoordinator {
    final func answer(_ request: NSPersistentStoreRequest, for context: NSManagedObjectContext) throws -> Any
    {
        if let batch = request as? any BatchRequest { return try context.executeBatch(batch) }
        if let request = request as? NSPersistentHistoryChangeRequest { return try execute(request) }
        guard let fetch = request as? any FetchRequestWithFields else {
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError,
                description: "The coordinator doesn't execute this request.",
                userInfo: [CoreDataError.Key.reason: "\(type(of: request)) isn't a fetch request."])
        }
        let general = NSFetchRequest<any NSFetchRequestResult>(fields: fetch.asked)
        general.affectedStores = request.affectedStores
        return try context.results(of: general)
    }
}
