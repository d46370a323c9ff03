// The invariants of an object's flags, its row, the identity map and the lists of changes after each event
// and save. Only debug builds check it.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    /// Stops a debug build where the context contradicts itself. Called after each processed event and each save.
    final func checkInvariants(_ touched: [NSManagedObject] = []) {
        #if DEBUG
            let contradiction = changes.contradiction
            invariant(contradiction == nil, contradiction ?? "")
            for object in ChangeTracker.sample(touched) where object.registry === registry {
                object.checkInvariants()
            }
            for object in ChangeTracker.sample(changes.changed) where object.registry === registry {
                object.checkInvariants()
            }
            guard registry.count <= ChangeTracker.checkLimit else { return }
            let listed = Set(changes.changed.map(ObjectIdentifier.init))
            let pending = Set(changes.pending.map(ObjectIdentifier.init))
            for object in registry.all() {
                object.checkInvariants()
                let (state, identifier) = (object.state, ObjectIdentifier(object))
                invariant(
                    !state.marks.contains(.tracked) || listed.contains(identifier),
                    "\(object.traits) is marked as changed but in no list")
                invariant(
                    !state.marks.contains(.pending) || pending.contains(identifier),
                    "\(object.traits) is marked as pending but in no list")
            }
        #endif
    }
}

#if DEBUG
    extension NSManagedObject {
        /// Stops a debug build where the object's state contradicts each other, its rows or the identity map.
        fileprivate final func checkInvariants() {
            checkRows()
            checkState()
            checkRegistration()
        }

        private final func checkRows() {
            let owns = state.ownsRow
            invariant(
                taggedRow == state.tagged(row), "\(traits) has other tags than its state says")
            invariant(
                !state.ownsCommitted || committed != nil, "\(traits) owns a row that isn't there")
            invariant(!owns || committed != row, "\(traits) changes the row that it compares with")
            if state.isFault {
                // A fault may have its row at hand, which it compares with once it is fired.
                invariant(!owns && (committed == nil || committed == row), "\(traits) is a fault with values")
            } else if !owns, !state.isGone, !state.isNew, !state.isUnreadable {
                invariant(committed == row, "\(traits) shows a row that isn't the saved one")
            }
        }

        private final func checkState() {
            let contradiction = state.contradiction
            invariant(contradiction == nil, "\(traits) \(contradiction ?? "")")
            if state.isNew {
                invariant(primaryKey < 0 || !isKnownBelow, "\(traits) is new and has a row")
            }
        }

        /// An object is in the identity map under its key, unless it left the context.
        private final func checkRegistration() {
            let registered =
                primaryKey == 0 ? nil : registry.object(table: Int(table), primaryKey: primaryKey)
            if state.isGone {
                invariant(
                    registered !== self || state.isInaccessible, "\(traits) is gone but registered")
            } else {
                invariant(registered === self, "\(traits) isn't registered under its key")
            }
            let isOfTable = Int(table) % max(registry.model.entities.count, 1) == runtime.rootNumber
            invariant(primaryKey <= 0 || isOfTable, "\(traits) is in another entity's table")
        }
    }
#endif
