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
        managed.processPendingChanges()
        guard autosaveEnabled, managed.hasChanges else { return }
        do {
            try save()
        } catch {
            ValueLog.warn("changes couldn't be saved and stay unsaved: \(error)")
        }
    }

    /// Has a context on the main thread save at the end of the turn.
    func awaitEndOfEvent() {
        guard isMain || (autosaveEnabled && NSManagedObjectContext.isOnMainQueue), !awaitsEndOfEvent else {
            return
        }
        awaitsEndOfEvent = true
        let context = Unchecked(context: self)
        DispatchQueue.main.async {
            context.context.awaitsEndOfEvent = false
            context.context.endOfEvent()
        }
    }

    /// Saves the changes of a context that ends. Nobody can be told, as nobody has the context.
    func saveAtEnd() {
        guard managed.hasChanges else { return }
        assignStores()
        assignClientStores()
        do {
            try managed.saveShown()
        } catch {
            ValueLog.warn("changes of a context that ended couldn't be saved and are lost: \(error)")
        }
    }

    /// Unchecked because such contexts are used on the main thread only.
    private struct Unchecked: @unchecked Sendable {
        let context: ModelContext
    }
}
