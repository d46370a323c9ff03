// The facts about links that are known only when all rows are in their places. Names are
// those of the newer version.

import CoreDataSchema

extension MigrationPlanner {
    func completions() throws -> [SQLStatement] {
        var statements: [SQLStatement] = []
        let addresses = new.slots.keys.sorted { ($0.entity, $0.property) < ($1.entity, $1.property) }
        for address in addresses {
            guard let slot = new.slots[address], let place = newLayout[address.entity] else { continue }
            let links = links(of: address, slot)
            if links.isEmpty { continue }
            switch slot {
            case .toOne(let column, let entityColumn, let orderColumn, let destination):
                let key = ForeignKey(
                    table: place.table, column: column, entityColumn: entityColumn, orderColumn: orderColumn)
                statements += completions(
                    key, to: destination, links: links, hasMisfits: misfits(links, to: destination))
            case .toMany(let table, let column, _, let orderColumn, _):
                let key = ForeignKey(table: table, column: column, orderColumn: orderColumn)
                statements += completions(
                    key, to: address.entity, links: links, hasMisfits: ownerMisfits(links, in: address.entity)
                )
            case .attribute, .composite, .join: break
            }
        }
        for address in addresses { statements += pairing(address) }
        for join in joins { statements += completions(join) }
        return statements
    }

    /// Makes both sides of a one-to-one relationship that wasn't one before say the same. The side that had to choose
    /// one of several decides; of rows that chose the same the first keeps it.
    private func pairing(_ address: PropertyAddress) -> [SQLStatement] {
        guard case .toOne(let column, let entityColumn, _, let destination)? = new.slots[address],
            let place = newLayout[address.entity], hasChosen(address),
            let traits = new.index.entity(address.entity)?.propertiesByName[address.property]?.relationship,
            let inverse = traits.inverseName, let other = new.index.entity(destination),
            let declaring = other.declaringEntity[inverse], let target = newLayout[declaring],
            case .toOne(let back, let backEntity, _, _)? = new.slots[
                PropertyAddress(declaring, property: inverse)],
            PropertyAddress(declaring, property: inverse) != address
        else { return [] }
        let counterpart = PropertyAddress(declaring, property: inverse)
        if hasChosen(counterpart),
            (counterpart.entity, counterpart.property) < (address.entity, address.property)
        {
            return []
        }
        let (table, key) = (SQLFragment(name: place.table), SQLFragment(name: column))
        let (otherTable, rowKey) = (SQLFragment(name: target.table), SQLFragment(name: head.key))
        let entity = backEntity.map { ", \(name: $0) = o.e" as SQLFragment } ?? ""
        return [
            """
            UPDATE \(table) SET \(cleared([column, entityColumn])) WHERE \(key) IS NOT NULL AND \(rowKey) NOT IN \
            (SELECT MIN(\(rowKey)) FROM \(table) WHERE \(key) IS NOT NULL GROUP BY \(key))
            """,
            "UPDATE \(otherTable) SET \(cleared([back, backEntity])) WHERE \(name: back) IS NOT NULL",
            """
            UPDATE \(otherTable) SET \(name: back) = o.p\(entity) FROM (SELECT \(rowKey) AS p, \
            \(name: head.entity) AS e, \(key) AS k FROM \(table) WHERE \(key) IS NOT NULL) AS o \
            WHERE o.k = \(otherTable).\(rowKey)
            """,
        ].map(statement)
    }

    func cleared(_ columns: [String?]) -> SQLFragment {
        columns.compactMap(\.self).map { "\(name: $0) = NULL" as SQLFragment }.joined(separator: ", ")
    }

    /// Returns whether the values of a to-one relationship were chosen from several.
    func hasChosen(_ address: PropertyAddress) -> Bool {
        guard let slot = new.slots[address] else { return false }
        return links(of: address, slot).contains { $0.link.key.isElsewhere }
    }

    private struct ForeignKey {
        var table: String
        var column: String
        var entityColumn: String?
        var orderColumn: String?
    }

    struct FilledLink {
        var link: Link
        var form: LinkForm
    }

    /// Returns the sources of a foreign key's values, for each entity that has any.
    func links(of address: PropertyAddress, _ slot: PropertyColumn) -> [FilledLink] {
        moves.compactMap { move in
            switch slot {
            case .toOne where new.index.entity(move.destination, isKindOf: address.entity):
                guard let form = form(address.property, of: move) else { return nil }
                let link = toOne(address.property, of: move)
                return link.key == .null ? nil : FilledLink(link: link, form: form)
            case .toMany(_, _, _, _, let destination)
            where new.index.entity(move.destination, isKindOf: destination):
                let link = oneWay(address, at: move)
                guard link.key != .null, let form = anyForm(address.property, below: address.entity) else {
                    return nil
                }
                return FilledLink(link: link, form: form)
            default: return nil
            }
        }
    }

    /// Returns whether a link may lead to a row that is gone, or that the relationship can't lead to.
    private func misfits(_ links: [FilledLink], to destination: String) -> Bool {
        links.contains { misfits($0.form.destination, entity: destination) }
    }

    private func ownerMisfits(_ links: [FilledLink], in owner: String) -> Bool {
        links.contains { misfits($0.form.owner, entity: owner) }
    }

    private func misfits(_ former: String, entity: String) -> Bool {
        !misplaced(former, entity: entity).isEmpty
    }

    /// Returns the older entities below one whose rows are gone, or of no kind of a newer entity.
    func misplaced(_ former: String, entity: String) -> [String] {
        old.index.subtree(of: former).filter(old.numbering.contains).filter { name in
            guard let move = moves.first(where: { $0.source == name }) else { return true }
            return !new.index.entity(move.destination, isKindOf: entity)
        }
    }

    private func completions(
        _ key: ForeignKey, to destination: String, links: [FilledLink], hasMisfits: Bool
    ) -> [SQLStatement] {
        guard let target = newLayout[destination] else { return [] }
        let table = SQLFragment(name: key.table)
        let column = SQLFragment(name: key.column)
        let rowKey = SQLFragment(name: head.key)
        var statements: [SQLFragment] = []
        if hasMisfits {
            statements.append(
                """
                UPDATE \(table) SET \(cleared([key.column, key.entityColumn, key.orderColumn])) \
                WHERE \(column) IS NOT NULL AND \(absence(target, column: "\(table).\(column)"))
                """)
        }
        if let entityColumn = key.entityColumn.map(SQLFragment.init(name:)),
            links.contains(where: { $0.link.entity == .null })
        {
            statements.append(
                """
                UPDATE \(table) SET \(entityColumn) = (SELECT d.\(name: head.entity) \
                FROM \(name: target.table) AS d WHERE d.\(rowKey) = \(table).\(column)) \
                WHERE \(column) IS NOT NULL AND \(entityColumn) IS NULL
                """)
        }
        if let order = key.orderColumn.map(SQLFragment.init(name:)),
            links.contains(where: { $0.link.order == .null })
        {
            statements.append(
                """
                UPDATE \(table) SET \(order) = n.k FROM (SELECT \(rowKey) AS p, \
                \(position(of: rowKey, in: column)) AS k FROM \(table) WHERE \(column) IS NOT NULL) AS n \
                WHERE n.p = \(table).\(rowKey) AND \(order) IS NULL
                """)
        }
        return statements.map(statement)
    }

    private func completions(_ join: JoinMove) -> [SQLStatement] {
        guard case .join(let columns)? = new.slots[join.shape.owner],
            let owner = newLayout[join.shape.owner.entity], let target = newLayout[columns.destination]
        else { return [] }
        let table = SQLFragment(name: join.shape.table)
        var statements: [SQLFragment] = []
        if join.forms.contains(where: { misfits($0.owner, entity: owner.entityName) }) {
            let column: SQLFragment = "\(table).\(name: columns.sourceColumn)"
            statements.append("DELETE FROM \(table) WHERE \(absence(owner, column: column))")
        }
        if join.forms.contains(where: { misfits($0.destination, entity: target.entityName) }) {
            let column: SQLFragment = "\(table).\(name: columns.destinationColumn)"
            statements.append("DELETE FROM \(table) WHERE \(absence(target, column: column))")
        }
        return statements.map(statement)
    }

    private func absence(_ target: EntityTable, column: SQLFragment) -> SQLFragment {
        """
        NOT EXISTS (SELECT 1 FROM \(name: target.table) AS d WHERE d.\(name: head.key) = \(column) \
        AND d.\(name: head.entity) IN (\(numbers: target.subtreeNumbers.sorted())))
        """
    }
}
