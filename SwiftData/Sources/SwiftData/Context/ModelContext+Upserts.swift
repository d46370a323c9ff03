// Models that a save didn't insert, as a row with their unique values was there.

import CoreData
import Foundation

/// The policy of contexts: own changes count, and rows with the unique values of new models are updated.
/// Notes which object is there instead of each new one, so that the models can go on being used.
///
/// Unchecked as its superclass is: it has no state of its own.
final class UpsertPolicy: NSMergePolicy, @unchecked Sendable {
    static let shared = UpsertPolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)

    /// A model whose row was deleted meanwhile is gone, as it would be if the save had begun later. Core Data's policy would write it
    /// anew, which fails where its values went with the row, or where somebody else did so at the same time.
    override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        let gone = list.filter { $0.newVersionNumber == 0 }
        try super.resolve(optimisticLockingConflicts: list.filter { $0.newVersionNumber != 0 })
        try NSMergePolicy.mergeByPropertyStoreTrump.resolve(optimisticLockingConflicts: gone)
    }

    override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        let new = list.map { conflict in conflict.conflictingObjects.filter(\.isInserted) }
        try super.resolve(constraintConflicts: list)
        for (conflict, new) in zip(list, new) {
            let present = [conflict.databaseObject].compactMap { $0 } + conflict.conflictingObjects
            guard let survivor = present.first(where: { !$0.isDeleted }) as? _ModelObject,
                let context = survivor.managedObjectContext as? ManagedContext
            else { continue }
            for case let object as _ModelObject in new where object.isDeleted && object !== survivor {
                context.replaced.append((object, survivor))
            }
        }
    }
}

extension ModelContext {
    /// Has the models of objects that weren't inserted stand for the rows that were updated instead. The row
    /// may have a model already, which then isn't the only one.
    func adoptReplaced() {
        let replaced = managed.replaced
        managed.replaced = []
        for (old, direct) in replaced {
            var survivor = direct
            // What took one's place may itself have met another row.
            while let next = replaced.first(where: { $0.old === survivor }) { survivor = next.new }
            guard let model = old.model as? any PersistentModel,
                survivor.bound.binding.modelClass === old.binding.modelClass
            else { continue }
            if let temporary = old.temporaryID { savedIDs.note(survivor.objectID, for: temporary) }
            old.model = nil
            adopt(model, survivor)
        }
    }

    private func adopt(_ model: some PersistentModel, _ object: _ModelObject) {
        model._$takeObject(object)
        model._$modelStorage.keepContext()
        if object.model == nil { object.model = model }
    }
}
