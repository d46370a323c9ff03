// Contexts that take over what others save, without being asked each time.

import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    final func mergeAutomatically(_ newValue: Bool) {
        if newValue && confinement.type == .confinementConcurrencyType {
            raise(.invalidArgument, "a context without a queue can't merge changes automatically")
        }
        merging.isAutomatic = newValue
        follow()
    }

    /// Enters the context where the saves that it follows are announced, or takes it out. To be called again when
    /// that changes: when the context gets its coordinator or parent.
    final func follow() {
        merging.following?.remove(self)
        merging.following = merging.isAutomatic ? upstream : nil
        merging.following?.add(self)
    }

    /// The followers of saves to the place that this context saves to.
    final var upstream: FollowerList? {
        parentContext?.merging.followers ?? persistentStoreCoordinator?.followers
    }

    /// Indicates whether a context merges automatically what this one saves.
    final var isFollowed: Bool {
        !merging.followers.isEmpty || upstream?.holdsOthers(than: self) ?? false
    }

    /// Tells contexts that merge automatically what this one saved: those beside it and those below it.
    final func announceSave(_ changes: MergedChanges) {
        if changes.isEmpty { return }
        upstream?.deliver(changes, from: self)
        merging.followers.deliver(changes, from: self)
    }
}
