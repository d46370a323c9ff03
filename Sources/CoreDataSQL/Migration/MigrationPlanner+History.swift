// Persistent history and external files: what refers to entities and properties by number, or lies outside.

import CoreDataSchema

extension MigrationPlanner {
    private var history: HistoryLayout? { HistoryLayout(catalog) }

    func historyStatements() -> [SQLStatement] {
        guard history != nil else { return [] }
        var statements = tombstoneStatements()
        let gone = oldLayout.tables.values.filter { place in !moves.contains { $0.source == place.entityName }
        }
        if !gone.isEmpty {
            statements.append(
                SQLStatement("DELETE FROM ACHANGE WHERE ZENTITY IN (\(numbers(gone.map(\.number))))"))
        }
        let columns = historyMoves()
        if history?.hasColumns == true, !columns.isEmpty {
            statements.append(
                SQLStatement(
                    "UPDATE ACHANGE SET ZCOLUMNS = \(MigrationPlan.Function.movedColumns)(ZENTITY, ZCOLUMNS) "
                        + "WHERE ZCOLUMNS IS NOT NULL AND ZENTITY IN (\(numbers(columns.keys.map(Int.init))))"
                ))
        }
        let renumbered = Dictionary(
            moves.filter { $0.sourceNumber != $0.destinationNumber }
                .map { ($0.sourceNumber, $0.destinationNumber) }, uniquingKeysWith: { first, _ in first })
        if !renumbered.isEmpty {
            statements.append(
                statement(
                    """
                    UPDATE ACHANGE SET ZENTITY = \(renumbering("ZENTITY", numbers: renumbered)) \
                    WHERE ZENTITY IN (\(sql: numbers(renumbered.keys)))
                    """))
        }
        return statements
    }

    private func numbers(_ numbers: some Sequence<Int>) -> String {
        numbers.sorted().map(String.init).joined(separator: ", ")
    }

    /// Returns the new place of each property of an update's bitmap, for entities in which that changes.
    func historyMoves() -> [Int64: HistoryColumnMove] {
        guard history?.hasColumns == true else { return [:] }
        var found: [Int64: HistoryColumnMove] = [:]
        for move in moves {
            let before = numbered(old.index, entity: move.source)
            let after = numbered(new.index, entity: move.destination)
            let pair = difference.pair(destination: move.destination)
            let places = before.map { property in
                pair?.property(source: property.name).flatMap { pair in
                    after.firstIndex { $0.name == pair.destination }
                }
            }
            if places == Array(before.indices).map(Optional.some), before.count == after.count { continue }
            found[Int64(move.sourceNumber)] = HistoryColumnMove(places: places, count: after.count)
        }
        return found
    }

    /// The values that outlive deleted rows, in their new places.
    private func tombstoneStatements() -> [SQLStatement] {
        guard let history else { return [] }
        var statements: [SQLStatement] = []
        let needed = moves.map { preserved(new.index, entity: $0.destination).count }.max() ?? 0
        if needed > history.tombstoneCount {
            statements += HistoryLayout.additions(to: catalog, tombstones: needed)
        }
        for move in moves {
            let before = preserved(old.index, entity: move.source)
            let after = preserved(new.index, entity: move.destination)
            let sources = after.map { former($0, in: before, move: move) }
            let count = max(before.count, after.count)
            if sources == Array(before.indices).map(Optional.some) || count == 0 { continue }
            let list = (0..<min(count, max(needed, history.tombstoneCount))).map { place in
                let source = place < sources.count ? sources[place] : nil
                return "ZTOMBSTONE\(place) = " + (source.map { "ZTOMBSTONE\($0)" } ?? "NULL")
            }
            if list.isEmpty { continue }
            statements.append(
                SQLStatement(
                    "UPDATE ACHANGE SET \(list.joined(separator: ", ")) WHERE ZENTITY = ? AND ZCHANGETYPE = ?",
                    bindings: [
                        .integer(Int64(move.sourceNumber)), .integer(HistoryChangeRow.Kind.delete.rawValue),
                    ]))
        }
        return statements
    }

    /// The properties in the order of a bitmap.
    private func numbered(_ index: ModelIndex, entity: String) -> [PropertySchema] {
        (index.entity(entity)?.properties ?? []).filter {
            if case .fetched = $0.kind { return false }
            return true
        }.sorted { $0.name < $1.name }
    }

    /// A value that outlives deleted rows: of an attribute, or of an element of a composite attribute by its path.
    struct PreservedValue {
        let property: PropertySchema
        let path: String?

        /// The attribute's name, or the key path of the element.
        var name: String { [property.name, path].compactMap(\.self).joined(separator: ".") }
    }

    /// The values that outlive deleted rows, in the order of the tombstones.
    func preserved(_ index: ModelIndex, entity: String) -> [PreservedValue] {
        numbered(index, entity: entity).flatMap { property -> [PreservedValue] in
            guard property.attribute?.preservesValueInHistoryOnDeletion == true, !property.isTransient
            else { return [] }
            return leafPaths(property).filter {
                leaf(property, path: $0)?.allowsExternalBinaryDataStorage != true
            }.map { PreservedValue(property: property, path: $0) }
        }
    }

    /// The place of the older version of a value among the older ones.
    func former(_ value: PreservedValue, in before: [PreservedValue], move: EntityMove) -> Int? {
        let pair = difference.pair(destination: move.destination)?
            .property(destination: value.property.name)
        guard let pair, let former = old.index.entity(move.source)?.propertiesByName[pair.source],
            let path = formerPath(value.path, of: value.property, in: former)
        else { return nil }
        return before.firstIndex { $0.property.name == former.name && ($0.path ?? "") == path }
    }

    // MARK: External files

    /// Cells of external storage that go, with what is in files.
    func droppedCells() -> [SQLStatement] {
        var found: [SQLStatement] = []
        for place in oldLayout.tables.values.sorted(by: { $0.number < $1.number }) {
            guard let entity = old.index.entity(place.entityName) else { continue }
            let pair = difference.pair(source: place.entityName)
            let stays = moves.contains { $0.source == place.entityName }
            for property in entity.properties {
                guard let traits = property.attribute, traits.allowsExternalBinaryDataStorage,
                    case .attribute(let column, _)? = place.columns[property.name]
                else { continue }
                if stays, let kept = pair?.property(source: property.name),
                    keepsCells(kept.destination, entity: pair?.destination)
                {
                    continue
                }
                let name = sqlName(column)
                found.append(
                    SQLStatement(
                        "SELECT \(name) FROM \(sqlName(place.table)) WHERE Z_ENT = ? AND substr(\(name), 1, 1) = x'02'",
                        bindings: [.integer(Int64(place.number))]))
            }
        }
        return found
    }

    private func keepsCells(_ property: String, entity: String?) -> Bool {
        guard let found = entity.flatMap(new.index.entity)?.propertiesByName[property] else { return false }
        return !found.isTransient && found.attribute?.allowsExternalBinaryDataStorage == true
    }
}
