// The contents of an undo manager: actions, and groups of actions and closed groups.

import Foundation

/// One registered action. Its target may be gone by the time it would run.
struct UndoAction {
    /// Tells actions of one target apart from others' even while the target goes away.
    let identity: ObjectIdentifier
    private(set) weak var target: AnyObject?
    private let handler: (AnyObject) -> Void

    init(target: AnyObject, handler: @escaping (AnyObject) -> Void) {
        identity = ObjectIdentifier(target)
        self.target = target
        self.handler = handler
    }

    func run() {
        if let target { handler(target) }
    }
}

/// Actions that are undone together.
final class UndoGroup {
    enum Item {
        case action(UndoAction)
        case group(UndoGroup)
    }

    var items: [Item] = []
    var name = ""
    var isDiscardable = false
    var values: [UndoManager.UserInfoKey: Any] = [:]
    /// Opened by a registration, to be closed at the end of the event.
    let isAutomatic: Bool
    /// Kept without actions too: the client opened it, or it takes back one that had none.
    var mayBeEmpty: Bool

    init(isAutomatic: Bool) {
        self.isAutomatic = isAutomatic
        mayBeEmpty = !isAutomatic
    }

    /// Every action, the last one first, those of nested groups in their place.
    var actionsFromLast: [UndoAction] {
        var actions: [UndoAction] = []
        var work = items
        while let item = work.popLast() {
            switch item {
            case .action(let action): actions.append(action)
            case .group(let group): work += group.items
            }
        }
        return actions
    }

    /// Takes over what is known of a group, but for what this one has of its own.
    func describe(like other: UndoGroup) {
        if name.isEmpty { name = other.name }
        values.merge(other.values) { own, _ in own }
        isDiscardable = isDiscardable || other.isDiscardable
    }

    /// Removes the actions that the condition holds for, and groups that are empty then.
    func remove(where isWanted: (UndoAction) -> Bool) {
        items.removeAll { item in
            switch item {
            case .action(let action): return isWanted(action)
            case .group(let group):
                group.remove(where: isWanted)
                return group.items.isEmpty
            }
        }
    }
}
