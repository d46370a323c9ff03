// Finds a model's properties in a store that exists. Entity numbers come from Z_PRIMARYKEY, and the names of
// join tables and their columns from the tables themselves, because Apple's choice can't always be computed.

package import CoreDataSchema

/// The layout of an existing store, of any framework version.
package struct LayoutReader {
    private let catalog: StoreCatalog
    private let index: ModelIndex
    private let expected: StoreBlueprint
    private let tables: CatalogNames

    /// Fails where an entity or a property of the model has no place in the store.
    package static func layout(
        for index: ModelIndex, catalog: StoreCatalog, entities: Set<String>? = nil
    ) throws -> StoreLayout {
        try blueprint(for: index, catalog: catalog, entities: entities).layout()
    }

    /// The layout with the names that DDL on the store needs.
    package static func blueprint(
        for index: ModelIndex, catalog: StoreCatalog, entities: Set<String>? = nil
    ) throws -> StoreBlueprint {
        let numbering = try EntityNumbering(index, entities: entities, catalog: catalog)
        let expected = try LayoutBuilder.blueprint(for: index, numbering: numbering, joinOwners: [])
        let reader = LayoutReader(
            catalog: catalog, index: index, expected: expected, tables: CatalogNames(catalog))
        return try reader.found()
    }

    /// The places found in the store, or those expected where the store lacks any.
    static func blueprintIfComplete(_ expected: StoreBlueprint, catalog: StoreCatalog) -> StoreBlueprint {
        let reader = LayoutReader(
            catalog: catalog, index: expected.index, expected: expected, tables: CatalogNames(catalog))
        return (try? reader.found()) ?? expected
    }

    private func found() throws -> StoreBlueprint {
        var result = expected
        for position in result.tables.indices {
            result.tables[position].name = try tableName(of: result.tables[position])
        }
        let names = Dictionary(uniqueKeysWithValues: result.tables.map { ($0.rootName, $0.name) })
        for (address, slot) in expected.slots {
            result.slots[address] = try locate(slot, at: address, names: names)
        }
        for position in result.joins.indices {
            try locate(join: position, in: &result)
        }
        return result
    }

    private func tableName(of shape: TableShape) throws -> String {
        let formerName = index.entity(shape.rootName)?.schema.renamingIdentifier
        let candidates = [shape.name] + (formerName.map { ["Z" + $0.uppercased()] } ?? [])
        for candidate in candidates {
            guard let name = tables.table(candidate) else { continue }
            for column in ["Z_PK", "Z_ENT", "Z_OPT"] where tables.column(column, of: name) == nil {
                throw LayoutFailure(
                    entity: shape.rootName, "the store's table \(name) has no column \(column)")
            }
            return name
        }
        throw LayoutFailure(entity: shape.rootName, "the store has no table \(shape.name)")
    }

    // MARK: Columns of entity tables

    private func locate(
        _ slot: PropertyColumn, at address: PropertyAddress, names: [String: String]
    ) throws -> PropertyColumn {
        let root = index.entity(address.entity)?.rootName ?? address.entity
        let search = ColumnSearch(address: address, table: names[root] ?? "", names: tables)
        switch slot {
        case .attribute(let column, let type):
            return .attribute(column: try search.column(column), type)
        case .composite(let elements):
            let columns = ElementColumns(expected, root: root)
            var found: [String: PropertyColumn] = [:]
            for (path, element) in elements {
                guard case .attribute(let column, let type) = element else { continue }
                found[path] = try .attribute(column: columns.column(column, of: path, in: search), type)
            }
            return .composite(found)
        case .toOne(let column, let entityColumn, let orderColumn, let destination):
            return .toOne(
                column: try search.column(column),
                entityColumn: try entityColumn.map { try search.numberedColumn($0) },
                orderColumn: try orderColumn.map { try search.column($0) }, destination: destination)
        case .toMany(_, let column, let entityColumn, let orderColumn, let destination):
            let destinationRoot = index.entity(destination)?.rootName ?? destination
            let search = ColumnSearch(address: address, table: names[destinationRoot] ?? "", names: tables)
            return .toMany(
                table: search.table, column: try search.numberedColumn(column), entityColumn: entityColumn,
                orderColumn: try orderColumn.map { try search.column($0) }, destination: destination)
        case .join:
            return slot
        }
    }

    // MARK: Join tables

    private func locate(join position: Int, in result: inout StoreBlueprint) throws {
        let shape = result.joins[position]
        guard case .join(let owned)? = expected.slots[shape.owner] else { return }
        let search = JoinSearch(shape: shape, expected: owned, numbering: expected.numbering, names: tables)
        let found = try search.join()
        result.slots[shape.owner] = .join(found)
        result.joins[position] = asInFile(shape, found: found)
        guard shape.inverse != shape.owner, case .join(let other)? = expected.slots[shape.inverse] else {
            return
        }
        result.slots[shape.inverse] = .join(
            JoinColumns(
                table: found.table, sourceColumn: found.destinationColumn,
                destinationColumn: found.sourceColumn, orderColumn: found.inverseOrderColumn,
                inverseOrderColumn: found.orderColumn, destination: other.destination))
    }

    /// The table as the store has it, which need not be named after the side that would name it in a new one.
    private func asInFile(_ shape: JoinShape, found: JoinColumns) -> JoinShape {
        var shape = shape
        let columns = tables.columns(of: found.table)
        shape.table = found.table
        shape.keyColumns = columns.filter { [found.sourceColumn, found.destinationColumn].contains($0) }
        shape.orderColumns = columns.filter { [found.orderColumn, found.inverseOrderColumn].contains($0) }
        let rest = NumberedName(found.table)?.rest
        if rest == shape.inverse.property.uppercased(), rest != shape.owner.property.uppercased() {
            swap(&shape.owner, &shape.inverse)
        }
        return shape
    }
}
