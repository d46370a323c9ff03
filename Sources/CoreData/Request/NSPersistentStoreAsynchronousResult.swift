// The result of a store that still works.

import CoreDataSupport
public import Foundation

/// The answer to a request that is carried out beside the code that made it.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    /// The context that the request was made on.
    public final let managedObjectContext: NSManagedObjectContext

    /// The error of the request; `nil` while it hasn't failed. Set before the completion block runs.
    public internal(set) final var operationError: (any Error)?

    /// The progress of the work, and the way to cancel it; `nil` when nobody asked for it with a progress of
    /// their own around the request.
    public final let progress: Progress?

    /// The object that stops the work.
    final let cancellation: RequestCancellation

    init(context: NSManagedObjectContext, progress: Progress?) {
        managedObjectContext = context
        self.progress = progress
        cancellation = RequestCancellation(progress)
        super.init()
    }

    /// Stops the work, which then fails with `CocoaError.userCancelled`. From any thread; too late once the
    /// completion block runs.
    public final func cancel() {
        cancellation.cancel()
        progress?.cancel()
    }
}
