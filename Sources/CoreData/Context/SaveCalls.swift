// What a save would call each of many objects for, found out once for each run of objects of one entity.

import Foundation

/// Tells which objects have something to do when they are told of a save.
struct SaveCalls {
    private unowned(unsafe) var runtime: EntityRuntime?
    private var binding: EntityRuntime.ClassBinding?

    mutating func willSave(_ object: NSManagedObject) -> Bool { answers(object, .willSave) }
    mutating func didSave(_ object: NSManagedObject) -> Bool { answers(object, .didSave) }

    mutating func validation(_ object: NSManagedObject) -> Bool {
        if object.state.contains(.deleted) { return answers(object, .validateForDelete) }
        return answers(object, object.state.contains(.inserted) ? .validateForInsert : .validateForUpdate)
    }

    /// Whether there is anything to do before the object is written.
    mutating func any(for object: NSManagedObject) -> Bool { willSave(object) || validation(object) }

    @inline(__always)
    private mutating func answers(_ object: NSManagedObject, _ call: ClassOverrides) -> Bool {
        if runtime !== object.runtime {
            runtime = object.runtime
            binding = object.runtime.binding
        }
        return binding?.answers(call) ?? true
    }
}

extension [NSManagedObject] {
    /// The objects whose state is as wanted: the same array if all are, which a save's mostly are.
    func keeping(_ isWanted: (ObjectState) -> Bool) -> [NSManagedObject] {
        guard let first = firstIndex(where: { !isWanted($0.state) }) else { return self }
        return self[..<first] + self[(first + 1)...].filter { isWanted($0.state) }
    }
}
