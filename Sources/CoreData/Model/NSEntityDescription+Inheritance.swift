// The entity's place in its model and in the tree of entities.

import CoreDataSupport
import Foundation

extension NSEntityDescription {
    /// The model that the entity belongs to; an entity that belongs to none has no answer to this.
    public var managedObjectModel: NSManagedObjectModel {
        guard let owningModel else {
            raise(.internalInconsistency, "The entity \"\(name ?? "")\" doesn't belong to a model.")
        }
        return owningModel
    }

    /// The name of the class of the entity's objects.
    public var managedObjectClassName: String! {
        get { ownClassName ?? "NSManagedObject" }
        set { ownClassName = newValue == "NSManagedObject" ? nil : newValue }
    }

    /// The name under which an older model knew the entity: how migration recognises it. The name, if none is
    /// set.
    public var renamingIdentifier: String? {
        get { ownRenamingIdentifier ?? name }
        set { ownRenamingIdentifier = newValue }
    }

    /// The entity that this one inherits from. Set by the superentity's `subentities`.
    public var superentity: NSEntityDescription? { parent }

    /// The entities that inherit directly from this one. Setting them makes this their superentity.
    public var subentities: [NSEntityDescription] {
        get { children }
        set {
            assertMutable()
            if newValue.contains(where: { ancestry.contains($0) }) {
                raise(.invalidArgument, "The entity \"\(name ?? "")\" can't inherit from itself.")
            }
            for child in children where child.parent === self { child.parent = nil }
            children = newValue
            for child in newValue {
                child.assertMutable()
                if let former = child.parent, former !== self { former.children.removeAll { $0 === child } }
                child.parent = self
            }
        }
    }

    /// The entities that inherit directly from this one, by name.
    public var subentitiesByName: [String: NSEntityDescription] {
        var byName: [String: NSEntityDescription] = [:]
        for child in children { child.name.map { byName[$0] = child } }
        return byName
    }

    /// Returns whether this is `entity` or inherits from it. Entities of two equal models count as the same.
    public func isKindOf(entity: NSEntityDescription) -> Bool {
        if self === entity { return true }
        if let caches, caches.lineage.contains(ObjectIdentifier(entity)) { return true }
        return ancestry.contains { $0 === entity || ($0.name == entity.name && $0.isEqual(entity)) }
    }

    /// The entity itself first, its root last.
    var ancestry: [NSEntityDescription] {
        var ancestry = [self]
        while let next = ancestry[ancestry.count - 1].parent { ancestry.append(next) }
        return ancestry
    }
}
