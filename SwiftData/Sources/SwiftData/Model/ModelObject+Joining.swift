// Objects of no context that become related to others, or enter a context.

@_spi(SwiftData) import CoreData
import Foundation

extension _ModelObject {
    /// Has both objects in one context, or both in none, as related objects must be. One that is in none enters the other's.
    ///
    /// - Parameters:
    ///   - other: the other object.
    ///   - isMaking: whether the model of this object is being made, by a storage that has its context kept alive itself.
    func join(_ other: _ModelObject, isMaking: Bool = false) {
        if isBeside(other) { return }
        if let context = managedObjectContext as? ManagedContext {
            if other.managedObjectContext == nil { other.enter(context) }
        } else if let context = other.managedObjectContext as? ManagedContext {
            enter(context, isMaking: isMaking)
        } else {
            other.move(to: modelSet)
        }
    }

    /// Becomes a new object of a context, with all objects of none that it is related to.
    func enter(_ context: ManagedContext, isMaking: Bool = false) {
        move(to: context.models)
        if !isRelated { return enterAlone(context, isMaking: isMaking) }
        let entering = related
        // Dropped by a rollback, or deleted before the first save.
        let returning = entering.filter { $0.binding.modelClass.type.hadContext($0) }
        context.insert(self)
        // The context inserts what was never in it by itself, and not what a rollback dropped together with this one.
        for object in entering where object.managedObjectContext == nil { context.insert(object) }
        for object in returning where object.managedObjectContext === context { object.relateAgain() }
        for object in entering {
            object.isHeld = false
            if isMaking, object === self { continue }
            object.binding.modelClass.type.keepContext(of: object)
        }
    }

    private func enterAlone(_ context: ManagedContext, isMaking: Bool) {
        let type = binding.modelClass.type
        let isReturning = type.hadContext(self)
        context.insert(self)
        if isReturning {
            if contextReference == nil { context.insert(self) }
            if managedObjectContext === context { relateAgain() }
        }
        isHeld = false
        if !isMaking { type.keepContext(of: self) }
    }

    /// The object and all of no context and no store that it is related to, directly or through others.
    private var related: [_ModelObject] {
        var all = [self]
        if relatedObjects.isEmpty { return all }
        var seen: Set<ObjectIdentifier> = [ObjectIdentifier(self)]
        var next = 0
        while next < all.count {
            for case let object as _ModelObject in all[next].relatedObjects
            where object.managedObjectContext == nil && object.objectID.isTemporaryID
                && seen.insert(ObjectIdentifier(object)).inserted
            {
                all.append(object)
            }
            next += 1
        }
        return all
    }

    /// Has those know the object that it leads to, which forgot it when it left the context. It leads no more to what is gone.
    private func relateAgain() {
        for (name, relationship) in entity.relationshipsByName {
            let value = value(forKey: name)
            let others =
                (value as? Set<NSManagedObject>) ?? Set([value as? NSManagedObject].compactMap { $0 })
            if others.isEmpty { continue }
            let present = others.filter(isThere)
            // What it leads to already would count as no change.
            setValue(nil, forKey: name)
            setValue(relationship.isToMany ? present : present.first, forKey: name)
        }
    }

    /// Indicates whether an object is in the same context, and will be after the next save.
    private func isThere(_ other: NSManagedObject) -> Bool {
        guard let context = managedObjectContext, other.managedObjectContext === context else { return false }
        return !other.isDeleted
            && (other.isInserted || (try? context.existingObject(with: other.objectID)) != nil)
    }

    /// Makes the object, and those of no context that it is related to, ones of another managed object model.
    private func move(to set: ModelSet) {
        if isOf(set.model) { return }
        for object in related {
            guard let binding = set.binding(of: object.binding.modelClass.type) else {
                brokenContract(
                    "\(object.binding.modelClass.type) is no model of the container's schema")
            }
            object.take(entityOf: binding.prototype)
            object.bind(binding)
        }
    }
}
