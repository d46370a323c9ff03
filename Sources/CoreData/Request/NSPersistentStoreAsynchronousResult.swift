// What a store answers while it still works.

import CoreDataSupport
public import Foundation

/// The answer to a request that is carried out beside the code that made it.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    /// The context that the request was made on.
    public final let managedObjectContext: NSManagedObjectContext

    /// Why the request failed; `nil` while it hasn't. Set before the completion block runs.
    public internal(set) final var operationError: (any Error)?

    /// How far the work is, and the way to cancel it; `nil` when nobody asked for it with a progress of their
    /// own around the request.
    public final let progress: Progress?

    init(context: NSManagedObjectContext, progress: Progress?) {
        managedObjectContext = context
        self.progress = progress
        super.init()
    }

    /// Asks the work to stop. What is done already is done.
    public final func cancel() {
        progress?.cancel()
    }
}
