// What most objects never need: allocated when a relationship is first touched or a value decoded.

import Foundation

/// The rarely used part of a managed object.
final class ObjectExtras {
    /// By relation number: an `NSManagedObject` (to-one) or a `ToMany`.
    var relations: [AnyObject?]
    /// Decoded values of transformable slots, by slot index.
    var decoded: [Int: Any] = [:]
    /// Results of fetched properties, by property number.
    var fetched: [Int: [NSManagedObject]] = [:]
    /// The row as it was when the current event first changed it, if it had unsaved changes by then.
    var eventRow: UnsafeMutablePointer<UInt64>?
    /// The store that the object will be inserted into, if it was assigned to one.
    weak var assignedStore: NSPersistentStore?

    init(relationCount: Int) {
        relations = Array(repeating: nil, count: relationCount)
    }

    /// Lets go of all related objects; what is asked for again is fetched again.
    func forgetRelations() {
        relations = Array(repeating: nil, count: relations.count)
    }
}
