// CloudKit's container, which exists on Apple's systems only.

public import Foundation

/// A container whose stores CloudKit carries from device to device.
@available(*, unavailable, message: "CloudKit is a service of Apple's systems.")
open class NSPersistentCloudKitContainer: NSPersistentContainer, @unchecked Sendable {  // as its superclass
    /// Posted on Apple's systems when an exchange with CloudKit begins or ends.
    public static let eventChangedNotification = NSNotification.Name(
        "NSPersistentCloudKitContainerEventChangedNotification")
}
