// The members that a managed object has with the Objective-C runtime only.

import Foundation

extension NSManagedObject {
    /// The data that key-value observing keeps with an object.
    @available(
        *, unavailable,
        message: "Key-value observing needs the Objective-C runtime: use observe(_:options:changeHandler:)."
    )
    public func observationInfo() -> UnsafeMutableRawPointer? { nil }

    /// Sets what key-value observing keeps with an object.
    @available(
        *, unavailable,
        message: "Key-value observing needs the Objective-C runtime: use observe(_:options:changeHandler:)."
    )
    public func setObservationInfo(_ inObservationInfo: UnsafeMutableRawPointer?) {}
}
