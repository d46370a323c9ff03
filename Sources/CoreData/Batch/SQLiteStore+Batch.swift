// The transaction of a batch.

import CoreDataSQLiteEngine
import Foundation

extension SQLiteStore {
    /// Runs a batch in a transaction of its own, in which its history is written as well.
    func execute(_ batch: any StoreBatch, on file: SQLiteFile) throws -> BatchChanges {
        let history = historyRecorder(in: file)
        let changes = try file.engine.transaction {
            let changes = try batch.run(on: file, self, history)
            if hasChangedMetadata { try file.write(contents) }
            return changes
        }
        hasChangedMetadata = false
        return changes
    }
}
