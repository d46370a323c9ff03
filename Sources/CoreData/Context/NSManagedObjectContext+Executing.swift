// Requests of any kind, executed by the context.

import CoreDataStores
import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    @discardableResult
    final func result(of request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        try beginRequest()
        switch request {
        case let request as any AsynchronousFetchWithFields:
            return AsynchronousFetch(request, in: self).start()
        case let request as any FetchRequestWithFields:
            return ExecutedFetch(try results(request.fields, affected: request.affectedStores))
        case let request as any BatchRequest: return try executeBatch(request)
        case let request as NSPersistentHistoryChangeRequest:
            return try requiredCoordinator.execute(request)
        case is NSSaveChangesRequest:
            try save()
            return NSPersistentStoreResult()
        default:
            throw CoreDataError.make(
                NSPersistentStoreUnsupportedRequestTypeError,
                description: "The context's stores can't execute a request of class \(type(of: request)).",
                userInfo: [CoreDataError.Key.reason: "request type \(request.requestType.rawValue)"])
        }
    }

    /// Returns the results of `fetch` for a request whose type isn't known.
    final func results(
        _ fields: FetchRequestFields, affected: [NSPersistentStore]?
    ) throws -> [any NSFetchRequestResult] {
        let request = NSFetchRequest<any NSFetchRequestResult>(fields: fields)
        request.affectedStores = affected
        return try fetch(request)
    }
}

/// The answer to a fetch that was made with `execute(_:)`.
final class ExecutedFetch: NSPersistentStoreResult {
    /// Objects, IDs, dictionaries or a count.
    let finalResult: [any NSFetchRequestResult]

    init(_ finalResult: [any NSFetchRequestResult]) {
        self.finalResult = finalResult
    }
}
