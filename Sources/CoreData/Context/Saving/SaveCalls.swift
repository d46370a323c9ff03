// The calls that a save would make to each of many objects, found out once for each run
// of objects of one entity.

import Foundation

/// Tells which objects have something to do when they are told of a save.
struct SaveCalls {
    /// The address of the run's entity.
    private var entity: UInt = 0
    private var hasWillSave = true
    private var hasDidSave = true
    private var validatesInsert = true
    private var validatesUpdate = true
    private var validatesDelete = true

    @inline(__always)
    mutating func willSave(_ object: NSManagedObject) -> Bool {
        look(at: object)
        return hasWillSave
    }

    @inline(__always)
    mutating func didSave(_ object: NSManagedObject) -> Bool {
        look(at: object)
        return hasDidSave
    }

    @inline(__always)
    mutating func validation(_ object: NSManagedObject) -> Bool {
        look(at: object)
        if object.state.isDeleted { return validatesDelete }
        return object.state.isNew ? validatesInsert : validatesUpdate
    }

    /// Returns whether there is anything to do before the object is written.
    @inline(__always)
    mutating func any(for object: NSManagedObject) -> Bool { willSave(object) || validation(object) }

    @inline(__always)
    private mutating func look(at object: NSManagedObject) {
        let entity = object.entityAddress
        if self.entity == entity { return }
        self.entity = entity
        ask(object.runtime)
    }

    private mutating func ask(_ entity: ManagedEntity) {
        let binding = entity.binding
        hasWillSave = binding.answers(.willSave)
        hasDidSave = binding.answers(.didSave)
        validatesInsert = binding.answers(.validateForInsert)
        validatesUpdate = binding.answers(.validateForUpdate)
        validatesDelete = binding.answers(.validateForDelete)
    }
}
