// The indexes that stay, under whatever name they have, and those that are made anew.

import CoreDataSchema

/// Names of indexes to drop, before rows change and after, and indexes to make.
struct IndexMoves {
    var early: [String] = []
    var late: [String] = []
    var created: [IndexShape] = []
    /// On a server, where programs find indexes by name.
    var renamed: [SQLFragment] = []
}

extension MigrationPlanner {
    func indexMoves() throws -> IndexMoves {
        let expected = try new.indexes()
        var wanted = expected
        var kept: [(index: StoreCatalog.Index, shape: IndexShape)] = []
        var moves = IndexMoves()
        for index in catalog.indexes {
            guard let table = presentTable(index.table) else { continue }
            let shape = counterpart(of: index, on: table, in: wanted)
            if let shape, !(index.isUnique && hasChanges(IndexColumns(index.text), table: table)) {
                kept.append((index, wanted.remove(at: shape)))
            } else {
                drop(index, moves: &moves)
            }
        }
        if let server {
            moves.early += (moves.early + moves.late).compactMap { server.lookups[$0] }
            moves.renamed = renamings(
                kept.map { (from: $0.index.name, to: $0.shape.name) }
                    + kept.compactMap { kept in
                        server.lookups[kept.index.name].map { (from: $0, to: kept.shape.lookupName) }
                    })
            moves.created = expected.filter(wanted.contains)
            return moves
        }
        // An index made anew may want the name of one that stays: then that one is made anew too.
        while let clash = kept.firstIndex(where: { entry in
            wanted.contains { $0.name.uppercased() == entry.index.name.uppercased() }
        }) {
            let (index, shape) = kept.remove(at: clash)
            drop(index, moves: &moves)
            wanted.append(shape)
        }
        moves.created = expected.filter(wanted.contains)
        return moves
    }

    /// The position of the newer index that an older one is.
    private func counterpart(
        of index: StoreCatalog.Index, on table: String, in wanted: [IndexShape]
    ) -> Int? {
        guard let former = IndexColumns(index.text) else {
            // One with a condition or an expression, whose text has the names of columns.
            return server == nil ? nil : wanted.firstIndex { $0.text == index.text && !isRenamed(table) }
        }
        let renamed = former.renamed { names.column($0, of: index.table) }
        return wanted.firstIndex { $0.table == table && IndexColumns($0.text) == renamed }
    }

    private func isRenamed(_ table: String) -> Bool {
        (columns[table] ?? []).contains { $0.kept != nil && $0.kept != $0.name }
    }

    /// By way of spare names, as names may be swapped.
    private func renamings(_ names: [(from: String, to: String)]) -> [SQLFragment] {
        let changed = names.filter { $0.from != $0.to }.enumerated().map { position, names in
            (from: names.from, spare: "Z_MIGRATION_INDEX_\(position)", to: names.to)
        }
        let away = changed.map { "ALTER INDEX \(name: $0.from) RENAME TO \(name: $0.spare)" as SQLFragment }
        let back = changed.map { "ALTER INDEX \(name: $0.spare) RENAME TO \(name: $0.to)" as SQLFragment }
        return away + back
    }

    private func drop(_ index: StoreCatalog.Index, moves: inout IndexMoves) {
        if index.isUnique { moves.early.append(index.name) } else { moves.late.append(index.name) }
    }

    /// The newer name of an older table that stays.
    func presentTable(_ old: String) -> String? {
        tables.first { $0.takesOver && $0.sourceTable == old }?.shape.name
            ?? joins.first { $0.takenOver == old }?.shape.table
    }

    /// Returns whether values of the index's columns change: then it could refuse a row halfway.
    private func hasChanges(_ columns: IndexColumns?, table: String) -> Bool {
        guard let move = tables.first(where: { $0.shape.name == table }) else { return false }
        let changed = Set(assignments(of: move).map { $0.column.uppercased() })
        let renamed = columns?.renamed { names.column($0, of: move.sourceTable ?? table) }
        return renamed?.columns.contains { changed.contains($0.name) } ?? true
    }
}

extension StoreCatalog.Index {
    fileprivate var isUnique: Bool { text.uppercased().hasPrefix("CREATE UNIQUE") }
}

/// The columns of an index, whatever its spelling; `nil` for one with a condition or an expression.
private struct IndexColumns: Equatable {
    struct Column: Equatable {
        var name: String
        var suffix: String
    }

    var isUnique: Bool
    var columns: [Column]

    init?(_ text: String) {
        isUnique = text.uppercased().hasPrefix("CREATE UNIQUE")
        guard let open = text.firstIndex(of: "("), text.hasSuffix(")"), !text.dropLast().contains(")") else {
            return nil
        }
        columns = text[text.index(after: open)...].dropLast().split(separator: ",").map { part in
            let part = part.trimmingPrefix { $0.isWhitespace }
            let isQuoted = part.first == "\""
            let name =
                isQuoted
                ? part.dropFirst().prefix { $0 != "\"" } : part.prefix { !$0.isWhitespace }
            let rest = part.dropFirst(name.count + (isQuoted ? 2 : 0)).uppercased()
            let suffix = rest.replacing("COLLATE BINARY", with: "").replacing("ASC", with: "")
            return Column(name: name.uppercased(), suffix: suffix.filter { !$0.isWhitespace })
        }
    }

    func renamed(_ name: (String) -> String) -> IndexColumns {
        var result = self
        for position in columns.indices {
            result.columns[position].name = name(columns[position].name).uppercased()
        }
        return result
    }
}
