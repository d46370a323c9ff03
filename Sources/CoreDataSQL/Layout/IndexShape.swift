// The indexes of a new store.

import CoreDataPredicate
import CoreDataSchema

/// An index with its statement.
package struct IndexShape: Sendable, Hashable {
    package var name: String
    package var table: String
    package var text: String
    /// Whether it holds a uniqueness constraint.
    package var isUnique: Bool

    init(name: String, table: String, isUnique: Bool = false, columns: [String], condition: String? = nil) {
        self.name = name
        self.table = table
        self.isUnique = isUnique
        let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
        let list = columns.joined(separator: ", ")
        let suffix = condition.map { " WHERE \($0)" } ?? ""
        text = "CREATE \(kind) \(sqlName(name)) ON \(sqlName(table)) (\(list))\(suffix)"
    }
}

/// An identifier as Apple writes it: bare, and quoted only where SQL needs it.
func sqlName(_ name: String) -> String {
    let isPlain = name.unicodeScalars.allSatisfy { scalar in
        switch scalar {
        case "A"..."Z", "a"..."z", "0"..."9", "_": true
        default: false
        }
    }
    guard isPlain, let first = name.unicodeScalars.first, !("0"..."9").contains(first) else {
        return quoted(identifier: name)
    }
    return name
}

extension StoreBlueprint {
    /// All indexes but R-trees, in the order in which they are made: tree by tree, then the join tables'.
    package func indexes() throws -> [IndexShape] {
        var found: [IndexShape] = []
        let layout = layout()
        for table in tables {
            for column in table.foreignKeys {
                found.append(
                    IndexShape(
                        name: "\(table.name)_\(column)_INDEX", table: table.name, columns: [sqlName(column)]))
            }
            if table.isPolymorphic {
                found.append(
                    IndexShape(name: "\(table.name)_Z_ENT_INDEX", table: table.name, columns: ["Z_ENT"]))
            }
            for entity in numbering.subtree(of: table.rootName, in: index) {
                guard let place = layout[entity], let schema = index.entity(entity)?.schema else {
                    continue
                }
                found += try modelledIndexes(of: schema, in: place, IndexTranslation(index, layout))
            }
        }
        return found + joins.map(\.index)
    }

    /// A sentence for each fetch index that the store can't have.
    package var omittedIndexes: [String] {
        numbering.names.compactMap(index.entity).flatMap { entity in
            (legacyIndexes(of: entity.schema) + entity.schema.indexes).filter { !$0.isRangeTree }
                .compactMap { index in
                    index.obstacle(in: entity).map {
                        "\(entity.name): fetch index \"\(index.name)\" is left out: \($0)"
                    }
                }
        }
    }

    private func modelledIndexes(
        of schema: EntitySchema, in place: EntityTable, _ translation: IndexTranslation
    ) throws -> [IndexShape] {
        var found: [IndexShape] = []
        let entity = index.entity(schema.name)
        for index in legacyIndexes(of: schema) + schema.indexes where !index.isRangeTree {
            if let entity, index.obstacle(in: entity) != nil { continue }
            found.append(try shape(of: index, in: place, translation))
        }
        for constraint in schema.uniquenessConstraints {
            let columns = try constraint.map {
                sqlName(try column($0, in: place, use: "uniqueness constraint")) + " COLLATE BINARY ASC"
            }
            let name = "Z_\(schema.name)_UNIQUE_\(constraint.joined(separator: "_"))"
            found.append(IndexShape(name: name, table: place.table, isUnique: true, columns: columns))
        }
        return found
    }

    /// What models before fetch indexes ask for. Compiled models of today state their fetch indexes a second
    /// time in this form; those make no second index.
    private func legacyIndexes(of schema: EntitySchema) -> [FetchIndexSchema] {
        let names = Set(schema.indexes.map(\.name))
        let subjects = Set(schema.indexes.map { $0.elements.map(\.subject) })
        var found: [FetchIndexSchema] = []
        for property in index.ownProperties(of: schema.name) {
            guard property.isIndexed, property.attribute != nil, !names.contains(property.name) else {
                continue
            }
            let element = FetchIndexElementSchema(.property(property.name))
            found.append(FetchIndexSchema(name: property.name, elements: [element]))
        }
        for properties in schema.compoundIndexes {
            let elements = properties.map { FetchIndexElementSchema(.property($0)) }
            let name = properties.joined(separator: "_")
            if elements.isEmpty || names.contains(name) || subjects.contains(elements.map(\.subject)) {
                continue
            }
            found.append(FetchIndexSchema(name: name, elements: elements))
        }
        return found
    }

    private func shape(
        of index: FetchIndexSchema, in place: EntityTable, _ translation: IndexTranslation
    ) throws -> IndexShape {
        let use = "fetch index \"\(index.name)\""
        let columns = try index.elements.map { element in
            let direction = element.isAscending ? "ASC" : "DESC"
            switch element.subject {
            case .expression(_, .keyPath(.evaluatedObject, let path), _), .property(let path):
                return sqlName(try column(path, in: place, use: use)) + " COLLATE BINARY " + direction
            case .expression(let name, let tree, _):
                return try translation.text(of: tree, name, place.entityName, use: use) + " " + direction
            }
        }
        let condition = try index.partialPredicate.map {
            try translation.condition($0, place.entityName, use: use)
        }
        return IndexShape(
            name: "Z_\(place.entityName)_\(index.name)", table: place.table, columns: columns,
            condition: condition)
    }

    private func column(_ path: String, in place: EntityTable, use: String) throws -> String {
        guard let column = place.singleColumn(path) else {
            throw LayoutFailure(
                entity: place.entityName, property: path, "\(use) needs a column, and it has none")
        }
        return column
    }
}

extension JoinShape {
    /// Finds rows from the second key; the primary key does from the first.
    fileprivate var index: IndexShape {
        IndexShape(
            name: "\(table)_\(keyColumns[1])_INDEX", table: table,
            columns: [sqlName(keyColumns[1]), sqlName(keyColumns[0])])
    }
}

extension EntityTable {
    /// The column of an attribute, of a composite's element (`address.city`) or of a to-one relationship.
    func singleColumn(_ path: String) -> String? {
        element(path)?.singleColumn
    }

    /// The place of a property, or of a composite's element.
    func element(_ path: String) -> PropertyColumn? {
        if let found = columns[path] { return found }
        guard let dot = path.firstIndex(of: "."),
            case .composite(let elements)? = columns[String(path[..<dot])]
        else { return nil }
        return elements[String(path[dot...].dropFirst())]
    }
}

extension PropertyColumn {
    /// The column that holds the value, where it is one.
    var singleColumn: String? {
        switch self {
        case .attribute(let column, _): column
        case .toOne(let column, _, _, _): column
        case .toMany, .join, .composite: nil
        }
    }
}
