// The transaction of a batch.

import CoreDataSQLiteEngine
import CoreDataStores
import Foundation

extension SQLiteStore {
    /// Runs a batch in a transaction of its own, in which its history is written as well.
    func execute(_ batch: any StoreBatch, on file: SQLiteFile) throws -> BatchChanges {
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
            if hasChangedMetadata { try file.write(contents) }
            return changes
        }
        hasChangedMetadata = false
        return changes
    }
}
