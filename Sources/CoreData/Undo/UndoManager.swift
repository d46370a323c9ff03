// The undo manager, which Foundation has on Apple's systems only: what it keeps and everything that may be
// overridden. The code behind each member is in the `+Topic` file of its name.

import CoreDataSupport
public import Foundation

/// Records what takes changes back, in groups, and runs it.
///
/// Clients and contexts register actions; `undo()` runs those of the last group, last one first, and what they
/// register meanwhile is what `redo()` runs. Targets are not retained. Like the context that uses it, a manager
/// belongs to one queue or thread.
///
/// ```swift
/// let manager = UndoManager()
/// manager.registerUndo(withTarget: hero) { $0.name = "before" }
/// manager.undo()
/// ```
nonisolated open class UndoManager: NSObject {
    /// Closed top-level groups, the next to be undone last.
    final var undoStack: [UndoGroup] = []
    /// Groups that `undo()` left, the next to be redone last.
    final var redoStack: [UndoGroup] = []
    /// The groups that are open, the innermost last.
    final var openGroups: [UndoGroup] = []
    final var activity = Activity.none
    final var disableCount = 0
    final var level = 0
    /// Indicates whether the run loop was asked to end the event.
    final var awaitsEndOfTurn = false

    /// The present activity of the manager.
    enum Activity {
        case none, undoing, redoing
    }

    public override init() {
        super.init()
    }

    // MARK: Grouping

    /// Opens a group inside the innermost open one. Actions that are registered until
    /// `endUndoGrouping()` are undone together.
    open func beginUndoGrouping() { openGroup(automatic: false) }
    /// Closes the innermost group. Raises if none is open.
    open func endUndoGrouping() { closeGroup() }
    /// The number of open groups.
    open var groupingLevel: Int { openGroups.count }
    /// Indicates whether a registration outside any group opens one, which lasts until the end of the event
    /// (Docs/Decisions/0010-undo-events.md). If not, such a registration raises.
    open var groupsByEvent = true
    /// The number of groups that are kept; the oldest are dropped first. 0, the default, keeps all.
    open var levelsOfUndo: Int {
        get { level }
        set {
            level = max(newValue, 0)
            dropOldGroups()
        }
    }
    /// The modes of the main thread's run loop in which an event ends.
    open var runLoopModes: [RunLoop.Mode] = [.default]

    // MARK: Registering

    /// Stops recording until `enableUndoRegistration()` was called as often.
    open func disableUndoRegistration() { disableCount += 1 }
    /// Takes back one `disableUndoRegistration()`. Raises if there was none.
    open func enableUndoRegistration() { enableRegistration() }
    /// Indicates whether actions are recorded.
    open var isUndoRegistrationEnabled: Bool { disableCount == 0 }
    /// Forgets all actions and records again, if that was disabled.
    open func removeAllActions() { removeActions { _ in true } }
    /// Forgets the actions of one target.
    open func removeAllActions(withTarget target: Any) { removeActions(of: target) }

    // MARK: Undo and redo

    /// Closes the group of the event, if it is open, and undoes the last group. Raises if a nested group is open.
    open func undo() { undoLastGroup() }
    /// Does again what the last `undo()` took back. Nothing without one, or once something else was registered.
    open func redo() { redoLastGroup() }
    /// Undoes the last closed group, nested or not. Raises if something was registered since it was closed.
    open func undoNestedGroup() { undoClosedGroup() }
    /// Indicates whether there is something to undo.
    open var canUndo: Bool { !undoStack.isEmpty || openGroups.contains { !$0.items.isEmpty } }
    /// Indicates whether there is something to redo.
    open var canRedo: Bool {
        post(.NSUndoManagerCheckpoint)
        return !redoStack.isEmpty
    }
    /// The number of groups that can be undone.
    open var undoCount: Int { undoStack.count + (openGroups.first?.items.isEmpty == false ? 1 : 0) }
    /// The number of groups that can be redone.
    open var redoCount: Int { redoStack.count }
    /// Indicates whether `undo()` or `undoNestedGroup()` is running.
    open var isUndoing: Bool { activity == .undoing }
    /// Indicates whether `redo()` is running.
    open var isRedoing: Bool { activity == .redoing }

    // MARK: Names of actions

    /// Names the group that is open, else the last one that was closed.
    open func setActionName(_ actionName: String) { namedGroup?.name = actionName }
    /// The name of what `undo()` would take back; empty if it has none.
    open var undoActionName: String { nextToUndo?.name ?? "" }
    /// The name of what `redo()` would do again; empty if it has none.
    open var redoActionName: String { redoStack.last?.name ?? "" }
    /// The title of the undo command, with the action's name.
    open var undoMenuItemTitle: String { undoMenuTitle(forUndoActionName: undoActionName) }
    /// The title of the redo command, with the action's name.
    open var redoMenuItemTitle: String { redoMenuTitle(forUndoActionName: redoActionName) }
    /// Returns the title of an undo command for a name. English; subclasses may translate it.
    open func undoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Undo" : "Undo \(actionName)"
    }
    /// Returns the title of a redo command for a name. English; subclasses may translate it.
    open func redoMenuTitle(forUndoActionName actionName: String) -> String {
        actionName.isEmpty ? "Redo" : "Redo \(actionName)"
    }

    // MARK: Other facts about actions

    /// States whether the group may be given up without asking the user: moving a selection, say.
    open func setActionIsDiscardable(_ discardable: Bool) { namedGroup?.isDiscardable = discardable }
    /// Indicates whether the action that `undo()` would take back is discardable.
    open var undoActionIsDiscardable: Bool { nextToUndo?.isDiscardable ?? false }
    /// Indicates whether the action that `redo()` would do again is discardable.
    open var redoActionIsDiscardable: Bool { redoStack.last?.isDiscardable ?? false }
    /// Keeps a value with the group that is open, else with the last one that was closed.
    ///
    /// - Parameters:
    ///   - info: the value, or nil to remove it.
    ///   - key: its key.
    open func setActionUserInfoValue(_ info: Any?, forKey key: UserInfoKey) {
        namedGroup?.values[key] = info
    }
    /// Returns a value kept with what `undo()` would take back.
    open func undoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { nextToUndo?.values[key] }
    /// Returns a value kept with what `redo()` would do again.
    open func redoActionUserInfoValue(forKey key: UserInfoKey) -> Any? { redoStack.last?.values[key] }
}

extension UndoManager {
    /// A key of what `setActionUserInfoValue(_:forKey:)` keeps.
    public struct UserInfoKey: RawRepresentable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The key of that text.
        public init(_ rawValue: String) {
            self.rawValue = rawValue
        }
    }
}
