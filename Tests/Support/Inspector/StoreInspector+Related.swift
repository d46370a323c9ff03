// To-many relationships: foreign keys in the destination's table, or rows of a join table.

/// The columns in which the two ends of a many-to-many relationship stand.
struct InspectedJoin {
    var table: String
    /// The column with the key of the object that has the relationship.
    var source: String
    /// The column with the key of the object at the other end.
    var target: String
    /// The place of the target among the source's.
    var order: String?
}

extension StoreInspector {
    /// The targets of each to-many relationship (`Entity.relation`) by source.
    func relatedObjects() throws -> [String: [Int64: [InspectedKey]]] {
        var result: [String: [Int64: [InspectedKey]]] = [:]
        for entity in entities {
            for relation in entity.relations where relation.isToMany {
                let pairs = try pairs(relation, of: entity.name)
                let isOrdered = relation.isOrdered
                result["\(entity.name).\(relation.name)"] = Dictionary(grouping: pairs, by: \.source)
                    .mapValues {
                        $0.sorted { isOrdered ? $0.order < $1.order : $0.target < $1.target }
                            .compactMap { object($0.target, inTreeOf: relation.destination) }
                    }
            }
        }
        return result
    }

    struct Pair {
        var source: Int64
        var target: Int64
        var order: Int64
    }

    func pairs(_ relation: InspectedRelation, of owner: String) throws -> [Pair] {
        guard let inverse = inverse(relation) else {
            // Without inverse: the destination's table has a column that carries the source's number.
            let base = "Z\(numbers[owner] ?? 0)\(relation.name.uppercased())"
            return foreignKeys(base, "Z_FOK_" + base.dropFirst(), in: relation.destination)
        }
        if inverse.relation.isToMany {
            guard let join = try join(relation, of: owner) else { return [] }
            return try database.rows(
                "SELECT \"\(join.source)\", \"\(join.target)\", \(join.order.map { "\"\($0)\"" } ?? "0")"
                    + " FROM \"\(join.table)\""
            ).compactMap { row in
                guard let source = row[0].integer, let target = row[1].integer else { return nil }
                return Pair(source: source, target: target, order: row[2].integer ?? 0)
            }
        }
        return foreignKeys(
            column(inverse.relation.name, of: inverse.owner),
            orderColumn(inverse.relation, of: inverse.owner) ?? "", in: relation.destination)
    }

    private func foreignKeys(_ column: String, _ order: String, in destination: String) -> [Pair] {
        (rows[root(of: destination)] ?? [:]).compactMap { key, row in
            guard let source = row[column]?.integer,
                entityName(of: row).map({ isKind($0, of: destination) }) == true
            else { return nil }
            return Pair(source: source, target: key, order: row[order]?.integer ?? 0)
        }
    }

    /// The table is named after the relationship or after its inverse. Its first key column is for the objects
    /// that have the relationship of that name, its second for their targets.
    func join(_ relation: InspectedRelation, of owner: String) throws -> InspectedJoin? {
        guard let inverse = inverse(relation) else { return nil }
        let own = "Z_\(numbers[owner] ?? 0)\(relation.name.uppercased())"
        let other = "Z_\(numbers[inverse.owner] ?? 0)\(inverse.relation.name.uppercased())"
        guard let table = [own, other].first(where: tables.contains) else { return nil }
        let all = try database.columns(of: table)
        let keys = all.filter { !$0.hasPrefix("Z_FOK_") }
        guard keys.count == 2 else { return nil }
        // A relationship that is its own inverse names the column of its targets.
        let isOwn = (table == own) != (keys[1] == "REFLEXIVE")
        var join = InspectedJoin(
            table: table, source: isOwn ? keys[0] : keys[1], target: isOwn ? keys[1] : keys[0], order: nil)
        // The column is named like the key column of the objects whose order it holds.
        join.order = relation.isOrdered ? all.first { $0 == "Z_FOK_" + join.target.dropFirst(2) } : nil
        return join
    }
}
