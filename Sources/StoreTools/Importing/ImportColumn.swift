// The destination of a column of a file.

import CoreData

/// An attribute, an element of a composite one, or a relationship with what its objects are found by.
struct ImportColumn {
    enum Target {
        /// The file's name for the object, so that others in the file can refer to it.
        case identity
        case attribute(NSAttributeDescription)
        /// A value that the store computes: only an export states it.
        case derived
        /// The path below a composite attribute.
        case element(NSAttributeDescription, path: [String])
        /// Named `ENTITY/NUMBER`, or found by an attribute's value.
        case relationship(NSRelationshipDescription, by: NSAttributeDescription?)
    }

    let name: String
    let target: Target

    /// Throws if the entity has no such property, or if it can't be imported.
    init(_ name: String, of entity: NSEntityDescription) throws {
        self.name = name
        let path = name.split(separator: ".").map(String.init)
        switch entity.propertiesByName[path.first ?? name] {
        case is NSDerivedAttributeDescription where path.count == 1: target = .derived
        case let attribute as NSAttributeDescription:
            let writable = try attribute.writable(path.dropFirst(), named: name)
            target = path.count == 1 ? .attribute(attribute) : .element(writable, path: path)
        case let relationship as NSRelationshipDescription:
            target = try Self.target(relationship, path: Array(path.dropFirst()), name: name)
        case nil where name == KeyPathColumn.identity(of: entity):
            target = .identity
        default:
            throw entity.missing(name)
        }
    }

    private static func target(
        _ relationship: NSRelationshipDescription, path: [String], name: String
    ) throws -> Target {
        if relationship.isTransient { throw ToolFailure("\"\(name)\" is transient: no store keeps it.") }
        guard let key = path.first else { return .relationship(relationship, by: nil) }
        guard path.count == 1,
            let attribute = relationship.destinationEntity?.attributesByName[key], !attribute.isTransient
        else {
            throw ToolFailure(
                "\"\(name)\" finds nothing: \(relationship.destinationEntity?.name ?? "") "
                    + "has no attribute \"\(path.joined(separator: "."))\".")
        }
        return .relationship(relationship, by: attribute)
    }

    /// Indicates that only objects can be made of rows with this column: batches keep no orders and write
    /// neither to-many nor one-to-one relationships.
    var needsObjects: Bool {
        guard case .relationship(let relationship, _) = target else { return false }
        guard let inverse = relationship.inverseRelationship else { return relationship.isToMany }
        return relationship.isToMany || inverse.isOrdered || !inverse.isToMany
    }
}
