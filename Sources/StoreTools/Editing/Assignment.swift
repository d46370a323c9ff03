// `key=value` as a person types it, and what it does to an object.

public import CoreData

/// One assignment. To-many relationships also take `+=` and `-=`.
public struct Assignment {
    private enum Change {
        case replace, add, remove
    }

    private let key: String
    private let text: String
    private let change: Change

    /// Reads an assignment, `KEY=VALUE`.
    ///
    /// - Throws: `ToolFailure` for a text without `=`.
    public init(_ argument: String) throws {
        guard let equals = argument.firstIndex(of: "="), equals != argument.startIndex else {
            throw ToolFailure("\"\(argument)\" is no assignment: write KEY=VALUE, as in title=Swift.")
        }
        var key = String(argument[..<equals])
        text = String(argument[argument.index(after: equals)...])
        change = key.last == "+" ? .add : key.last == "-" ? .remove : .replace
        if change != .replace { key.removeLast() }
        self.key = key
    }

    /// Reads the assignments of one object.
    ///
    /// - Parameter arguments: the assignments, each `KEY=VALUE`.
    /// - Returns: the assignments in their order.
    /// - Throws: `ToolFailure` for a text without `=`, and for a key that is given two values, of which one would be lost.
    public static func list(_ arguments: [String]) throws -> [Assignment] {
        let all = try arguments.map(Assignment.init)
        var replaced: Set<String> = []
        for assignment in all where assignment.change == .replace {
            guard replaced.insert(assignment.key).inserted else {
                throw ToolFailure("\"\(assignment.key)\" is set twice.")
            }
        }
        return all
    }

    /// Sets the property.
    ///
    /// - Parameters:
    ///   - object: the object.
    ///   - store: the store that objects named by the value are looked for in.
    /// - Throws: `ToolFailure` if the entity has no such property, or the value isn't one of its type.
    public func apply(to object: NSManagedObject, in store: OpenStore) throws {
        let path = key.split(separator: ".").map(String.init)
        switch object.entity.propertiesByName[path.first ?? key] {
        case let relationship as NSRelationshipDescription where path.count == 1:
            try set(relationship, of: object, in: store)
        case let attribute as NSAttributeDescription:
            if change != .replace {
                throw ToolFailure("\"\(key)\" is no to-many relationship: += and -= need one.")
            }
            try set(attribute, path: path, of: object)
        default:
            throw object.entity.missing(key)
        }
    }

    private func set(_ attribute: NSAttributeDescription, path: [String], of object: NSManagedObject) throws {
        let target = try attribute.writable(path.dropFirst(), named: key)
        object.setValue(try TypedText.value(text, for: target, readingFiles: true), forKeyPath: key)
    }

    private func set(
        _ relationship: NSRelationshipDescription, of object: NSManagedObject, in store: OpenStore
    ) throws {
        let names = text.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        let targets = try names.map { try target($0, relationship: relationship, store: store) }
        guard relationship.isToMany else {
            guard change == .replace, targets.count <= 1 else {
                throw ToolFailure("\"\(key)\" leads to one object only: write \(key)=ENTITY/NUMBER.")
            }
            return object.setValue(targets.first, forKey: key)
        }
        var members = KeyPathColumn.members(of: object, key, isOrdered: relationship.isOrdered)
        switch change {
        case .replace: members = targets
        case .add: members += targets.filter { new in !members.contains { $0 === new } }
        case .remove: members.removeAll { old in targets.contains { $0 === old } }
        }
        let value: Any = relationship.isOrdered ? NSOrderedSet(array: members) : NSSet(array: members)
        object.setValue(value, forKey: key)
    }

    private func target(
        _ name: String, relationship: NSRelationshipDescription, store: OpenStore
    ) throws -> NSManagedObject {
        let object = try store.object(named: name)
        guard let destination = relationship.destinationEntity, object.entity.isKindOf(entity: destination)
        else {
            throw ToolFailure(
                "\(name) can't be in \"\(key)\", "
                    + "which leads to \(relationship.destinationEntity?.name ?? "")."
            )
        }
        return object
    }
}
