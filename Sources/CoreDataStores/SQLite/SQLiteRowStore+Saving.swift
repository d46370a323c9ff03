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
        func run(separating: Bool) throws {
            try recordingTransaction(in: file) {
                if separating { try executor.separate(changes.updated) }
                try recording(in: file) { write in try write(changes) }
                if hasChangedMetadata { try file.write(metadata) }
                try rest()
            }
        }
        do {
            try run(separating: false)
        } catch let failure as EngineFailure {
            guard case .unique(let violation) = failure.kind, violation.index != nil else { throw failure }
            try UniquenessCheck(changes, in: file.model).run(file.taken)
            try run(separating: true)
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
            try recordingTransaction(in: file) {
                try recording(in: file, body)
                if hasChangedMetadata { try file.write(metadata) }
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
