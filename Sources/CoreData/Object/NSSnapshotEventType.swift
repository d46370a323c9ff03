// The reasons for which values are replaced.

import Foundation

/// The event that replaced the values of an object (`awake(fromSnapshotEvents:)`).
public struct NSSnapshotEventType: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// An insertion was undone.
    public static let undoInsertion = NSSnapshotEventType(rawValue: 2)
    /// A deletion was undone.
    public static let undoDeletion = NSSnapshotEventType(rawValue: 4)
    /// Changed values were undone.
    public static let undoUpdate = NSSnapshotEventType(rawValue: 8)
    /// The context was rolled back.
    public static let rollback = NSSnapshotEventType(rawValue: 16)
    /// The object was refreshed.
    public static let refresh = NSSnapshotEventType(rawValue: 32)
    /// A merge policy changed the values.
    public static let mergePolicy = NSSnapshotEventType(rawValue: 64)
}
