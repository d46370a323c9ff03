// The notifications that carry sets of objects: whether anyone may observe them.

import Foundation
import Synchronization

/// A notification that carries sets of objects or of their IDs, which a save makes only if somebody may read them.
///
/// Foundation off Apple's systems doesn't tell who observes. But who observes a name has it from here: until it is asked
/// for, only observers of all names, or those that spell a name themselves, can be told. They get sets that are made when they
/// are cast (`DeferredMember`).
final class ObservedNotification: Sendable {
    static let objectsDidChange = ObservedNotification("NSObjectsChangedInManagingContextNotification")
    static let didSave = ObservedNotification("NSManagingContextDidSaveChangesNotification")
    static let didSaveObjectIDs = ObservedNotification("NSManagedObjectContextDidSaveObjectIDsNotification")

    /// The name, for the code that posts.
    let name: Notification.Name
    private let wasAskedFor = Atomic(false)

    private init(_ name: String) { self.name = Notification.Name(name) }

    /// The name, for code that may observe it.
    var nameToObserve: Notification.Name {
        wasAskedFor.store(true, ordering: .relaxed)
        return name
    }

    /// Indicates whether sets of so many members are made before anyone reads them: few are, which costs less than
    /// deferring them.
    func makesSet(of count: Int) -> Bool { count < 16 || wasAskedFor.load(ordering: .relaxed) }
}

/// The value for the user info that stands for a set of objects.
struct NotificationSet {
    let value: Any
    /// Indicates that the set is made when it is cast.
    let isDeferred: Bool
}
