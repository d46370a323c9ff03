// The standard policies' resolution of values that must be unique: one object survives with the values that
// the type gives it, and with what the others were related to.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension NSMergePolicy {
    /// Leaves one object for each combination of values; with the error type, throws.
    final func resolveConstraints(_ conflicts: [NSConstraintConflict]) throws {
        if conflicts.isEmpty { return }
        if mergeType == .errorMergePolicyType { throw Self.error(conflicts) }
        for conflict in conflicts { resolve(conflict) }
    }

    private var objectsTrump: Bool {
        mergeType == .mergeByPropertyObjectTrumpMergePolicyType || mergeType == .overwriteMergePolicyType
    }

    private func resolve(_ conflict: NSConstraintConflict) {
        // Another conflict or the client may have settled it for some.
        let wanted = conflict.conflictingObjects.lazy.compactMap { $0.uniqueKey(conflict.constraint) }.first
        let present = conflict.conflictingObjects.filter {
            $0.isPendingForSave && !$0.isDeleted && $0.uniqueKey(conflict.constraint) == wanted
        }
        var survivor = conflict.databaseObject
        if let holder = survivor {
            holder.read(conflict.databaseRow)
            if holder.isDeleted || holder.uniqueKey(conflict.constraint) != wanted { survivor = nil }
        }
        // Objects with a row come first: an identity that others know outlives one that nobody has seen.
        for object in present.filter({ !$0.state.isNew }) + present.filter(\.state.isNew) {
            guard let current = survivor else {
                survivor = object
                continue
            }
            if current === object { continue }
            survivor = resolve(object, against: current, constraint: conflict.constraint)
        }
    }

    /// Settles an object with one that has the same values, and returns the survivor.
    private func resolve(
        _ object: NSManagedObject, against holder: NSManagedObject, constraint: [String]
    ) -> NSManagedObject {
        if object.state.isNew {
            holder.absorb(object, takingValues: objectsTrump)
            return holder
        }
        if objectsTrump {
            object.absorb(holder, takingValues: false)
            return object
        }
        if mergeType == .rollbackMergePolicyType {
            object.revert(object.runtime.properties)
        } else {
            let names = constraint.map(object.runtime.decidingName)
            object.revert(names.compactMap(object.runtime.property))
            object.revertElements(names)
        }
        return holder
    }
}

extension NSManagedObject {
    /// The current values under a constraint; `nil` if one of them is.
    fileprivate final func uniqueKey(_ constraint: [String]) -> UniqueKey? {
        prepareToRead()
        return UniqueKey(constraint, of: runtime, in: RowPointer(row, slab: slab))
    }

    /// Takes a row that is newer than what the object has.
    fileprivate final func read(_ slab: RowSlab?) {
        prepareToRead()
        guard let slab, slab.count > 0, !state.isGone,
            committedVersion != Int64(bitPattern: slab.row(0)[0])
        else { return }
        replaceCommitted(slab, row: 0, keepingChanges: true)
        extras?.forgetToOnes()
    }

    /// Takes back unsaved changes of some attributes and to-one relationships.
    fileprivate final func revert(_ properties: [PropertyRuntime]) {
        let saved = savedValues(of: properties.map(\.name))
        for property in properties where isChanged(property) {
            if case .toMany = property.kind { continue }
            let value = saved[property.name]
            setValue(value is NSNull ? nil : value, forKey: property.name)
        }
        awake(fromSnapshotEvents: .mergePolicy)
    }

    /// Takes back unsaved changes of elements of composite attributes, which are named by their paths.
    fileprivate final func revertElements(_ paths: [String]) {
        for path in paths where runtime.property(path) == nil {
            guard let property = runtime.property(String(path.prefix { $0 != "." })) else { continue }
            let steps = CompositeElements.path(path).dropFirst()
            let saved = CompositeElements.value(
                at: steps, in: savedValues(of: [property.name])[property.name])
            var elements = value(forKey: property.name) as? [String: Any] ?? [:]
            CompositeElements.set(saved, at: steps, in: &elements)
            setValue(elements.isEmpty ? nil : elements, forKey: property.name)
        }
    }

    /// Takes another object's place in relationships, and its attributes and to-one relationships if wanted; the
    /// other object is deleted. It leads to nothing any more, so that its delete rules don't reach, and aren't denied by,
    /// what has gone over.
    fileprivate final func absorb(_ other: NSManagedObject, takingValues takes: Bool) {
        other.prepareToRead()
        prepareToChange()
        if takes { replacingValues { takeAttributes(of: other) } }
        for property in other.runtime.properties {
            guard let own = runtime.property(property.name), own.relation?.isTransient == false else {
                continue
            }
            switch (property.kind, own.kind) {
            case (.toOne(let theirs, let relation), .toOne(let slot, let mine)):
                let target = other.toOne(theirs, relation: relation)
                let isTaken = takes || toOne(slot, relation: mine) == nil
                if isTaken || relation.traits.deleteRule == .deny {
                    other.setToOne(nil, slot: theirs, relation: relation)
                }
                if isTaken { setToOne(target === other ? self : target, slot: slot, relation: mine) }
            case (.toMany(let relation), .toMany(let mine)):
                let members = other.toMany(relation)
                for member in members.objects {
                    members.remove(member)
                    toMany(mine).add(member === other ? self : member)
                }
            default: break
            }
        }
        registry.context?.redirect(from: other, to: self)
        noteChange()
        registry.context?.delete(other)
        awake(fromSnapshotEvents: .mergePolicy)
    }

    private final func takeAttributes(of other: NSManagedObject) {
        let theirs = RowPointer(other.row, slab: other.slab)
        for slot in runtime.layout.slots where !slot.isRelationship {
            guard let source = other.runtime.layout.slot(named: slot.name) else { continue }
            // In rows of two entities of one tree a slot may lie elsewhere, and be of another kind.
            if source.kind == slot.kind {
                source.copy(from: theirs, to: row, as: slot)
            } else {
                setPrimitiveValue(theirs.value(source).any, forKey: slot.name)
            }
        }
        extras?.decoded.removeAll()
    }
}

extension ManagedEntity {
    /// Returns the property to change in order to change another: itself, or the one that it is derived from.
    fileprivate func decidingName(_ name: String) -> String {
        layout.slot(named: name).map { decidingSlot($0).name } ?? name
    }
}

extension NSManagedObjectContext {
    /// Makes relationships without inverse that lead to one object lead to another.
    fileprivate final func redirect(from old: NSManagedObject, to new: NSManagedObject) {
        for object in changes.changed where object.isPendingForSave && object !== old && !object.isFault {
            for property in object.runtime.properties {
                guard let relation = property.relation, relation.inverse == nil else { continue }
                switch property.kind {
                case .toOne(let slot, _) where object.toOne(slot, relation: relation) === old:
                    object.setToOne(new, slot: slot, relation: relation)
                case .toMany:
                    guard let members = object.extras?.relations[relation.number] as? ToMany,
                        members.known.contains(where: { $0 === old }), members.contains(old)
                    else { continue }
                    members.remove(old)
                    members.add(new)
                default: break
                }
            }
        }
    }
}
