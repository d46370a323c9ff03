// Contexts that take over what others save, without being asked each time.

import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    /// Indicates whether the context merges, later and on its own queue, the saves of other contexts
    /// to its coordinator or into its parent, and, in a child context, the saves and merges of its
    /// parent. `false` by default.
    ///
    /// ```swift
    /// container.viewContext.automaticallyMergesChangesFromParent = true
    /// ```
    public final var automaticallyMergesChangesFromParent: Bool {
        get { mergesAutomatically }
        set {
            if newValue && concurrencyType == .confinementConcurrencyType {
                raise(.invalidArgument, "a context without a queue can't merge changes automatically")
            }
            mergesAutomatically = newValue
            follow()
        }
    }

    /// Enters the context where the saves that it follows are announced, or takes it out. To be called again when
    /// that changes: when the context gets its coordinator or parent.
    final func follow() {
        following?.remove(self)
        following = mergesAutomatically ? upstream : nil
        following?.add(self)
    }

    /// The followers of saves to the place that this context saves to.
    final var upstream: FollowerList? { parentContext?.followers ?? persistentStoreCoordinator?.followers }

    /// Tells contexts that merge automatically what this one saved: those beside it and those below it.
    final func announceSave(_ changes: MergedChanges) {
        if changes.isEmpty { return }
        upstream?.deliver(changes, from: self)
        followers.deliver(changes, from: self)
    }
}
