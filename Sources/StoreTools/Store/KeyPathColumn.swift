// A key path that a person typed, checked against the model and then read from objects.

public import CoreData

/// A value of an object: `id`, a property, or a path along relationships (`parent.title`, `children.@count`).
public struct KeyPathColumn {
    private enum Step {
        case identity
        case attribute(PrintedAttribute)
        case toOne(String)
        case toMany(String, isOrdered: Bool)
        case count
    }

    /// The key path, which is the column's title.
    public let name: String
    /// Indicates whether transformables are shown as the bytes that the store holds, not as trees.
    public var showsArchives = false
    /// Indicates whether the bytes of binary attributes are kept as they are, not shown as what they encode: for files that are
    /// imported again.
    public var keepsBytes = false
    private let steps: [Step]

    /// A column for a path.
    ///
    /// - Parameters:
    ///   - path: a key path.
    ///   - entity: the entity that it begins at.
    /// - Throws: `ToolFailure` if the entity has no such path.
    public init(_ path: String, of entity: NSEntityDescription) throws {
        name = path
        steps = try Self.steps(path.split(separator: ".").map(String.init)[...], entity: entity, path: path)
        if steps.isEmpty { throw ToolFailure("A key path is missing.") }
    }

    /// Returns the columns that are shown unless others are asked for: the name, attributes and to-one
    /// relationships, and to-many relationships if wanted.
    ///
    /// - Parameters:
    ///   - entity: the entity.
    ///   - withToMany: whether to-many relationships are columns.
    /// - Throws: `ToolFailure`, as the initialiser does.
    public static func standard(for entity: NSEntityDescription, withToMany: Bool) throws -> [KeyPathColumn] {
        let properties = entity.properties.filter { property in
            if property.isTransient { return false }
            if let relationship = property as? NSRelationshipDescription {
                return withToMany || !relationship.isToMany
            }
            return property is NSAttributeDescription
        }
        let attributes = properties.filter { $0 is NSAttributeDescription }.map(\.name).sorted()
        let relationships = properties.filter { $0 is NSRelationshipDescription }.map(\.name).sorted()
        return try ([identity(of: entity)] + attributes + relationships).map {
            try KeyPathColumn($0, of: entity)
        }
    }

    /// The column of an object's name.
    static func identity(of entity: NSEntityDescription) -> String {
        entity.propertiesByName["id"] == nil ? "id" : "objectID"
    }

    private static func steps(
        _ keys: ArraySlice<String>, entity: NSEntityDescription, path: String
    ) throws -> [Step] {
        guard let key = keys.first else { return [] }
        let rest = keys.dropFirst()
        switch entity.propertiesByName[key] {
        case let attribute as NSAttributeDescription:
            if attribute.isTransient { throw ToolFailure("\"\(path)\" is transient: no store keeps it.") }
            if !rest.isEmpty, !(attribute is NSCompositeAttributeDescription) {
                throw ToolFailure("\"\(path)\" goes on after the attribute \"\(key)\".")
            }
            return [.attribute(PrintedAttribute(attribute, elements: Array(rest)))]
        case let relationship as NSRelationshipDescription:
            guard let destination = relationship.destinationEntity else {
                throw ToolFailure("The relationship \"\(key)\" leads nowhere.")
            }
            if !relationship.isToMany {
                return [.toOne(key)] + (try steps(rest, entity: destination, path: path))
            }
            let first = Step.toMany(key, isOrdered: relationship.isOrdered)
            if rest == ["@count"] { return [first, .count] }
            return [first] + (try steps(rest, entity: destination, path: path))
        case is NSFetchedPropertyDescription:
            throw ToolFailure("\"\(key)\" is a fetched property, which has no values in the store.")
        default:
            if (key == "id" || key == "objectID" || key == "self"), rest.isEmpty { return [.identity] }
            let names = entity.propertiesByName.keys.sorted().joined(separator: ", ")
            throw ToolFailure("\(entity.name ?? "") has no property \"\(key)\"; it has \(names).")
        }
    }

    /// The relationships along the path whose objects must be read, to be read for many objects at once.
    public var relationshipPath: String? {
        var names: [String] = []
        for (position, step) in steps.enumerated() {
            switch step {
            case .toMany(let key, _): names.append(key)
            // The object at the end of a path is only named, for which its key is enough.
            case .toOne(let key) where position + 1 < steps.count: names.append(key)
            default: break
            }
        }
        return names.isEmpty ? nil : names.joined(separator: ".")
    }

    /// Indicates whether the path begins with a relationship, so that reading it has objects hold others.
    var readsRelationship: Bool {
        switch steps.first {
        case .toOne, .toMany: true
        default: false
        }
    }

    /// Returns what the column shows of an object.
    public func value(of object: NSManagedObject) -> PrintedValue {
        value(of: object, steps[...])
    }

    private func value(of object: NSManagedObject, _ steps: ArraySlice<Step>) -> PrintedValue {
        guard let step = steps.first else { return .text(object.printedName) }
        let rest = steps.dropFirst()
        switch step {
        case .identity: return .text(object.printedName)
        case .attribute(let attribute):
            return attribute.value(of: object, showsArchives: showsArchives, keepsBytes: keepsBytes)
        case .toOne(let key):
            guard let target = object.value(forKey: key) as? NSManagedObject else { return .null }
            return value(of: target, rest)
        case .toMany(let key, let isOrdered):
            let members = Self.members(of: object, key, isOrdered: isOrdered)
            if case .count? = rest.first { return .integer(Int64(members.count)) }
            return .list(members.map { value(of: $0, rest) })
        case .count: return .null
        }
    }

    /// In the relationship's order, or in that of names.
    static func members(of object: NSManagedObject, _ key: String, isOrdered: Bool) -> [NSManagedObject] {
        switch object.value(forKey: key) {
        case let set as NSOrderedSet: return set.array.compactMap { $0 as? NSManagedObject }
        case let set as NSSet:
            return set.allObjects.compactMap { $0 as? NSManagedObject }.sorted {
                ($0.entity.name ?? "", $0.objectID.rowNumber ?? 0)
                    < ($1.entity.name ?? "", $1.objectID.rowNumber ?? 0)
            }
        default: return []
        }
    }
}
