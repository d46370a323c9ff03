// Writing to the file: saves, copies and batches, each in a transaction in which its history is written as well.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSQLiteEngine
package import CoreDataSchema
import CoreDataSupport
import Foundation

extension SQLiteRowStore {
    package func allocateKeys(root: EntityRuntime, count: Int) throws -> Range<Int64> {
        try writing { try $0.allocateKeys(root: root, count: count) }
    }

    package func save(_ changes: StoreChanges, before rest: () throws -> Void) throws {
        if changes.isEmpty && !hasChangedMetadata { return try rest() }
        try writing { file in
            forgetDerivedRows(file)
            try write(changes, to: file, rest: rest)
            file.noteStatedValues(changes)
            hasChangedMetadata = false
            recentWrites.note(changes)
        }
        boundLog()
        if !changes.writesNothing { RemoteChanges.announce(self) }
    }

    /// Runs a save. When an index refuses a row, `StoreConstraintConflict` says all that isn't unique; if nothing is,
    /// values only change places, and the save runs again in a way that allows for it.
    private func write(_ changes: StoreChanges, to file: SQLiteFile, rest: () throws -> Void) throws {
        let executor = executor(file)
        var isSeparating = false
        while true {
            do {
                return try file.engine.transaction {
                    if isSeparating { try executor.separate(changes.updated) }
                    let recorder = historyRecorder(in: file)
                    try recorder?.noteDeletions(changes)
                    try executor.run(changes)
                    try record(changes, by: recorder)
                    if hasChangedMetadata { try file.write(metadata) }
                    try rest()
                }
            } catch {
                forgetTransaction()
                guard !isSeparating, case .unique(let violation) = (error as? EngineFailure)?.kind,
                    violation.index != nil
                else { throw error }
                try UniquenessCheck(changes, in: file.model).run(file.taken)
                isSeparating = true
            }
        }
    }

    /// Returns the executor that writes a save to the file.
    func executor(_ file: SQLiteFile) -> SaveExecutor {
        SaveExecutor(file: file) { [unowned self] in try wrote($0, current: $1, file: file) }
    }

    /// Returns whether the state of a row that made a save fail was written here: recorded as such, or nobody
    /// else ever wrote to the file.
    private func wrote(_ row: StoreChanges.Row, current: RowSlab?, file: SQLiteFile) throws -> Bool {
        let version = current.map { Int64(bitPattern: $0.row(0)[0]) } ?? 0
        if recentWrites.contains(row.entity, primaryKey: row.primaryKey, version: version) { return true }
        return try file.engine.dataVersion() == dataVersion
    }

    package func takeCopies(_ body: (_ write: (StoreChanges) throws -> Void) throws -> Void) throws {
        try writing { file in
            let executor = executor(file)
            do {
                try file.engine.transaction {
                    let recorder = historyRecorder(in: file)
                    try body { changes in
                        try recorder?.noteDeletions(changes)
                        try executor.run(changes)
                        try record(changes, by: recorder)
                    }
                    if hasChangedMetadata { try file.write(metadata) }
                }
            } catch {
                forgetTransaction()
                throw error
            }
            hasChangedMetadata = false
        }
    }

    // MARK: Derived attributes

    package func takeDerivedRows() -> DerivedRows {
        guard let file, file.keepsDerivedValues else { return DerivedRows() }
        return file.takeDerivedRows()
    }

    /// Those of batches and copies, which tell no context.
    private func forgetDerivedRows(_ file: SQLiteFile) {
        if file.keepsDerivedValues { _ = file.engine.takeDerivedValues() }
    }

    // MARK: Batches

    package func execute(_ batch: StoreBatch) throws -> BatchChanges {
        let changes = try writing { try execute(batch, on: $0) }
        boundLog()
        if changes.count > 0 { RemoteChanges.announce(self) }
        return changes
    }

    private func execute(_ batch: StoreBatch, on file: SQLiteFile) throws -> BatchChanges {
        if file.keepsDerivedValues {
            _ = file.engine.takeDerivedValues()
            // One for each row that a batch writes would be a heap: only the history wants them.
            file.engine.reportsDerivedValues = tracksHistory
        }
        defer { file.engine.reportsDerivedValues = true }
        let history = historyRecorder(in: file)
        let changes = try file.engine.transaction {
            let changes = try batch.run(on: file, history)
            try history?.finishBatch()
            if hasChangedMetadata { try file.write(metadata) }
            return changes
        }
        hasChangedMetadata = false
        return changes
    }
}
