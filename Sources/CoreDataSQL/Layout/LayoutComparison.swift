// The differences of a store's tables, columns and indexes from those that its model asks for.

package import CoreDataSchema

/// One difference, with its place.
package struct LayoutDifference: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable {
        case missingTable, extraTable, missingColumn, extraColumn, otherType, missingIndex, extraIndex
        /// The index of a uniqueness constraint.
        case missingUniqueIndex
        case missingEntity, otherSuperentity
    }

    package var kind: Kind
    package var table: String
    /// The column, index or entity.
    package var name: String?

    package init(kind: Kind, table: String, name: String? = nil) {
        self.kind = kind
        self.table = table
        self.name = name
    }

    /// Indicates that rows can't be read or written because of it, or that rows can be written which mustn't.
    /// The others only cost speed or space.
    package var isHarmful: Bool {
        switch kind {
        case .missingTable, .missingColumn, .missingEntity, .otherSuperentity, .missingUniqueIndex: true
        case .extraTable, .extraColumn, .otherType, .missingIndex, .extraIndex: false
        }
    }
}

/// Compares a store with its model.
package struct LayoutComparison {
    private let catalog: StoreCatalog
    private let names: CatalogNames
    private var differences: [LayoutDifference] = []
    private var known: Set<String> = ["Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"]

    /// All differences. Tables of persistent history and of SQLite itself don't count.
    package static func differences(
        of catalog: StoreCatalog, from index: ModelIndex, entities: Set<String>? = nil
    ) throws -> [LayoutDifference] {
        var comparison = LayoutComparison(catalog: catalog, names: CatalogNames(catalog))
        let numbering: EntityNumbering
        do {
            numbering = try EntityNumbering(index, entities: entities, catalog: catalog)
        } catch {
            comparison.compareEntities(EntityNumbering(index, entities: entities))
            return comparison.differences
        }
        let expected = try LayoutBuilder.blueprint(for: index, numbering: numbering, joinOwners: [])
        comparison.compareSuperentities(expected)
        for table in expected.tables { comparison.compare(table, index: index) }
        for join in expected.joins { comparison.compare(join, expected: expected) }
        let found = LayoutReader.blueprintIfComplete(expected, catalog: catalog)
        comparison.compareIndexes(try found.indexes())
        comparison.compareTrees(found)
        comparison.collectExtraTables()
        return comparison.differences
    }

    private mutating func note(_ kind: LayoutDifference.Kind, table: String, name: String? = nil) {
        differences.append(LayoutDifference(kind: kind, table: table, name: name))
    }

    // MARK: Entities and tables

    private mutating func compareEntities(_ numbering: EntityNumbering) {
        let stored = Set(catalog.entityNumbers.map(\.name))
        for name in numbering.names where !stored.contains(name) {
            note(.missingEntity, table: "Z_PRIMARYKEY", name: name)
        }
    }

    private mutating func compareSuperentities(_ expected: StoreBlueprint) {
        let stored = Dictionary(
            catalog.entityNumbers.map { ($0.number, $0.superNumber) }, uniquingKeysWith: { first, _ in first }
        )
        for (name, number) in expected.numbering.numbers.sorted(by: { $0.value < $1.value }) {
            let parent = expected.index.entity(name)?.schema.superentityName
            let wanted = parent.flatMap { expected.numbering.numbers[$0] } ?? 0
            if stored[number] != wanted { note(.otherSuperentity, table: "Z_PRIMARYKEY", name: name) }
        }
    }

    private mutating func compare(_ shape: TableShape, index: ModelIndex) {
        let former = index.entity(shape.rootName)?.schema.renamingIdentifier.map { "Z" + $0.uppercased() }
        guard let table = names.table(shape.name) ?? former.flatMap(names.table) else {
            note(.missingTable, table: shape.name)
            return
        }
        known.insert(table)
        let fixed = ["Z_PK", "Z_ENT", "Z_OPT"].map { ColumnShape(name: $0, type: "INTEGER") }
        compare(fixed + shape.columns, in: table)
    }

    private mutating func compare(_ columns: [ColumnShape], in table: String) {
        let stored = catalog.tables[table] ?? []
        for column in columns {
            guard let found = stored.first(where: { $0.name.uppercased() == column.name }) else {
                note(.missingColumn, table: table, name: column.name)
                continue
            }
            if found.type.uppercased() != column.type { note(.otherType, table: table, name: found.name) }
        }
        let wanted = Set(columns.map(\.name))
        for column in stored where !wanted.contains(column.name.uppercased()) {
            note(.extraColumn, table: table, name: column.name)
        }
    }

    private mutating func compare(_ shape: JoinShape, expected: StoreBlueprint) {
        guard case .join(let columns)? = expected.slots[shape.owner] else { return }
        let search = JoinSearch(
            shape: shape, expected: columns, numbering: expected.numbering, names: names)
        do {
            known.insert(try search.join().table)
        } catch {
            note(.missingTable, table: shape.table)
        }
    }

    private mutating func collectExtraTables() {
        let ignored = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"]
        for table in catalog.tables.keys.sorted() where !known.contains(table) {
            if !ignored.contains(table.uppercased()) && !table.hasPrefix("sqlite_") {
                note(.extraTable, table: table)
            }
        }
    }

    // MARK: Indexes

    private mutating func compareIndexes(_ expected: [IndexShape]) {
        let stored = catalog.indexes.filter { known.contains($0.table) }
        let storedContents = Set(stored.map { IndexContent($0.table, text: $0.text) })
        let wantedContents = Set(expected.map { IndexContent($0.table, text: $0.text) })
        for index in expected where !storedContents.contains(IndexContent(index.table, text: index.text)) {
            note(index.isUnique ? .missingUniqueIndex : .missingIndex, table: index.table, name: index.name)
        }
        for index in stored where !wantedContents.contains(IndexContent(index.table, text: index.text)) {
            note(.extraIndex, table: index.table, name: index.name)
        }
    }

    /// R-trees by their names; what SQLite keeps of one is in tables of its own.
    private mutating func compareTrees(_ expected: StoreBlueprint) {
        let tables = Dictionary(
            expected.knownRangeTrees().map { ($0.name, $0.table) }, uniquingKeysWith: { first, _ in first })
        for name in expected.rangeTreeNames {
            guard let tree = names.table(name) else {
                note(.missingIndex, table: tables[name] ?? name, name: name)
                continue
            }
            known.formUnion([tree] + ["_rowid", "_node", "_parent"].map { tree + $0 })
        }
    }
}

/// The contents of an index, whatever its name and spelling: older frameworks name indexes in another way.
private struct IndexContent: Hashable {
    let table: String
    let isUnique: Bool
    let content: String

    init(_ table: String, text: String) {
        self.table = table.uppercased()
        let text = text.uppercased().replacing("\"", with: "")
        isUnique = text.hasPrefix("CREATE UNIQUE")
        content = (text.firstIndex(of: "(").map { String(text[$0...]) } ?? text)
            .replacing(" COLLATE BINARY", with: "").replacing(" ASC", with: "").filter { !$0.isWhitespace }
    }
}
