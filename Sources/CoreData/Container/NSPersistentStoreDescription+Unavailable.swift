// The members that a store description has on Apple's systems only.

import Foundation

extension NSPersistentStoreDescription {
    /// CloudKit exists on Apple's systems only.
    @available(*, unavailable, message: "CloudKit is a service of Apple's systems.")
    public var cloudKitContainerOptions: AnyObject? { nil }
}
