// Saving without a call of `save()`, and transactions.

@_spi(SwiftData) import CoreData
import Foundation

extension ModelContext {
    /// Runs a closure and saves what it changed, with all that was unsaved before. If the closure throws, or the save, everything
    /// that isn't saved is dropped.
    ///
    /// - Throws: what the closure or the save throws.
    public func transaction(block: () throws -> Void) throws {
        takeOverSaves()
        do {
            try block()
            try save()
        } catch {
            rollback()
            throw error
        }
    }

    /// Called after each job of the context's executor, and after turns of the main queue in which something changed.
    func endOfEvent() {
        // What the undo manager undoes at once ends here too.
        defer { managed.undoManager?.endEvent() }
        managed.processPendingChanges()
        guard managed.hasChanges else { return releaseHeld() }
        guard autosaveEnabled else { return }
        do {
            try save()
        } catch {
            ValueLog.warn("changes couldn't be saved and stay unsaved: \(error)")
        }
    }

    /// Has a context on the main thread save at the end of the turn.
    func awaitEndOfEvent() {
        guard isMain || (autosaveEnabled && NSManagedObjectContext.isOnMainQueue) else { return }
        if let turn { return turn.unsaved = self }
        let turn = Turn(of: self)
        self.turn = turn
        DispatchQueue.main.async {
            guard let context = turn.context else { return }
            context.turn = nil
            context.endOfEvent()
        }
    }

    /// Saves the changes of a context that ends. Nobody can be told, as nobody has the context.
    func saveAtEnd() {
        guard managed.hasChanges else { return }
        assignStores()
        do {
            try managed.saveShown()
        } catch {
            ValueLog.warn("changes of a context that ended couldn't be saved and are lost: \(error)")
        }
    }

    /// A turn of the main queue, at the end of which a context is to be saved. It holds a context with unsaved changes only:
    /// the store of one that nobody uses any more must close, as it may be opened again in the same turn.
    ///
    /// Unchecked because such contexts are used on the main thread only.
    final class Turn: @unchecked Sendable {
        var unsaved: ModelContext?
        private(set) weak var context: ModelContext?

        init(of context: ModelContext) {
            unsaved = context
            self.context = context
        }
    }
}
