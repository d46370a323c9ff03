// What batches write into the history: rows that statements changed, by their keys.

import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import CoreDataSupport
import Foundation

extension HistoryRecorder {
    /// Notes new rows of one entity.
    func inserted(_ entity: EntityRuntime, _ primaryKeys: some Sequence<Int64>) throws {
        let number = Int64(try file.table(entity).number)
        try write(primaryKeys.map { HistoryChangeRow(kind: .insert, entity: number, primaryKey: $0) })
    }

    /// Notes rows in which the properties of these names got values.
    func updated(_ keys: [BatchChanges.Key], _ names: Set<String>) throws {
        for (entity, keys) in try byEntity(keys) {
            let columns = HistoryProperties.bitmap(names, numbered(entity))
            let number = Int64(try file.table(entity).number)
            try write(
                keys.map {
                    HistoryChangeRow(kind: .update, entity: number, primaryKey: $0, columns: columns)
                })
        }
    }

    /// Notes rows that are about to be deleted, with what they leave behind.
    func deleting(_ keys: [BatchChanges.Key]) throws {
        for (entity, keys) in try byEntity(keys) {
            let number = Int64(try file.table(entity).number)
            let preserved = HistoryProperties.preserved(entity)
            if preserved.isEmpty {
                try write(keys.map { HistoryChangeRow(kind: .delete, entity: number, primaryKey: $0) })
                continue
            }
            try file.engine.fetchRows(primaryKeys: keys, decoder: file.decoder(entity)) { slab in
                try write(
                    (0..<slab.count).map { row in
                        HistoryChangeRow(
                            kind: .delete, entity: number, primaryKey: slab.primaryKeys[row],
                            tombstones: HistoryProperties.tombstones(
                                RowPointer(slab.row(row), slab: slab), preserved))
                    })
            }
        }
    }

    private func byEntity(_ keys: [BatchChanges.Key]) throws -> [(EntityRuntime, [Int64])] {
        Dictionary(grouping: keys, by: \.entity).sorted { $0.key < $1.key }.map { number, keys in
            (file.model.entities[Int(number)], keys.map(\.primaryKey))
        }
    }
}
