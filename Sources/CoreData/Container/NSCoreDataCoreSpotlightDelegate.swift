// The class that keeps Spotlight's index up to date, which exists on Apple's systems only.

public import Foundation

/// Writes a store's objects into Spotlight's index.
@available(*, unavailable, message: "Spotlight is a service of Apple's systems.")
open class NSCoreDataCoreSpotlightDelegate: NSObject {
    /// Posted on Apple's systems when the index was brought up to date.
    public static let indexDidUpdateNotification = NSNotification.Name
        .NSCoreDataCoreSpotlightDelegateIndexDidUpdate
}
