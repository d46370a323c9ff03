// Links that can't stay, where a relationship keeps one of several.

import CoreDataSchema

extension MigrationPlanner {
    /// Removes links from and to rows that the newer relationship can't have at that end, before it chooses: a row whose first
    /// member goes keeps the next one. Names are those of the older version.
    func severances() -> [SQLStatement] {
        var statements: [SQLFragment] = []
        for address in new.slots.keys.sorted(by: { ($0.entity, $0.property) < ($1.entity, $1.property) })
        where hasChosen(address) {
            guard let slot = new.slots[address], let destination = slot.relatedEntity else { continue }
            for form in links(of: address, slot).map(\.form) {
                var owner = End(entity: form.owner, gone: leaving(form.owner, from: address.entity))
                var other = End(entity: form.destination, gone: leaving(form.destination, from: destination))
                if owner.gone.isEmpty, other.gone.isEmpty { continue }
                // The columns are those of the relationship that has them.
                if form.isFlipped { swap(&owner, &other) }
                // Entities of one hierarchy have the same form.
                if let found = severance(form, owner: owner, other: other), !statements.contains(found) {
                    statements.append(found)
                }
            }
        }
        return statements.map(statement)
    }

    /// One end of an older relationship, with the numbers of the entities whose rows can't be there any more.
    private struct End {
        var entity: String
        var gone: [Int]
    }

    private func leaving(_ former: String, from entity: String) -> [Int] {
        misplaced(former, entity: entity).compactMap { oldLayout[$0]?.number }.sorted()
    }

    private func severance(_ form: LinkForm, owner: End, other: End) -> SQLFragment? {
        switch form.column {
        case .join(let join):
            let ends = [goes(join.sourceColumn, owner), goes(join.destinationColumn, other)].compactMap(
                \.self)
            return "DELETE FROM \(name: join.table) WHERE \(ends.joined(separator: " OR "))"
        case .toOne(let column, let entityColumn, let orderColumn, _):
            return emptied(
                form.table, key: column, others: [entityColumn, orderColumn], holder: owner, target: other)
        case .toMany(let table, let column, let entityColumn, let orderColumn, _):
            return emptied(
                table, key: column, others: [entityColumn, orderColumn], holder: other, target: owner)
        case .attribute, .composite: return nil
        }
    }

    /// Empties a foreign key, and the columns beside it, in rows that go and in those that lead to such.
    private func emptied(
        _ table: String, key: String, others: [String?], holder: End, target: End
    ) -> SQLFragment {
        let ends = [isGone(holder), goes(key, target)].compactMap(\.self)
        return """
            UPDATE \(name: table) SET \(cleared([key] + others)) \
            WHERE \(name: key) IS NOT NULL AND (\(ends.joined(separator: " OR ")))
            """
    }

    private func isGone(_ end: End) -> SQLFragment? {
        end.gone.isEmpty ? nil : "\(name: head.entity) IN (\(numbers: end.gone))"
    }

    private func goes(_ column: String, _ end: End) -> SQLFragment? {
        guard let condition = isGone(end), let table = oldLayout[end.entity]?.table else { return nil }
        return "\(name: column) IN (SELECT \(name: head.key) FROM \(name: table) WHERE \(condition))"
    }
}

extension PropertyColumn {
    /// The entity that a relationship with a foreign key leads to.
    fileprivate var relatedEntity: String? {
        switch self {
        case .toOne(_, _, _, let destination), .toMany(_, _, _, _, let destination): destination
        case .attribute, .composite, .join: nil
        }
    }
}
