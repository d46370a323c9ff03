// What undo and redo change, which is saved as other changes are.

import CoreData
import Foundation

/// Tells a context that its undo manager undid or redid something: that goes past the setters of models.
final class UndoWatch {
    private let tokens: [any NSObjectProtocol]

    init(of manager: UndoManager, for context: ModelContext) {
        let reference = Reference(context: context)
        tokens = [Notification.Name.NSUndoManagerDidUndoChange, .NSUndoManagerDidRedoChange].map { name in
            NotificationCenter.default.addObserver(forName: name, object: manager, queue: nil) { _ in
                reference.context?.awaitEndOfEvent()
            }
        }
    }

    deinit { for token in tokens { NotificationCenter.default.removeObserver(token) } }

    /// Unchecked because the manager is used by the context's owner only, and the reference never changes but to nil.
    private struct Reference: @unchecked Sendable {
        weak var context: ModelContext?
    }
}
