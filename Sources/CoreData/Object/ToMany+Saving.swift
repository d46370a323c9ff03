// To-many relationships after a save and after a rollback.

import CoreDataSchema
import Foundation

extension ToMany {
    /// Takes the present members for the store's.
    func commit() {
        forgetChanges()
        if isLoaded && relation.isOrdered { committedOrder = members.map(ObjectIdentifier.init) }
    }

    /// Back to what the store has.
    func revert() {
        if isUnreadable { unload() }
        guard isLoaded else {
            added.removeAll()
            removed.removeAll()
            return
        }
        let stored = committedSet
        members =
            (stored as? NSOrderedSet)?.array.compactMap { $0 as? NSManagedObject }
            ?? (stored as? NSSet)?.allObjects.compactMap { $0 as? NSManagedObject } ?? []
        added.removeAll()
        removed.removeAll()
        // A member that was taken out here may have been deleted by others since.
        if members.contains(where: \.isDeletedForGood) {
            members.removeAll(where: \.isDeletedForGood)
            if relation.isOrdered { committedOrder = members.map(ObjectIdentifier.init) }
        }
        changed()
    }
}
