// Groups: opened by hand or by the first registration of an event, closed by hand or at the event's end.

import CoreDataSupport
import Foundation

extension UndoManager {
    final func openGroup(automatic: Bool) {
        if !openGroups.isEmpty { post(.NSUndoManagerCheckpoint) }
        openGroups.append(UndoGroup(isAutomatic: automatic))
        post(.NSUndoManagerDidOpenUndoGroup)
        if automatic { awaitEndOfTurn() }
    }

    final func closeGroup() {
        guard !openGroups.isEmpty else {
            raise(.internalInconsistency, "endUndoGrouping called with no matching beginUndoGrouping")
        }
        post(.NSUndoManagerCheckpoint)
        post(.NSUndoManagerWillCloseUndoGroup, discardable: openGroups.last?.isDiscardable ?? false)
        guard let group = openGroups.popLast() else { return }
        if let outer = openGroups.last {
            outer.items.append(.group(group))
            if outer.name.isEmpty { outer.name = group.name }
        } else {
            keep(group)
        }
        post(.NSUndoManagerDidCloseUndoGroup, discardable: group.isDiscardable)
    }

    /// Puts a closed top-level group where it belongs.
    private final func keep(_ group: UndoGroup) {
        if group.items.isEmpty && !group.mayBeEmpty { return }
        if activity == .undoing { redoStack.append(group) } else { undoStack.append(group) }
        dropOldGroups()
    }

    final func dropOldGroups() {
        guard levelsOfUndo > 0 else { return }
        if undoStack.count > levelsOfUndo { undoStack.removeFirst(undoStack.count - levelsOfUndo) }
        if redoStack.count > levelsOfUndo { redoStack.removeFirst(redoStack.count - levelsOfUndo) }
    }

    /// Ends the event: closes the group that a registration opened, if it is the only open one.
    ///
    /// The end of a turn of the main thread's run loop and of a context's `perform` block do this on their own; a
    /// program with events of another kind calls it at the end of each. `undo()` needs no call.
    public final func endEvent() {
        guard activity == .none, openGroups.count == 1, openGroups[0].isAutomatic else { return }
        endUndoGrouping()
    }

    /// On the main thread an event ends with the turn of the run loop, if one runs there.
    private final func awaitEndOfTurn() {
        guard Thread.isMainThread, !awaitsEndOfTurn else { return }
        awaitsEndOfTurn = true
        let turn = EndOfTurn(manager: self)
        RunLoop.main.perform(inModes: runLoopModes) { turn.end() }
    }

    /// Posts one of the manager's notifications.
    final func post(_ name: NSNotification.Name, discardable: Bool = false) {
        NotificationCenter.default.post(
            name: name, object: self,
            userInfo: discardable ? [NSUndoManagerGroupIsDiscardableKey: NSNumber(value: true)] : nil)
    }
}

/// The work of the run loop at the end of its turn.
///
/// Unchecked because it is made on the main thread and used there only.
private final class EndOfTurn: @unchecked Sendable {
    private weak var manager: UndoManager?

    init(manager: UndoManager) {
        self.manager = manager
    }

    func end() {
        manager?.awaitsEndOfTurn = false
        manager?.endEvent()
    }
}
