// Finds the join table of a pair of relationships, and which of its columns is which.

/// One pair, by the names that the rules give it.
struct JoinSearch {
    let shape: JoinShape
    /// The owner's view under the expected names.
    let expected: JoinColumns
    let numbering: EntityNumbering
    let names: CatalogNames

    /// The owner's view under the names in the store.
    func join() throws -> JoinColumns {
        for table in named {
            if let found = try join(in: table, needsBothSides: false) { return found }
        }
        for table in renumbered {
            if let found = try join(in: table, needsBothSides: true) { return found }
        }
        throw failure("the store has no join table \(expected.table) that fits the relationship")
    }

    /// The expected name and the one after the inverse.
    private var named: [String] {
        let inverse = numbering.numbers[shape.inverse.entity] ?? 0
        let other = "Z_\(inverse)\(shape.inverse.property.uppercased())"
        let found = [expected.table, other].compactMap(names.table)
        return found.count == 2 && found[0] == found[1] ? [found[0]] : found
    }

    /// Tables that kept an entity's former number.
    private var renumbered: [String] {
        let rests = [shape.owner.property, shape.inverse.property].map { $0.uppercased() }
        return names.tableNames.filter { name in
            guard let parts = NumberedName(name), parts.prefix == "Z_" else { return false }
            return rests.contains(parts.rest) && !named.contains(name)
        }
    }

    private func join(in table: String, needsBothSides: Bool) throws -> JoinColumns? {
        let all = names.columns(of: table)
        let keys = all.filter { !$0.uppercased().hasPrefix("Z_FOK_") }
        guard keys.count == 2, let (source, destination) = assign(keys, needsBothSides: needsBothSides)
        else { return nil }
        let orders = all.filter { $0.uppercased().hasPrefix("Z_FOK_") }
        return JoinColumns(
            table: table, sourceColumn: source, destinationColumn: destination,
            orderColumn: try order(
                destination, orders: orders, wanted: expected.orderColumn, of: shape.owner, table: table),
            inverseOrderColumn: try order(
                source, orders: orders, wanted: expected.inverseOrderColumn, of: shape.inverse, table: table),
            destination: expected.destination)
    }

    /// Decides which column is the source's and which the destination's. Exact names count more than names
    /// with a number appended; one side that is recognised settles the other.
    private func assign(
        _ keys: [String], needsBothSides: Bool
    ) -> (source: String, destination: String)? {
        let straight = score(keys[0], destination: keys[1], needsBothSides: needsBothSides)
        let crossed = score(keys[1], destination: keys[0], needsBothSides: needsBothSides)
        if straight == crossed { return nil }
        return straight > crossed ? (keys[0], keys[1]) : (keys[1], keys[0])
    }

    private func score(_ source: String, destination: String, needsBothSides: Bool) -> Int {
        let sides = [
            likeness(source, wanted: expected.sourceColumn, side: shape.inverse),
            likeness(destination, wanted: expected.destinationColumn, side: shape.owner),
        ]
        return needsBothSides && sides.contains(0) ? 0 : sides[0] + sides[1]
    }

    private func likeness(_ column: String, wanted: String, side: PropertyAddress) -> Int {
        let column = column.uppercased()
        if column == wanted.uppercased() { return 8 }
        guard let found = NumberedName(column), let expected = NumberedName(wanted) else { return 0 }
        let base = side.property.uppercased()
        guard found.rest.hasPrefix(base), found.rest.dropFirst(base.count).allSatisfy(\.isNumber) else {
            return 0
        }
        return (found.number == expected.number ? 3 : 1) + (found.rest == base ? 2 : 1)
    }

    private func order(
        _ key: String, orders: [String], wanted: String?, of side: PropertyAddress, table: String
    ) throws -> String? {
        guard let wanted else { return nil }
        let names = [wanted.uppercased(), "Z_FOK_" + key.uppercased().dropFirst(2)]
        if let found = orders.first(where: { names.contains($0.uppercased()) }) { return found }
        let base = side.property.uppercased()
        let similar = orders.filter { NumberedName($0)?.rest.hasPrefix(base) ?? false }
        guard similar.count == 1 else {
            throw LayoutFailure(
                entity: side.entity, property: side.property,
                "the store's join table \(table) has no column \(wanted) that keeps the order")
        }
        return similar[0]
    }

    private func failure(_ reason: String) -> LayoutFailure {
        LayoutFailure(entity: shape.owner.entity, property: shape.owner.property, reason)
    }
}
