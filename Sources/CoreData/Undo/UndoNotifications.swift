// Names of an undo manager's notifications, with Apple's values.

public import Foundation

extension NSNotification.Name {
    /// Posted before a nested group is opened, before a group is closed, and before undo and redo: who has put off
    /// registering something does it now.
    public static let NSUndoManagerCheckpoint = NSNotification.Name("NSUndoManagerCheckpointNotification")
    /// Posted before a group is undone.
    public static let NSUndoManagerWillUndoChange = NSNotification.Name(
        "NSUndoManagerWillUndoChangeNotification")
    /// Posted before a group is redone.
    public static let NSUndoManagerWillRedoChange = NSNotification.Name(
        "NSUndoManagerWillRedoChangeNotification")
    /// Posted after a group was undone.
    public static let NSUndoManagerDidUndoChange = NSNotification.Name(
        "NSUndoManagerDidUndoChangeNotification")
    /// Posted after a group was redone.
    public static let NSUndoManagerDidRedoChange = NSNotification.Name(
        "NSUndoManagerDidRedoChangeNotification")
    /// Posted after a group was opened.
    public static let NSUndoManagerDidOpenUndoGroup = NSNotification.Name(
        "NSUndoManagerDidOpenUndoGroupNotification")
    /// Posted before a group is closed; `NSUndoManagerGroupIsDiscardableKey` says whether it is discardable.
    public static let NSUndoManagerWillCloseUndoGroup = NSNotification.Name(
        "NSUndoManagerWillCloseUndoGroupNotification")
    /// Posted after a group was closed; `NSUndoManagerGroupIsDiscardableKey` says whether it is discardable.
    public static let NSUndoManagerDidCloseUndoGroup = NSNotification.Name(
        "NSUndoManagerDidCloseUndoGroupNotification")
}

/// Key of an `NSNumber` in the notifications of closed groups: true where the group is discardable.
public let NSUndoManagerGroupIsDiscardableKey = "NSUndoManagerGroupIsDiscardableKey"

/// The position at which Apple's run loop closes the group of an event among its work.
public let NSUndoCloseGroupingRunLoopOrdering = 350000
