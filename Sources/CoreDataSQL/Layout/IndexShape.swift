// The indexes of a new store.

import CoreDataPredicate
import CoreDataSchema

/// A column or an expression of an index.
package struct IndexPart: Sendable, Hashable {
    /// The term of the index, with its direction.
    var term: SQLFragment
    /// The column or expression alone.
    var sql: SQLFragment
    /// The type of the values, where it is known.
    var type: AttributeType?
}

/// An index with its statement.
package struct IndexShape: Sendable, Hashable {
    package var name: String
    package var table: String
    package var text: String
    /// Indicates whether the index holds a uniqueness constraint.
    package var isUnique: Bool { constraint != nil }
    /// The properties of an entity that must differ together.
    package var constraint: Constraint?
    /// Indicates whether the index is one that the model asks for to make fetches fast; the others are what the store itself
    /// finds rows by, or hold constraints.
    package var isForFetches: Bool
    let parts: [IndexPart]
    let condition: String?

    package struct Constraint: Sendable, Hashable {
        package var entity: String
        package var properties: [String]
    }

    init(
        name: String, table: String, constraint: Constraint? = nil, isForFetches: Bool = false,
        parts: [IndexPart], condition: String? = nil, in dialect: any Dialect
    ) {
        self.name = name
        self.table = table
        self.constraint = constraint
        self.isForFetches = isForFetches
        self.parts = parts
        self.condition = condition
        let kind = constraint == nil ? "INDEX" : "UNIQUE INDEX"
        let statement: SQLFragment = """
            CREATE \(sql: kind) \(name: name) ON \(name: table) (\(parts.map(\.term).joined(separator: ", ")))\
            \(sql: condition.map { " WHERE \($0)" } ?? "")
            """
        text = statement.inlined(in: dialect)
    }

    /// The same index under another name.
    func renamed(_ name: String, in dialect: any Dialect) -> IndexShape {
        IndexShape(
            name: name, table: table, constraint: constraint, isForFetches: isForFetches, parts: parts,
            condition: condition, in: dialect)
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
        found += joins.map { impliedIndex(over: $0.keyColumns.reversed(), of: $0.table) }
        return form.sharesNames ? named(found) : found
    }

    /// Names of their own for indexes, beside those of tables and sequences.
    private func named(_ indexes: [IndexShape]) -> [IndexShape] {
        var shared = SharedNames(tables: tables.map(\.name) + joins.map(\.table))
        return indexes.map { index in
            let name = shared.relation(index.name)
            return name == index.name ? index : index.renamed(name, in: form.dialect)
        }
    }

    /// An index that follows from the layout, named after the first of its columns.
    private func impliedIndex(over columns: [String], of table: String) -> IndexShape {
        IndexShape(
            name: form.naming.index(table: table, column: columns[0]), table: table,
            parts: columns.map { IndexPart(term: SQLFragment(name: $0), sql: SQLFragment(name: $0)) },
            in: form.dialect)
    }

    /// A sentence for each fetch index that the store can't have.
    package var omittedIndexes: [String] {
        let layout = layout()
        let translation = IndexTranslation(index, layout: layout)
        return numbering.names.compactMap(index.entity).flatMap { entity in
            (legacyIndexes(of: entity.schema) + entity.schema.indexes).filter { !$0.isRangeTree }
                .compactMap { index in
                    obstacle(of: index, in: entity, translation).map {
                        "\(entity.name): fetch index \"\(index.name)\" is left out: \($0)"
                    }
                }
        }
    }

    /// The reason why the store can't have a fetch index. A file's must work for programs that lack our functions; on a server
    /// the same index may be of use.
    private func obstacle(
        of index: FetchIndexSchema, in entity: ModelIndex.Entity, _ translation: IndexTranslation
    ) -> String? {
        index.obstacle(in: entity)
            ?? (form.dialect.keepsFiles ? translation.obstacle(of: index, entity: entity.name) : nil)
    }

    private func modelledIndexes(
        of schema: EntitySchema, in place: EntityTable, _ translation: IndexTranslation
    ) throws -> [IndexShape] {
        var found: [IndexShape] = []
        let entity = index.entity(schema.name)
        for index in legacyIndexes(of: schema) + schema.indexes where !index.isRangeTree {
            if let entity, obstacle(of: index, in: entity, translation) != nil { continue }
            found.append(try shape(of: index, in: place, translation))
        }
        for constraint in schema.uniquenessConstraints {
            let parts = try constraint.map {
                try part($0, ascending: true, in: place, use: "uniqueness constraint")
            }
            found.append(
                IndexShape(
                    name: form.naming.uniqueIndex(entity: schema.name, constraint), table: place.table,
                    constraint: IndexShape.Constraint(entity: schema.name, properties: constraint),
                    parts: parts, in: form.dialect))
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
        let parts = try index.elements.map { element in
            switch element.subject {
            case .expression(_, .keyPath(.evaluatedObject, let path), _), .property(let path):
                return try part(path, ascending: element.isAscending, in: place, use: use)
            case .expression(let name, let tree, let type):
                let text = try translation.text(of: tree, name: name, entity: place.entityName, use: use)
                let sql = SQLFragment(stringLiteral: text)
                let term = form.dialect.indexTerm(sql, isColumn: false, ascending: element.isAscending)
                return IndexPart(term: term, sql: "(\(sql))", type: type)
            }
        }
        let condition = try index.partialPredicate.map {
            try translation.condition($0, entity: place.entityName, use: use)
        }
        return IndexShape(
            name: form.naming.fetchIndex(entity: place.entityName, index.name), table: place.table,
            isForFetches: true, parts: parts, condition: condition, in: form.dialect)
    }

    private func part(
        _ path: String, ascending: Bool, in place: EntityTable, use: String
    ) throws -> IndexPart {
        let sql = SQLFragment(name: try column(path, in: place, use: use))
        let term = form.dialect.indexTerm(sql, isColumn: true, ascending: ascending)
        return IndexPart(term: term, sql: sql, type: place.element(path)?.attributeType)
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
    /// The type of the attribute that it is the column of.
    fileprivate var attributeType: AttributeType? {
        if case .attribute(_, let type) = self { type } else { nil }
    }

    /// The column that holds the value, where it is one.
    var singleColumn: String? {
        switch self {
        case .attribute(let column, _): column
        case .toOne(let column, _, _, _): column
        case .toMany, .join, .composite: nil
        }
    }
}
