// Changing objects.

import CoreData
import StoreTools

extension DataWorkspace {
    /// A new object, with what it is to be related to.
    func insert(_ name: String, values: [String: StudioValue], grants: Grants) throws -> NSManagedObject {
        let entity = try entity(name)
        if entity.isAbstract {
            throw StudioProblem(status: 422, "\(name) is abstract: choose an entity below it.")
        }
        try grants.require(.insert, entity: entity)
        let object = NSManagedObject.make(entity, in: context)
        do {
            for (key, value) in values { try set(key, input: value, of: object, grants: grants) }
        } catch {
            context.delete(object)
            throw error
        }
        return object
    }

    /// Sets a property from what a page sent. A value that breaks a rule of validation is set nevertheless: the page
    /// says what is wrong, and the save waits.
    func set(_ path: String, input: StudioValue, of object: NSManagedObject, grants: Grants) throws {
        let keys = path.split(separator: ".").map(String.init)
        let key = keys.first ?? path
        try grants.require(object.isInserted ? .insert : .update, entity: object.entity)
        if object.isDeleted {
            throw StudioProblem(status: 409, "The object is marked as deleted: undo that first.")
        }
        guard let property = object.entity.propertiesByName[key] else {
            throw StudioProblem(
                status: 404, "\(object.entity.name ?? "") has no property “\(key.prefix(100))”.")
        }
        if let lock = property.lock {
            throw StudioProblem(status: 422, "“\(property.label)” can't be set. \(lock)")
        }
        switch property {
        case let attribute as NSAttributeDescription:
            let value = try self.value(
                input, path: keys[...], attribute: attribute, current: object.value(forKey: key))
            object.setValue(validated(value, key: key, object: object), forKey: key)
        case let relationship as NSRelationshipDescription where !relationship.isToMany:
            let target = try input.text.map {
                try self.target($0, relationship: relationship, grants: grants)
            }
            object.setValue(target, forKey: key)
        default:
            throw StudioProblem(status: 422, "“\(property.label)” can't be set as one value.")
        }
    }

    /// Sets a property of several objects, of all or of none. Says which objects can't be saved with it.
    func set(_ path: String, input: StudioValue, ofAll names: [String], grants: Grants) throws -> [String] {
        let objects = try StudioProblem.bounded(names).map(object)
        let key = path.split(separator: ".").first.map(String.init) ?? path
        var before: [Any?] = []
        do {
            for object in objects {
                before.append(object.entity.propertiesByName[key] == nil ? nil : object.value(forKey: key))
                try set(path, input: input, of: object, grants: grants)
            }
        } catch {
            for (object, value) in zip(objects, before).dropLast() { object.setValue(value, forKey: key) }
            throw error
        }
        return objects.compactMap { object in
            messages(of: object)[key].map { "\(object.title): \($0)" }
        }
    }

    private func value(
        _ input: StudioValue, path: ArraySlice<String>, attribute: NSAttributeDescription, current: Any?
    ) throws -> Any? {
        let rest = path.dropFirst()
        guard let name = rest.first else { return try StudioInput.value(input, for: attribute) }
        guard let composite = attribute as? NSCompositeAttributeDescription,
            let element = composite.elements.first(where: { $0.name == name })
        else {
            throw StudioProblem(status: 404, "“\(attribute.label)” has no element “\(name.prefix(100))”.")
        }
        var values = current as? [String: Any] ?? [:]
        values[name] = try value(input, path: rest, attribute: element, current: values[name])
        return values
    }

    /// The value that a validator puts in its place; itself if the validator has objections.
    private func validated(_ value: Any?, key: String, object: NSManagedObject) -> Any? {
        var candidate = value
        do {
            try object.validateValue(&candidate, forKey: key)
            return candidate
        } catch {
            return value
        }
    }

    /// An object that a relationship may lead to.
    private func target(
        _ name: String, relationship: NSRelationshipDescription, grants: Grants
    ) throws -> NSManagedObject {
        let object = try self.object(name)
        guard let destination = relationship.destinationEntity, object.entity.isKindOf(entity: destination),
            grants.has(.read, entity: object.entity)
        else { throw StudioProblem(status: 422, "\(name) can't be in “\(relationship.label)”.") }
        if object.isDeleted { throw StudioProblem(status: 409, "\(name) is marked as deleted.") }
        return object
    }

    /// Adds to a to-many relationship, removes from it, or puts an ordered one in another order.
    func change(
        _ key: String, of object: NSManagedObject, add: [String], remove: [String], move: MemberMove?,
        grants: Grants
    ) throws {
        let relationship = try relationship(key, of: object)
        try grants.require(object.isInserted ? .insert : .update, entity: object.entity)
        if let lock = relationship.lock {
            throw StudioProblem(status: 422, "“\(relationship.label)” can't be changed. \(lock)")
        }
        guard relationship.isToMany else {
            throw StudioProblem(status: 422, "“\(relationship.label)” leads to one object only.")
        }
        var members = members(of: object, relationship)
        let removed = try remove.map { try self.object($0) }
        members.removeAll { member in removed.contains { $0 === member } }
        for target in try add.map({ try target($0, relationship: relationship, grants: grants) })
        where !members.contains(where: { $0 === target }) {
            members.append(target)
        }
        if let move {
            guard relationship.isOrdered else {
                throw StudioProblem(status: 422, "“\(relationship.label)” has no order of its own.")
            }
            let named = try move.name.map { try self.object($0) }
            let from = named.map { member in members.firstIndex { $0 === member } } ?? move.from
            guard let from, members.indices.contains(from), members.indices.contains(move.to) else {
                throw StudioProblem(status: 409, "The list has changed meanwhile.")
            }
            members.insert(members.remove(at: from), at: move.to)
        }
        let value: Any = relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
        object.setValue(value, forKey: key)
    }

    /// Bytes of a binary attribute.
    func setBytes(_ data: Data?, key: String, of object: NSManagedObject, grants: Grants) throws {
        let attribute = try attribute(key, of: object)
        try grants.require(object.isInserted ? .insert : .update, entity: object.entity)
        guard attribute.attributeType == .binaryDataAttributeType else {
            throw StudioProblem(status: 422, "“\(attribute.label)” holds no bytes.")
        }
        if let lock = attribute.lock {
            throw StudioProblem(status: 422, "“\(attribute.label)” can't be set. \(lock)")
        }
        if object.isDeleted { throw StudioProblem(status: 409, "The object is marked as deleted.") }
        object.setValue(data, forKey: key)
    }

    func delete(_ objects: [NSManagedObject], grants: Grants) throws {
        for object in objects { try grants.require(.delete, entity: object.entity) }
        for object in objects { context.delete(object) }
        context.processPendingChanges()
    }
}

/// A member of an ordered relationship that goes to another place.
struct MemberMove: Sendable {
    /// The member, wherever it is now.
    let name: String?
    let from: Int
    let to: Int
}

extension NSManagedObject {
    /// A new object of the entity's class.
    static func make(_ entity: NSEntityDescription, in context: NSManagedObjectContext) -> NSManagedObject {
        NSEntityDescription.insertNewObject(forEntityName: entity.name ?? "", into: context)
    }
}
