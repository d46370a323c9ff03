// What an undo manager has with the Objective-C runtime only.

import Foundation

extension UndoManager {
    @available(
        *, unavailable,
        message: "Selectors need the Objective-C runtime: use registerUndo(withTarget:handler:)."
    )
    public func registerUndo(withTarget target: Any, selector: String, object anObject: Any?) {}

    @available(
        *, unavailable,
        message: "Invocations need the Objective-C runtime: use registerUndo(withTarget:handler:)."
    )
    public func prepare(withInvocationTarget target: Any) -> Any { target }
}
