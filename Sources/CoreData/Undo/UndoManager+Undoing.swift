// Registering, undoing, redoing.

import CoreDataSupport
import Foundation

extension UndoManager {
    /// Records what takes a change back. Opens a group for the event if none is open.
    ///
    /// The target isn't retained: once it is gone, the action does nothing. Objects that the handler captures
    /// are kept as long as the action is.
    ///
    /// - Parameters:
    ///   - target: the object that the handler gets, and that `removeAllActions(withTarget:)` knows it by.
    ///   - handler: takes the change back.
    public final func registerUndo<TargetType: AnyObject>(
        withTarget target: TargetType, handler: @escaping (TargetType) -> Void
    ) {
        guard isUndoRegistrationEnabled else { return }
        if openGroups.isEmpty {
            guard groupsByEvent else {
                raise(.internalInconsistency, "must begin a group before registering undo")
            }
            openGroup(automatic: true)
        }
        if activity == .none { redoStack.removeAll() }
        let action = UndoAction(target: target) { handler(unsafeDowncast($0, to: TargetType.self)) }
        openGroups[openGroups.count - 1].items.append(.action(action))
    }

    final func enableRegistration() {
        guard disableCount > 0 else {
            raise(
                .internalInconsistency,
                "enableUndoRegistration called without a matching disableUndoRegistration")
        }
        disableCount -= 1
    }

    final func removeActions(of target: Any) {
        let identity = ObjectIdentifier(target as AnyObject)
        remove { $0.identity == identity }
    }

    final func removeActions(where isWanted: (UndoAction) -> Bool) {
        remove(where: isWanted)
        disableCount = 0
    }

    private final func remove(where isWanted: (UndoAction) -> Bool) {
        for group in undoStack + redoStack + openGroups { group.remove(where: isWanted) }
        undoStack.removeAll { $0.items.isEmpty }
        redoStack.removeAll { $0.items.isEmpty }
        if activity == .none, openGroups.count == 1, openGroups[0].isAutomatic, openGroups[0].items.isEmpty {
            openGroups.removeAll()
        }
    }

    // MARK: Undo and redo

    final func undoLastGroup() {
        post(.NSUndoManagerCheckpoint)
        if openGroups.count == 1 { endUndoGrouping() }
        guard openGroups.isEmpty else {
            raise(
                .internalInconsistency,
                "undo was called with too many nested undo groups: close them first")
        }
        undoNestedGroup()
    }

    final func undoClosedGroup() {
        guard activity == .none else {
            raise(.internalInconsistency, "undo was called while undoing or redoing")
        }
        post(.NSUndoManagerCheckpoint)
        guard let group = takeClosedGroup() else { return }
        post(.NSUndoManagerWillUndoChange)
        // Open groups wait outside: what the actions register is one group of its own, to be redone.
        let outer = openGroups
        openGroups = []
        run(group, as: .undoing)
        openGroups = outer
        post(.NSUndoManagerDidUndoChange)
    }

    /// The last closed group, off its stack or out of the open group that it is in.
    private final func takeClosedGroup() -> UndoGroup? {
        guard let open = openGroups.last else { return undoStack.popLast() }
        switch open.items.last {
        case .group(let group)?:
            open.items.removeLast()
            return group
        case .action?:
            raise(
                .internalInconsistency,
                "undoNestedGroup was called with actions registered since the last group was closed")
        case nil: return nil
        }
    }

    final func redoLastGroup() {
        guard activity == .none else {
            raise(.internalInconsistency, "redo was called while undoing or redoing")
        }
        post(.NSUndoManagerCheckpoint)
        guard openGroups.isEmpty || endedEvent else {
            raise(.internalInconsistency, "redo was called with an open undo group")
        }
        guard let group = redoStack.popLast() else { return }
        post(.NSUndoManagerWillRedoChange)
        run(group, as: .redoing)
        post(.NSUndoManagerDidRedoChange)
    }

    /// Ends the event; whether that closed every group.
    private final var endedEvent: Bool {
        endEvent()
        return openGroups.isEmpty
    }

    /// Runs a group's actions; what they register becomes a group with the same name.
    private final func run(_ group: UndoGroup, as what: Activity) {
        activity = what
        defer { activity = .none }
        beginUndoGrouping()
        openGroups.last?.mayBeEmpty = group.items.isEmpty
        for action in group.actionsFromLast { action.run() }
        while openGroups.count > 1 { endUndoGrouping() }
        openGroups.last?.describe(like: group)
        endUndoGrouping()
    }

    // MARK: The group that names and values are about

    /// The open group, else the last one that was closed. Without an open group contexts register their pending changes first,
    /// which opens one: a name is about these and not about the group before them.
    final var namedGroup: UndoGroup? {
        if openGroups.isEmpty && groupsByEvent { post(.NSUndoManagerCheckpoint) }
        return openGroups.last ?? undoStack.last
    }

    /// The group that `undo()` would take back.
    final var nextToUndo: UndoGroup? {
        if activity == .none, let open = openGroups.first, !open.items.isEmpty { return open }
        return undoStack.last
    }
}
