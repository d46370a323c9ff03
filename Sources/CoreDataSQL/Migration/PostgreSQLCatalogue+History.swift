// A history on a server, whose changes name properties: names of the older version become those of the newer one.

import CoreDataSchema

/// The fate of the names in an entity's changes.
struct HistoryRenaming {
    /// The entity's number, which stays.
    var entity: Int
    /// `nil` for an entity that is gone.
    var properties: Properties?

    struct Properties {
        /// Newer names by older ones.
        var renamed: [String: String]
        var removed: [String]
    }
}

extension MigrationPlanner {
    func historyRenamings() -> [HistoryRenaming] {
        let gone = oldLayout.tables.values.filter { place in !moves.contains { $0.source == place.entityName }
        }
        return gone.map { HistoryRenaming(entity: $0.number) }.sorted { $0.entity < $1.entity }
            + moves.compactMap { move in
                guard let pair = difference.pair(destination: move.destination) else { return nil }
                let elements = elementRenamings(of: move)
                let renamed =
                    pair.properties.filter { $0.source != $0.destination }.map { ($0.source, $0.destination) }
                    + elements.renamed
                let removed = pair.removed + elements.removed
                if renamed.isEmpty && removed.isEmpty { return nil }
                return HistoryRenaming(
                    entity: move.sourceNumber,
                    properties: HistoryRenaming.Properties(
                        renamed: Dictionary(renamed, uniquingKeysWith: { first, _ in first }),
                        removed: removed))
            }
    }

    /// The fate of the elements of composite attributes whose values outlive deleted rows: they are named by their key paths.
    private func elementRenamings(of move: EntityMove) -> (renamed: [(String, String)], removed: [String]) {
        let before = preserved(old.index, entity: move.source).filter { $0.path != nil }
        let after = preserved(new.index, entity: move.destination)
        var removed = Set(before.map(\.name))
        var renamed: [(String, String)] = []
        for value in after {
            guard let place = former(value, in: before, move: move) else { continue }
            let name = before[place].name
            removed.remove(name)
            if name != value.name { renamed.append((name, value.name)) }
        }
        return (renamed, removed.sorted())
    }
}

extension PostgreSQLCatalogue {
    func historyMoves(_ renamings: [HistoryRenaming]) -> [SQLStatement] {
        let changes: SQLFragment = "\(name: schema).history_change"
        return renamings.flatMap { renaming -> [SQLFragment] in
            let own: SQLFragment = "WHERE entity = \(number: renaming.entity)"
            guard let properties = renaming.properties else { return ["DELETE FROM \(changes) \(own)"] }
            let stays = properties.stays(in: "n")
            return [
                """
                UPDATE \(changes) SET columns = (SELECT COALESCE(jsonb_agg(\(properties.newer("n"))), '[]') \
                FROM jsonb_array_elements_text(columns) AS n\(stays)) \(own) AND columns IS NOT NULL
                """,
                """
                UPDATE \(changes) SET tombstones = (SELECT COALESCE(jsonb_object_agg(\(properties.newer("n")), v), '{}') \
                FROM jsonb_each(tombstones) AS t(n, v)\(stays)) \(own) AND tombstones IS NOT NULL
                """,
            ]
        }.map(statement)
    }
}

extension HistoryRenaming.Properties {
    private func text(_ name: String) -> SQLFragment { SQLFragment(binding: .text(name), as: .named("text")) }

    fileprivate func newer(_ name: SQLFragment) -> SQLFragment {
        if renamed.isEmpty { return name }
        let cases = renamed.sorted { $0.key < $1.key }.map {
            "WHEN \(text($0)) THEN \(text($1))" as SQLFragment
        }
        return "CASE \(name) \(cases.joined(separator: " ")) ELSE \(name) END"
    }

    fileprivate func stays(in name: SQLFragment) -> SQLFragment {
        if removed.isEmpty { return "" }
        return " WHERE \(name) NOT IN (\(removed.map(text).joined(separator: ", ")))"
    }
}
