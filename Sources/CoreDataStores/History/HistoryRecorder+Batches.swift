// The history that batches write: rows that statements changed, by their keys.

package import CoreDataSQL
package import CoreDataSchema
import CoreDataSupport
import Foundation

/// Rows that a batch wrote, and derived attributes that triggers wrote meanwhile. Empty where there are none.
package struct BatchTraces {
    /// Keys of new rows, by Z_ENT: runs, as keys are given out in order.
    private var inserted: [Int: [ClosedRange<Int64>]] = [:]
    package var deleted: Set<ObjectKey> = []
    /// The attributes that triggers wrote in rows that the batch hasn't stated otherwise.
    package var derived: [ObjectKey: Set<String>] = [:]

    package mutating func insert(_ entity: Int, primaryKeys: some Sequence<Int64>) {
        var runs = inserted.removeValue(forKey: entity) ?? []
        for key in primaryKeys {
            if let last = runs.last, key == last.upperBound + 1 {
                runs[runs.count - 1] = last.lowerBound...key
            } else {
                runs.append(key...key)
            }
        }
        inserted[entity] = runs
    }

    /// Adds what triggers wrote. New rows have it already, deleted ones don't matter.
    package mutating func add(_ values: [DerivedValue]) {
        for value in values where !isNew(value.key) { derived[value.key, default: []].insert(value.property) }
    }

    private func isNew(_ key: ObjectKey) -> Bool {
        inserted[key.entity]?.contains { $0.contains(key.primaryKey) } ?? false
    }
}

extension HistoryRecorder {
    /// Takes over what triggers wrote since this was last called.
    private func followTriggers() throws {
        guard file.keepsDerivedValues else { return }
        try file.finish()
        batch.add(file.takeDerivedValues())
    }

    /// Notes rows that nobody but triggers changed, once the batch has done its work.
    package func finishBatch() throws {
        try followTriggers()
        let rest = batch.derived.filter { !batch.deleted.contains($0.key) }
        try write(derivedChanges(rest))
        batch = BatchTraces()
    }

    /// Notes new rows of one entity.
    package func inserted(_ entity: EntityRuntime, primaryKeys: some Sequence<Int64>) throws {
        let number = Int64(try file.table(entity).number)
        if file.keepsDerivedValues {
            batch.insert(Int(number), primaryKeys: primaryKeys)
            try followTriggers()
        }
        try write(primaryKeys.map { HistoryChangeRow(kind: .insert, entity: number, primaryKey: $0) })
    }

    /// Notes rows in which the properties of these names got values.
    package func updated(_ keys: [RowKey], names: Set<String>) throws {
        try followTriggers()
        for (entity, keys) in try byEntity(keys) {
            let columns = HistoryProperties.bitmap(names, numbered: numbered(entity))
            let number = try file.table(entity).number
            try write(
                keys.map { key in
                    var change = HistoryChangeRow(
                        kind: .update, entity: Int64(number), primaryKey: key, columns: columns)
                    let place = ObjectKey(entity: number, primaryKey: key)
                    if !batch.derived.isEmpty, let derived = batch.derived.removeValue(forKey: place) {
                        change.columns = HistoryProperties.bitmap(
                            names.union(derived), numbered: numbered(entity))
                    }
                    return change
                })
        }
    }

    /// Notes rows that are about to be deleted, with what they leave behind.
    package func deleting(_ keys: [RowKey]) throws {
        for (entity, keys) in try byEntity(keys) {
            let number = Int64(try file.table(entity).number)
            if file.keepsDerivedValues {
                batch.deleted.formUnion(keys.map { ObjectKey(entity: Int(number), primaryKey: $0) })
            }
            let preserved = HistoryProperties.preserved(entity)
            if preserved.isEmpty {
                try write(keys.map { HistoryChangeRow(kind: .delete, entity: number, primaryKey: $0) })
                continue
            }
            try file.fetchRows(entity: entity, primaryKeys: keys) { slab in
                try write(
                    (0..<slab.count).map { row in
                        HistoryChangeRow(
                            kind: .delete, entity: number, primaryKey: slab.primaryKeys[row],
                            tombstones: HistoryProperties.tombstones(
                                RowPointer(slab.row(row), slab: slab), preserved: preserved))
                    })
            }
        }
    }

    private func byEntity(_ keys: [RowKey]) throws -> [(EntityRuntime, [Int64])] {
        Dictionary(grouping: keys, by: \.entity).sorted { $0.key < $1.key }.map { number, keys in
            (file.model.runtimes[Int(number)], keys.map(\.primaryKey))
        }
    }
}
