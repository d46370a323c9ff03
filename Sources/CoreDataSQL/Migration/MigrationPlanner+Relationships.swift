// The sources of the links of the newer version's relationships.

import CoreDataSchema

extension MigrationPlanner {
    typealias Link = (key: ColumnValue, entity: ColumnValue, order: ColumnValue)

    /// The older form of a relationship of a newer entity: its own, or what its inverse had.
    func form(_ name: String, of move: EntityMove) -> LinkForm? {
        if let own = ownForm(name, of: move) { return own }
        guard let traits = new.index.entity(move.destination)?.propertiesByName[name]?.relationship,
            let inverse = traits.inverseName, var form = anyForm(inverse, below: traits.destinationEntityName)
        else { return nil }
        form.isFlipped = true
        swap(&form.owner, &form.destination)
        return form
    }

    /// The older form of a relationship of a newer entity, as the entity had it or, where it was moved up, one below.
    func anyForm(_ name: String, below entity: String) -> LinkForm? {
        let own = moves.filter { $0.destination == entity }
        let others = moves.filter {
            $0.destination != entity && new.index.entity($0.destination, isKindOf: entity)
        }
        return (own + others).lazy.compactMap { ownForm(name, of: $0) }.first
    }

    private func ownForm(_ name: String, of move: EntityMove) -> LinkForm? {
        guard let pair = difference.pair(destination: move.destination)?.property(destination: name),
            pair.kind == .relationship, let place = oldLayout[move.source],
            let column = place.columns[pair.source], let entity = old.index.entity(move.source),
            let destination = entity.propertiesByName[pair.source]?.relationship?.destinationEntityName
        else { return nil }
        return LinkForm(
            column: column, table: place.table, owner: entity.declaringEntity[pair.source] ?? move.source,
            destination: destination)
    }

    // MARK: Foreign keys

    /// Returns the contents of a to-one relationship's columns.
    func toOne(_ name: String, of move: EntityMove) -> Link {
        guard let form = form(name, of: move) else { return (.null, .null, .null) }
        switch (form.column, form.isFlipped) {
        case (.toOne(let column, let entityColumn, let orderColumn, _), false):
            return (
                .column(column), entityColumn.map { renumbered($0, destination: form.destination) } ?? .null,
                orderColumn.map { .column($0) } ?? .null
            )
        case (.toOne(let column, _, _, _), true):
            return (
                .lookup(selected: head.key, table: form.table, key: column, order: [head.key]), .null, .null
            )
        case (.toMany(let table, let column, _, let orderColumn, _), false):
            let order = [orderColumn, head.key].compactMap(\.self)
            return (.lookup(selected: head.key, table: table, key: column, order: order), .null, .null)
        case (.toMany(let table, let column, _, let orderColumn, _), true):
            if table != move.sourceTable { return (.null, .null, .null) }
            return (.column(column), .null, orderColumn.map { .column($0) } ?? .null)
        case (.join(let join), let isFlipped):
            let (key, selected) =
                isFlipped
                ? (join.destinationColumn, join.sourceColumn) : (join.sourceColumn, join.destinationColumn)
            let order = [isFlipped ? join.inverseOrderColumn : join.orderColumn, selected]
                .compactMap(\.self)
            // The row's place among the members of the one that it keeps.
            let place = isFlipped ? join.orderColumn : join.inverseOrderColumn
            return (
                .lookup(selected: selected, table: join.table, key: key, order: order), .null,
                place.map { .lookup(selected: $0, table: join.table, key: key, order: order) } ?? .null
            )
        case (.attribute, _), (.composite, _): return (.null, .null, .null)
        }
    }

    private func renumbered(_ column: String, destination: String) -> ColumnValue {
        let subtree = Set(old.index.subtree(of: destination))
        let numbers = Dictionary(
            moves.filter { subtree.contains($0.source) && $0.sourceNumber != $0.destinationNumber }
                .map { ($0.sourceNumber, $0.destinationNumber) }, uniquingKeysWith: { first, _ in first })
        return numbers.isEmpty ? .column(column) : .renumbered(column, numbers)
    }

    /// Returns the contents of the column of a to-many relationship without inverse in
    /// a row of its destination.
    func oneWay(_ address: PropertyAddress, at row: EntityMove) -> Link {
        guard let form = anyForm(address.property, below: address.entity) else {
            return (.null, .null, .null)
        }
        switch form.column {
        case .toMany(let table, let column, _, let orderColumn, _):
            if table != row.sourceTable { return (.null, .null, .null) }
            return (.column(column), .null, orderColumn.map { .column($0) } ?? .null)
        case .join(let join):
            func first(_ column: String) -> ColumnValue {
                .lookup(
                    selected: column, table: join.table, key: join.destinationColumn,
                    order: [join.sourceColumn])
            }
            return (first(join.sourceColumn), .null, join.orderColumn.map(first) ?? .null)
        case .toOne(let column, _, _, _):
            return (
                .lookup(selected: head.key, table: form.table, key: column, order: [head.key]), .null, .null
            )
        case .attribute, .composite: return (.null, .null, .null)
        }
    }

    // MARK: Join tables

    func joinMoves() -> [JoinMove] {
        var claimed: Set<String> = []
        return new.joins.compactMap { shape in
            guard case .join(let columns)? = new.slots[shape.owner] else { return nil }
            let forms = forms(of: shape)
            var join = JoinMove(shape: shape, columns: columns, forms: forms)
            if forms.count == 1, case .join(let former) = forms[0].column, !claimed.contains(former.table),
                canTakeOver(former, isFlipped: forms[0].isFlipped, columns: columns)
            {
                join.takenOver = former.table
                claimed.insert(former.table)
            }
            return join
        }
    }

    private func forms(of shape: JoinShape) -> [LinkForm] {
        var found: [LinkForm] = []
        for move in moves where new.index.entity(move.destination, isKindOf: shape.owner.entity) {
            if let form = form(shape.owner.property, of: move), !found.contains(form) { found.append(form) }
        }
        return found
    }

    /// Returns whether the older table differs by its names only.
    private func canTakeOver(_ former: JoinColumns, isFlipped: Bool, columns: JoinColumns) -> Bool {
        let source = isFlipped ? former.destinationColumn : former.sourceColumn
        let orders =
            isFlipped
            ? [former.inverseOrderColumn, former.orderColumn]
            : [
                former.orderColumn, former.inverseOrderColumn,
            ]
        let first = catalog.tables[former.table]?.first { $0.primaryKeyIndex == 1 }
        return first?.name.uppercased() == source.uppercased()
            && (orders[0] == nil) == (columns.orderColumn == nil)
            && (orders[1] == nil) == (columns.inverseOrderColumn == nil)
    }

    /// Fills a join table from an older form of its links.
    func filling(_ join: JoinMove, form: LinkForm) -> SQLStatement? {
        let names = names
        func name(_ column: String, _ table: String) -> SQLFragment {
            SQLFragment(name: names.column(column, of: table))
        }
        let key = SQLFragment(name: head.key)
        var sides: Sides
        let table: String
        switch form.column {
        case .join(let former):
            table = former.table
            sides = (
                name(former.sourceColumn, table), name(former.destinationColumn, table),
                former.orderColumn.map { name($0, table) }, former.inverseOrderColumn.map { name($0, table) }
            )
        case .toMany(let place, let column, _, let order, _):
            table = place
            sides = (name(column, table), key, order.map { name($0, place) }, nil)
        case .toOne(let column, _, let order, _):
            table = form.table
            sides = (key, name(column, table), nil, order.map { name($0, form.table) })
        case .attribute, .composite: return nil
        }
        if form.isFlipped { sides = (sides.other, sides.owner, sides.inverseOrder, sides.order) }
        return filling(join, from: names.table(table), sides: sides)
    }

    /// A link's two keys in an older table, with the order keys on both sides.
    private typealias Sides = (
        owner: SQLFragment, other: SQLFragment, order: SQLFragment?, inverseOrder: SQLFragment?
    )

    private func filling(_ join: JoinMove, from table: String, sides: Sides) -> SQLStatement {
        var columns = [join.columns.sourceColumn, join.columns.destinationColumn]
        var values = [sides.owner, sides.other]
        if let column = join.columns.orderColumn {
            columns.append(column)
            values.append(sides.order ?? position(of: sides.other, in: sides.owner))
        }
        if let column = join.columns.inverseOrderColumn {
            columns.append(column)
            values.append(sides.inverseOrder ?? position(of: sides.owner, in: sides.other))
        }
        return statement(
            dialect.insertIfAbsent(
                """
                \(name: join.shape.table) (\(names: columns)) SELECT \(values.joined(separator: ", ")) \
                FROM \(name: table) WHERE \(sides.owner) IS NOT NULL AND \(sides.other) IS NOT NULL
                """))
    }
}

/// An order key that follows from a row's place among those of its owner.
func position(of member: SQLFragment, in owner: SQLFragment) -> SQLFragment {
    """
    \(number: OrderKeys.first - OrderKeys.step) + \(number: OrderKeys.step) * row_number() OVER \
    (PARTITION BY \(owner) ORDER BY \(member))
    """
}
