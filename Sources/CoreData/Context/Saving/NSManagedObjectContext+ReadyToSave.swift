// Before a save writes: objects prepare and validate themselves, in rounds until no one changes anything any more.

import CoreDataStores
import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    /// Calls `willSave` and validates, and gives the objects to save. Objects that `willSave` or the
    /// validation of another object changes are prepared and validated again; changes of an object's own
    /// validation in it are not.
    final func readyToSave() throws -> [NSManagedObject] {
        processChanges()
        var next = objectsToSave
        var calls = SaveCalls()
        var isCalled = false
        next.each { isCalled = calls.any(for: $0) || isCalled }
        if !isCalled { return next }
        defer { changes.changed.each { $0.state.mark(.invalidation) } }
        var rounds = 0
        next.each { $0.state.mark(.invalidation) }
        while !next.isEmpty {
            try callWillSave(next, rounds: &rounds)
            let again = try validateChanged()
            // Without pending changes no object is newly changed or deleted, and the list needs no second look.
            if changes.pending.isEmpty { break }
            processChanges()
            for object in again { object.state.mark(.invalidation) }
            next = objectsToSave.filter { !$0.state.marks.contains(.validated) }
        }
        return objectsToSave
    }

    final var objectsToSave: [NSManagedObject] { changes.objectsToSave }

    /// `willSave` may change objects: those are called again, up to Apple's limit of 1000 rounds.
    private final func callWillSave(_ objects: [NSManagedObject], rounds: inout Int) throws {
        var next = objects
        while !next.isEmpty {
            rounds += 1
            if rounds > 1000 {
                throw CoreDataError.make(
                    NSPersistentStoreSaveError,
                    description:
                        "Failed to process pending changes before save. The context is still dirty after 1000 "
                        + "attempts: willSave() or the validation of objects keeps changing them.",
                    userInfo: [NSAffectedObjectsErrorKey: next])
            }
            var calls = SaveCalls()
            next.each { if calls.willSave($0) { $0.willSave() } }
            next = changes.pending.filter { $0.isPendingForSave }
            next.each { $0.state.mark(.invalidation) }
            processChanges()
        }
    }

    /// Validates what isn't validated yet. Gives the objects that were changed by another one's validation.
    private final func validateChanged() throws -> [NSManagedObject] {
        if saving.isUnvalidated { return [] }
        var problems: [NSError] = []
        var changedByOthers: [NSManagedObject] = []
        var calls = SaveCalls()
        objectsToSave.each { object in
            if object.state.marks.contains(.validated) { return }
            object.state.mark(.validation)
            if !calls.validation(object) { return }
            let count = changes.pending.count
            do {
                if object.state.isDeleted {
                    try object.validateForDelete()
                } else if object.state.isNew {
                    try object.validateForInsert()
                } else {
                    try object.validateForUpdate()
                }
            } catch {
                problems.append(error as NSError)
            }
            if changes.pending.count > count {
                changedByOthers += changes.pending[count...].filter { $0 !== object }
            }
        }
        if let error = CoreDataError.combined(problems) { throw error }
        return changedByOthers
    }
}
