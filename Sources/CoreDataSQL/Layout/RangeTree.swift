// R-tree fetch indexes: a virtual table beside the entity's own, and the triggers that keep it.

import CoreDataPredicate
import CoreDataSchema

/// An R-tree over numbers of an entity's rows.
///
/// Its coordinates are 32-bit, so that a range of it holds all rows of the range and some beside; what isn't known of
/// a row (nil in one of several columns) counts as everything.
package struct RangeTree: Sendable, Hashable {
    /// The name of the virtual table.
    package var name: String
    /// The entity whose rows it has, and those of the entities below.
    package var entity: String
    /// The table of the rows.
    package var table: String
    package var columns: [String]
    /// Z_ENT of the rows; `nil` if all of the table are in the tree.
    var numbers: String?
    /// The rows that a partial index has, as the model says it and as SQL.
    var predicate: PredicateTree?
    var condition: String?

    /// SQLite's limit.
    static let maximumColumns = 5

    /// The columns of the virtual table.
    package var places: [String] { ["Z_PK"] + columns.flatMap { [$0 + "_MIN", $0 + "_MAX"] } }

    /// `CREATE VIRTUAL TABLE`, as Apple's framework has it.
    package var definition: String {
        let columns = places.dropFirst().map(sqlName).joined(separator: ", ")
        return "CREATE VIRTUAL TABLE \(sqlName(name)) USING RTREE (Z_PK INTEGER PRIMARY KEY, \(columns))"
    }

    /// Puts the rows in that are there already.
    package var filling: String { filling(nil) }

    /// The names of the triggers with their statements. A temporary one belongs to its connection.
    package func triggers(areTemporary: Bool = false) -> [(name: String, text: String)] {
        let create = areTemporary ? "CREATE TEMP TRIGGER " : "CREATE TRIGGER "
        let guardText = numbers.map { " WHEN (NEW.Z_ENT IN (\($0)))" } ?? ""
        let updated = condition == nil ? " OF " + columns.map(sqlName).joined(separator: ", ") : ""
        func trigger(_ suffix: String, _ occasion: String, _ body: String) -> (name: String, text: String) {
            let name = "\(name)_\(suffix)"
            let text = """
                \(create)\(sqlName(name)) AFTER \(occasion) ON \(sqlName(table)) FOR EACH ROW\
                \(suffix == "DELETE" ? "" : guardText) BEGIN \(body); END
                """
            return (name, text)
        }
        let replacing = removal("NEW") + "; " + filling("NEW")
        return [
            trigger("INSERT", "INSERT", replacing),
            trigger("UPDATE", "UPDATE\(updated)", replacing),
            trigger("DELETE", "DELETE", removal("OLD")),
        ]
    }

    private func removal(_ row: String) -> String {
        "DELETE FROM \(sqlName(name)) WHERE Z_PK = \(row).Z_PK"
    }

    private func filling(_ row: String?) -> String {
        let known = columns.map { "\(sqlName($0)) IS NOT NULL" }.joined(separator: " OR ")
        var conditions = row.map { ["Z_PK = \($0).Z_PK"] } ?? []
        conditions.append(columns.count == 1 ? known : "(\(known))")
        if let numbers { conditions.append("Z_ENT IN (\(numbers))") }
        if let condition { conditions.append("(\(condition))") }
        let names = places.map(sqlName).joined(separator: ", ")
        let values = columns.flatMap { [Self.lower(sqlName($0)), Self.upper(sqlName($0))] }
        return """
            INSERT INTO \(sqlName(name)) (\(names)) SELECT Z_PK, \(values.joined(separator: ", ")) \
            FROM \(sqlName(table)) WHERE \(conditions.joined(separator: " AND "))
            """
    }

    // SQLite rounds coordinates outwards, but fails at both ends of what 32 bits hold: there they are given room.

    private static func lower(_ column: String) -> String {
        """
        CASE WHEN \(column) BETWEEN -1e-36 AND 1e-36 THEN -1e-36 \
        WHEN typeof(\(column)) IN ('integer', 'real') THEN min(\(column), 3e38) ELSE -9e999 END
        """
    }

    private static func upper(_ column: String) -> String {
        """
        CASE WHEN \(column) BETWEEN -1e-36 AND 1e-36 THEN 1e-36 \
        WHEN typeof(\(column)) IN ('integer', 'real') THEN max(\(column), -3e38) ELSE 9e999 END
        """
    }
}

extension FetchIndexSchema {
    /// Indicates whether any element asks for an R-tree.
    var isRangeTree: Bool { elements.contains { $0.collation == .rTree } }
}

extension StoreBlueprint {
    /// The R-trees of a new store. Throws for one that can't be made.
    package func rangeTrees() throws -> [RangeTree] {
        let layout = layout()
        return try modelledTrees.map { try tree($0.index, of: $0.entity, layout: layout) }
    }

    /// Those of a store that is there, which may have others that we couldn't make.
    package func knownRangeTrees() -> [RangeTree] {
        let layout = layout()
        return modelledTrees.compactMap { try? tree($0.index, of: $0.entity, layout: layout) }
    }

    /// The names of the model's R-trees, of those too that can't be made.
    package var rangeTreeNames: [String] { modelledTrees.map { "Z_\($0.entity)_\($0.index.name)" } }

    private var modelledTrees: [(entity: String, index: FetchIndexSchema)] {
        tables.flatMap { numbering.subtree(of: $0.rootName, in: index) }.flatMap { entity in
            (index.entity(entity)?.schema.indexes ?? []).filter(\.isRangeTree).map { (entity, $0) }
        }
    }

    private func tree(
        _ schema: FetchIndexSchema, of entity: String, layout: StoreLayout
    ) throws -> RangeTree {
        let use = "R-tree index \"\(schema.name)\""
        func failure(_ reason: String, property: String? = nil) -> LayoutFailure {
            LayoutFailure(entity: entity, property: property, "unsupported feature: \(use) \(reason)")
        }
        guard let place = layout[entity] else { throw failure("is of an entity that isn't in the store") }
        guard schema.elements.allSatisfy({ $0.collation == .rTree }) else {
            throw failure("has elements of another kind as well")
        }
        guard schema.elements.count <= RangeTree.maximumColumns else {
            throw failure("has more than \(RangeTree.maximumColumns) elements")
        }
        let columns = try schema.elements.map { element in
            guard let path = element.path else { throw failure("has an expression") }
            guard let column = place.rangeColumn(path) else {
                throw failure("is over what is no number and no date", property: path)
            }
            return column
        }
        guard Set(columns).count == columns.count else { throw failure("names an attribute twice") }
        var tree = RangeTree(
            name: "Z_\(entity)_\(schema.name)", entity: entity, table: place.table, columns: columns)
        if place.entityName != place.rootName {
            tree.numbers = place.subtreeNumbers.map(String.init).joined(separator: ", ")
        }
        tree.predicate = schema.partialPredicate
        tree.condition = try schema.partialPredicate.map {
            try IndexTranslation(index, layout: layout).condition($0, entity: entity, use: use)
        }
        return tree
    }
}

extension EntityTable {
    /// The column of an attribute, or of a composite's element, whose values have a place on a line.
    func rangeColumn(_ path: String) -> String? {
        guard case .attribute(let column, let type)? = element(path) else { return nil }
        switch type {
        case .integer16, .integer32, .integer64, .decimal, .double, .float, .date, .boolean: return column
        default: return nil
        }
    }
}
