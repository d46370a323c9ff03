// The text of a grid's search box, as a predicate: each of its words is in one of the columns that are searched.
//
//     red fox        both words, each in any of the columns
//     "red fox"      the words in this order, in one column

import CoreData
import CoreDataPredicate

enum GridSearch {
    /// A column that can be searched.
    struct Column {
        let column: GridColumn
        /// The key path of the text: of a related object's title for a relationship.
        let path: String
        let label: String
        /// Indicates whether it is searched unless the person chose other columns.
        let isStandard: Bool
    }

    private static let limit = 10

    /// The texts of an entity's objects, then the titles of objects that they lead to.
    static func columns(of entity: NSEntityDescription) -> [Column] {
        let properties = entity.shownProperties
        let attributes = properties.compactMap { $0 as? NSAttributeDescription }
        let relationships = properties.compactMap { $0 as? NSRelationshipDescription }.filter { !$0.isToMany }
        return attributes.flatMap { texts($0, entity: entity) }
            + relationships.compactMap { title($0, entity: entity) }
    }

    private static func texts(
        _ attribute: NSAttributeDescription, entity: NSEntityDescription
    ) -> [Column] {
        if attribute.isTransient { return [] }
        if let composite = attribute as? NSCompositeAttributeDescription {
            return composite.elements.filter { $0.attributeType == .stringAttributeType }.compactMap {
                let path = "\(composite.name).\($0.name)"
                guard let column = try? GridColumn(path, of: entity) else { return nil }
                return Column(
                    column: column, path: path, label: "\(composite.label): \($0.label)", isStandard: true)
            }
        }
        guard attribute.attributeType == .stringAttributeType,
            let column = try? GridColumn(attribute.name, of: entity)
        else { return [] }
        return [
            Column(
                column: column, path: attribute.name, label: attribute.label,
                isStandard: attribute.kind != .color)
        ]
    }

    private static func title(
        _ relationship: NSRelationshipDescription, entity: NSEntityDescription
    ) -> Column? {
        guard let destination = relationship.destinationEntity, let title = destination.titleKey,
            destination.attributesByName[title]?.attributeType == .stringAttributeType,
            let column = try? GridColumn(relationship.name, of: entity)
        else { return nil }
        return Column(
            column: column, path: "\(relationship.name).\(title)", label: relationship.label,
            isStandard: false)
    }

    /// Returns the predicate of a text; nil for one without words.
    ///
    /// - Parameter keys: the columns to search; nil for the standard ones.
    /// - Throws: a problem of status 400 for a column that can't be searched, 403 for one that leads to objects that the
    ///   person may not see, 422 for too many words or an entity without texts.
    static func predicate(
        _ text: String?, in keys: [String]?, of entity: NSEntityDescription, grants: Grants
    ) throws -> PredicateTree? {
        let words = words(of: text ?? "")
        if words.isEmpty { return nil }
        guard words.count <= limit else {
            throw StudioProblem(status: 422, "Search for up to \(limit) words, or put them in quotes.")
        }
        let all = columns(of: entity)
        let chosen =
            try keys.map { try $0.map { try column($0, among: all, of: entity) } }
            ?? all.filter(\.isStandard)
        guard !chosen.isEmpty else {
            throw StudioProblem(status: 422, "\(entity.name ?? "") has no texts to search.")
        }
        for column in chosen {
            if let hidden = column.column.hidden(grants) { try grants.require(.read, entity: hidden) }
        }
        let parts = words.map { word -> PredicateTree in
            let places = chosen.map {
                PredicateTree.comparison(GridFilter.contains(word, key: .keyPath($0.path)))
            }
            return places.count == 1 ? places[0] : .or(places)
        }
        return parts.count == 1 ? parts[0] : .and(parts)
    }

    private static func column(
        _ key: String, among all: [Column], of entity: NSEntityDescription
    ) throws -> Column {
        guard let found = all.first(where: { $0.column.key == key }) else {
            throw StudioProblem(
                status: 400, "“\(key.prefix(100))” of \(entity.name ?? "") can't be searched.")
        }
        return found
    }

    /// The words of a text; what stands in quotes is one.
    static func words(of text: String) -> [String] {
        var words: [String] = []
        for (place, part) in text.split(separator: "\"", omittingEmptySubsequences: false).enumerated() {
            if place % 2 == 1 {
                words.append(String(part))
            } else {
                words += part.split(whereSeparator: \.isWhitespace).map(String.init)
            }
        }
        return words.filter { !$0.allSatisfy(\.isWhitespace) }
    }
}
