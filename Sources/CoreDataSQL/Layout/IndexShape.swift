// The indexes of a new store.

import CoreDataPredicate
import CoreDataSchema

/// An index with its statement.
package struct IndexShape: Sendable, Hashable {
    package var name: String
    package var table: String
    package var text: String
    /// Indicates whether the index holds a uniqueness constraint.
    package var isUnique: Bool
    /// Indicates whether the index is one that the model asks for to make fetches fast; the others are what the store itself
    /// finds rows by, or hold constraints.
    package var isForFetches: Bool

    init(
        name: String, table: String, isUnique: Bool = false, isForFetches: Bool = false,
        columns: [SQLFragment], condition: String? = nil, in dialect: any Dialect
    ) {
        self.name = name
        self.table = table
        self.isUnique = isUnique
        self.isForFetches = isForFetches
        let kind = isUnique ? "UNIQUE INDEX" : "INDEX"
        let statement: SQLFragment = """
            CREATE \(sql: kind) \(name: name) ON \(name: table) (\(columns.joined(separator: ", ")))\
            \(sql: condition.map { " WHERE \($0)" } ?? "")
            """
        text = statement.inlined(in: dialect)
    }
}

extension StoreBlueprint {
    /// All indexes but R-trees, in the order in which they are made: tree by tree, then the join tables'.
    package func indexes() throws -> [IndexShape] {
        var found: [IndexShape] = []
        let layout = layout()
        for table in tables {
            for column in table.foreignKeys { found.append(impliedIndex(over: [column], of: table.name)) }
            if table.isPolymorphic {
                found.append(impliedIndex(over: [table.head.entity], of: table.name))
            }
            for entity in numbering.subtree(of: table.rootName, in: index) {
                guard let place = layout[entity], let schema = index.entity(entity)?.schema else {
                    continue
                }
                found += try modelledIndexes(of: schema, in: place, IndexTranslation(index, layout: layout))
            }
        }
        // A join table's rows are found by the second key too; the primary key does it by the first.
        return found + joins.map { impliedIndex(over: $0.keyColumns.reversed(), of: $0.table) }
    }

    /// An index that follows from the layout, named after the first of its columns.
    private func impliedIndex(over columns: [String], of table: String) -> IndexShape {
        IndexShape(
            name: form.naming.index(table: table, column: columns[0]), table: table,
            columns: columns.map(SQLFragment.init(name:)), in: form.dialect)
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
                form.dialect.indexTerm(
                    SQLFragment(name: try column($0, in: place, use: "uniqueness constraint")),
                    isColumn: true, ascending: true)
            }
            found.append(
                IndexShape(
                    name: form.naming.uniqueIndex(entity: schema.name, constraint), table: place.table,
                    isUnique: true, columns: columns, in: form.dialect))
        }
        return found
    }

    /// Returns the indexes that models before fetch indexes ask for. Compiled models of today state their
    /// fetch indexes a second time in this form; those make no second index.
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
            switch element.subject {
            case .expression(_, .keyPath(.evaluatedObject, let path), _), .property(let path):
                return form.dialect.indexTerm(
                    SQLFragment(name: try column(path, in: place, use: use)), isColumn: true,
                    ascending: element.isAscending)
            case .expression(let name, let tree, _):
                let text = try translation.text(of: tree, name: name, entity: place.entityName, use: use)
                return form.dialect.indexTerm(
                    SQLFragment(stringLiteral: text), isColumn: false, ascending: element.isAscending)
            }
        }
        let condition = try index.partialPredicate.map {
            try translation.condition($0, entity: place.entityName, use: use)
        }
        return IndexShape(
            name: form.naming.fetchIndex(entity: place.entityName, index.name), table: place.table,
            isForFetches: true, columns: columns, condition: condition, in: form.dialect)
    }

    private func column(_ path: String, in place: EntityTable, use: String) throws -> String {
        guard let column = place.singleColumn(path) else {
            throw LayoutFailure(
                entity: place.entityName, property: path, "\(use) needs a column, and it has none")
        }
        return column
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
