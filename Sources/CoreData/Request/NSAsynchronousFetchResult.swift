// The result of a fetch that is carried out beside the code that asked for it.

import Foundation

/// The result of an asynchronous fetch, or the reason why it failed; known at once, and
/// filled when the fetch is done.
open class NSAsynchronousFetchResult<ResultType: NSFetchRequestResult>: NSPersistentStoreAsynchronousResult {
    /// The request that this answers.
    public final let fetchRequest: NSAsynchronousFetchRequest<ResultType>

    /// The fetched objects; `nil` until the fetch is done, and when it failed.
    public internal(set) final var finalResult: [ResultType]?

    init(
        _ request: NSAsynchronousFetchRequest<ResultType>, context: NSManagedObjectContext,
        progress: Progress?
    ) {
        fetchRequest = request
        super.init(context: context, progress: progress)
    }
}
