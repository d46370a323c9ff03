// Objects of no context that become related to others, or enter a context.

@_spi(SwiftData) import CoreData
import Foundation

extension _ModelObject {
    /// Has both objects in one context, or both in none, as related objects must be. One that is in none enters the other's.
    func join(_ other: _ModelObject) {
        if isBeside(other) { return }
        if let context = managedObjectContext as? ManagedContext {
            if other.managedObjectContext == nil { other.enter(context) }
        } else if let context = other.managedObjectContext as? ManagedContext {
            enter(context)
        } else {
            other.move(to: modelSet)
        }
    }

    /// Becomes a new object of a context, with all objects of none that it is related to.
    func enter(_ context: ManagedContext) {
        move(to: context.models)
        isHeld = false
        context.insert(self)
    }

    /// Makes the object, and those of no context that it is related to, ones of another managed object model.
    private func move(to set: ModelSet) {
        if isOf(set.model) { return }
        var work = [self]
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
        var all: [_ModelObject] = []
        while let object = work.popLast() {
            all.append(object)
            for case let related as _ModelObject in object.relatedObjects
            where seen.insert(ObjectIdentifier(related)).inserted {
                work.append(related)
            }
        }
        for object in all {
            guard let binding = set.binding(of: object.binding.modelClass.type) else {
                brokenContract(
                    "\(object.binding.modelClass.type) is no model of the container's schema")
            }
            object.take(entityOf: binding.prototype)
            object.bind(binding)
        }
    }
}
