// A fetch that is carried out beside the code that asks for it.

import CoreDataSupport
public import Foundation

/// A closure that an asynchronous fetch calls when it is done.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock = (
    NSAsynchronousFetchResult<any NSFetchRequestResult>
) -> Void

/// A fetch whose result comes later: `NSManagedObjectContext.execute(_:)` returns at once.
///
/// ```swift
/// let request = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest<Hero>(entityName: "Hero")) { result in
///     print(result.finalResult?.count ?? 0)
/// }
/// try context.execute(request)
/// ```
open class NSAsynchronousFetchRequest<ResultType: NSFetchRequestResult>: NSPersistentStoreRequest {
    /// The request to be fetched.
    public final let fetchRequest: NSFetchRequest<ResultType>

    /// The number of objects that are expected, for the progress. 0 when nobody knows.
    public final var estimatedResultCount = 0

    private let completion: ((NSAsynchronousFetchResult<ResultType>) -> Void)?

    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// A request that calls `blk` on the context's queue when the fetch is done or has failed.
    ///
    /// - Parameters:
    ///   - request: the fetch.
    ///   - blk: gets the result, with its objects or its error.
    public init(
        fetchRequest request: NSFetchRequest<ResultType>,
        completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
    ) {
        fetchRequest = request
        completion = blk
        super.init()
        affectedStores = request.affectedStores
    }

    open override func copy(with zone: NSZone? = nil) -> Any {
        let request = NSFetchRequest<ResultType>(fields: fetchRequest.fields)
        request.affectedStores = fetchRequest.affectedStores
        let copy = NSAsynchronousFetchRequest(fetchRequest: request, completionBlock: completion)
        copy.estimatedResultCount = estimatedResultCount
        copy.affectedStores = affectedStores
        return copy
    }

    /// The block that the request was made with, for a result of any type.
    public final var completionBlock: NSPersistentStoreAsynchronousFetchResultCompletionBlock? {
        completion.map { block in
            { result in
                let typed = NSAsynchronousFetchResult(
                    self, context: result.managedObjectContext, progress: result.progress)
                typed.operationError = result.operationError
                typed.finalResult = result.finalResult.map { $0.compactMap { ($0 as Any) as? ResultType } }
                block(typed)
            }
        }
    }
}

/// Any asynchronous fetch, for the context, which carries it out whatever it returns.
protocol AsynchronousFetchWithFields: NSPersistentStoreRequest {
    var fields: FetchRequestFields { get }
    var estimatedResultCount: Int { get }
    /// The class of the results if they are objects.
    var objectClass: NSManagedObject.Type? { get }

    /// The result to hand out at once.
    func makeResult(context: NSManagedObjectContext, progress: Progress?)
        -> NSPersistentStoreAsynchronousResult

    /// Puts what was fetched, or the failure, into a result of `makeResult` and calls the completion block.
    func finish(_ result: NSPersistentStoreAsynchronousResult, with fetched: Result<[Any], any Error>)
}

extension NSAsynchronousFetchRequest: AsynchronousFetchWithFields {
    final var fields: FetchRequestFields { fetchRequest.fields }
    final var objectClass: NSManagedObject.Type? { ResultType.self as? NSManagedObject.Type }

    final func makeResult(
        context: NSManagedObjectContext, progress: Progress?
    ) -> NSPersistentStoreAsynchronousResult {
        NSAsynchronousFetchResult(self, context: context, progress: progress)
    }

    final func finish(_ result: NSPersistentStoreAsynchronousResult, with fetched: Result<[Any], any Error>) {
        guard let result = result as? NSAsynchronousFetchResult<ResultType> else { return }
        do {
            result.finalResult = try fetched.get().map { object in
                guard let object = object as? ResultType else {
                    throw RequestErrors.wrong(
                        "it gives objects of class \(type(of: object)), but says \(ResultType.self)")
                }
                return object
            }
        } catch {
            result.operationError = error
        }
        completion?(result)
    }
}
