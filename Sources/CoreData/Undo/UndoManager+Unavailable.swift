// The members that an undo manager has with the Objective-C runtime only.

import Foundation

extension UndoManager {
    /// Registers a message to be sent by undo.
    @available(
        *, unavailable,
        message: "Selectors need the Objective-C runtime: use registerUndo(withTarget:handler:)."
    )
    public func registerUndo(withTarget target: Any, selector: String, object anObject: Any?) {}

    /// Registers the next message to a target to be sent by undo.
    @available(
        *, unavailable,
        message: "Invocations need the Objective-C runtime: use registerUndo(withTarget:handler:)."
    )
    public func prepare(withInvocationTarget target: Any) -> Any { target }
}
