// A column of a grid: an attribute, an element of a composite one, or a to-one relationship.

import CoreData
import StoreTools

/// One column, checked against the model.
struct GridColumn {
    enum Content {
        case attribute(NSAttributeDescription)
        /// An element of a composite attribute, with the path below it.
        case element(NSAttributeDescription, path: [String])
        case toOne(NSRelationshipDescription)
    }

    let key: String
    let content: Content

    /// Throws if the entity has no such column.
    init(_ key: String, of entity: NSEntityDescription) throws {
        self.key = key
        let path = key.split(separator: ".").map(String.init)
        switch entity.propertiesByName[path.first ?? key] {
        case let attribute as NSAttributeDescription:
            if path.count <= 1 {
                content = .attribute(attribute)
            } else {
                content = .element(try attribute.element(path.dropFirst()), path: path)
            }
        case let relationship as NSRelationshipDescription where !relationship.isToMany && path.count == 1:
            content = .toOne(relationship)
        default:
            throw StudioProblem(status: 400, "\(entity.name ?? "") has no column “\(key)”.")
        }
    }

    /// The columns that are shown unless others are asked for.
    static func standard(for entity: NSEntityDescription) -> [GridColumn] {
        let stated = entity.rules.columns ?? []
        let columns = stated.compactMap { try? GridColumn($0, of: entity) }
        if !columns.isEmpty { return columns }
        let wide: Set<FieldKind> = [.longText, .tree, .binary]
        let properties = entity.shownProperties
        let attributes = properties.compactMap { $0 as? NSAttributeDescription }
        let slim = attributes.filter { !wide.contains($0.kind) }
        let rest = attributes.filter { wide.contains($0.kind) }
        let toOne = properties.compactMap { $0 as? NSRelationshipDescription }.filter { !$0.isToMany }
        let keys = slim.map(\.name) + toOne.map(\.name) + rest.map(\.name)
        return keys.prefix(12).compactMap { try? GridColumn($0, of: entity) }
    }

    var value: StudioValue {
        switch content {
        case .attribute(let attribute): return EntityPage.field(attribute).with("column", value: .text(key))
        case .element(let attribute, _):
            return EntityPage.field(attribute).with("column", value: .text(key)).with(
                "isSortable", value: true)
        case .toOne(let relationship):
            let sortable = relationship.destinationEntity.map { Self.sortKey($0) != nil } ?? false
            return EntityPage.relationship(relationship).with("column", value: .text(key))
                .with("isSortable", value: .bool(sortable))
        }
    }

    /// The entity of a to-one relationship's objects if the person may not see them: no filter and no order may tell
    /// what is in them.
    func hidden(_ grants: Grants) -> NSEntityDescription? {
        guard case .toOne(let relationship) = content, let destination = relationship.destinationEntity,
            !grants.has(.read, entity: destination)
        else { return nil }
        return destination
    }

    private static func sortKey(_ entity: NSEntityDescription) -> String? {
        guard let key = entity.titleKey, entity.attributesByName[key]?.isSortable == true else { return nil }
        return key
    }

    /// Returns the key path that rows are ordered by. Throws where a column has no order.
    func sortPath() throws -> String {
        switch content {
        case .attribute(let attribute) where attribute.isSortable: return key
        case .element(let attribute, _) where attribute.isSortable: return key
        case .toOne(let relationship):
            if let destination = relationship.destinationEntity, let title = Self.sortKey(destination) {
                return "\(key).\(title)"
            }
        default: break
        }
        throw StudioProblem(status: 400, "Rows can't be in the order of “\(key)”.")
    }
}
