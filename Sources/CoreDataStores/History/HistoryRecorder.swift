// Writes down what a save changes, inside the transaction of the save.

package import CoreDataSQL
package import CoreDataSchema
import CoreDataSupport
import Foundation

/// The history of one SQL transaction in the tables of one store.
package final class HistoryRecorder<Tables: HistoryTables> {
    package let file: Tables
    private let author: String?
    private let contextName: String?
    /// The values that deleted rows leave behind, by entity (`EntityRuntime.number`) and key.
    private var tombstones: [Int: [Int64: [SQLBinding]]] = [:]
    private var properties: [Int: [PropertyRuntime]] = [:]
    /// The number in the file of the entity that came last, by that in the model: most rows follow one of their own.
    private var latestNumber: (entity: Int, number: Int)?
    /// The number of values that triggers reported and that are recorded already, or
    /// belong to former transactions.
    private var derivedCount = 0
    /// The work of a batch so far, as far as triggers react to it.
    package var batch = BatchTraces()
    /// The number of the transaction once it has a change.
    package private(set) var number: Int64?

    package init(_ file: Tables, by requester: StoreRequester) {
        self.file = file
        author = requester.author
        contextName = requester.contextName
        if file.keepsDerivedValues { derivedCount = file.derivedValues(from: 0).count }
    }

    /// Reads what has to outlive rows that are about to be deleted.
    package func noteDeletions(_ changes: StoreChanges) throws {
        for (number, rows) in Dictionary(grouping: changes.deleted, by: \.entity.number) {
            let entity = file.model.runtimes[number]
            let preserved = HistoryProperties.preserved(entity)
            if preserved.isEmpty { continue }
            var found = tombstones.removeValue(forKey: number) ?? [:]
            try file.fetchRows(entity: entity, primaryKeys: rows.map(\.primaryKey)) { slab in
                for row in 0..<slab.count {
                    found[slab.primaryKeys[row]] = HistoryProperties.tombstones(
                        RowPointer(slab.row(row), slab: slab), preserved: preserved)
                }
            }
            tombstones[number] = found
        }
    }

    /// Writes what was changed, and what triggers changed because of it. Nothing, if that is nothing.
    package func record(_ changes: StoreChanges) throws {
        var rows: [HistoryChangeRow] = []
        var derived = takeDerivedNames()
        rows.reserveCapacity(changes.inserted.count + changes.updated.count + changes.deleted.count)
        for row in changes.inserted {
            rows.append(try change(.insert, row: row))
            if !derived.isEmpty { derived[try key(row)] = nil }
        }
        for row in changes.updated {
            var change = try change(.update, row: row)
            let names = derived.isEmpty ? nil : derived.removeValue(forKey: try key(row))
            change.columns = HistoryProperties.bitmap(
                row, relationships: changes.changedRelationships[row.key] ?? [],
                numbered: numbered(row.entity), derived: names ?? [])
            rows.append(change)
        }
        for row in changes.deleted {
            var change = try change(.delete, row: row)
            change.tombstones = tombstones[row.entity.number]?[row.primaryKey] ?? []
            rows.append(change)
            if !derived.isEmpty { derived[try key(row)] = nil }
        }
        try write(rows + derivedChanges(derived))
    }

    private func key(_ row: StoreChanges.Row) throws -> ObjectKey {
        ObjectKey(entity: try fileNumber(row.entity), primaryKey: row.primaryKey)
    }

    private func fileNumber(_ entity: EntityRuntime) throws -> Int {
        if let latestNumber, latestNumber.entity == entity.number { return latestNumber.number }
        let number = try file.table(entity).number
        latestNumber = (entity.number, number)
        return number
    }

    /// The attributes that triggers wrote since this was last asked, by row.
    private func takeDerivedNames() -> [ObjectKey: Set<String>] {
        guard file.keepsDerivedValues else { return [:] }
        var names: [ObjectKey: Set<String>] = [:]
        for value in file.derivedValues(from: derivedCount) {
            names[value.key, default: []].insert(value.property)
            derivedCount += 1
        }
        return names
    }

    /// Updates of rows that nobody but triggers changed, in the order of their keys.
    package func derivedChanges(_ derived: [ObjectKey: Set<String>]) -> [HistoryChangeRow] {
        let keys = derived.keys.sorted { ($0.entity, $0.primaryKey) < ($1.entity, $1.primaryKey) }
        return keys.compactMap { key in
            guard let entity = file.entities[key.entity], let names = derived[key] else { return nil }
            return HistoryChangeRow(
                kind: .update, entity: Int64(key.entity), primaryKey: key.primaryKey,
                columns: HistoryProperties.bitmap(names, numbered: numbered(entity)))
        }
    }

    /// Writes changes that are stated as such.
    package func write(_ rows: [HistoryChangeRow]) throws {
        if rows.isEmpty { return }
        let number = try self.number ?? file.insertHistory(transaction)
        self.number = number
        try file.insertHistory(rows, of: number)
    }

    private func change(_ kind: HistoryChangeRow.Kind, row: StoreChanges.Row) throws -> HistoryChangeRow {
        HistoryChangeRow(
            kind: kind, entity: Int64(try fileNumber(row.entity)), primaryKey: row.primaryKey)
    }

    package func numbered(_ entity: EntityRuntime) -> [PropertyRuntime] {
        if let known = properties[entity.number] { return known }
        let made = HistoryProperties.numbered(entity)
        properties[entity.number] = made
        return made
    }

    private var transaction: HistoryTransactionRow {
        let process = ProcessInfo.processInfo.processName
        var texts: [HistoryLayout.Text: String] = [
            .bundleID: Bundle.main.bundleIdentifier ?? process, .processID: process,
        ]
        texts[.author] = author
        texts[.contextName] = contextName
        return HistoryTransactionRow(
            number: 0, timestamp: Date().timeIntervalSinceReferenceDate, texts: texts)
    }
}
