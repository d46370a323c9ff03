// The transaction of a batch.

import CoreDataSQLiteEngine
import Foundation

extension SQLiteStore {
    /// Runs a batch in a transaction of its own.
    func execute(_ batch: any StoreBatch, on file: SQLiteFile) throws -> BatchChanges {
        let changes = try file.engine.transaction {
            // Inside the transaction all that changed is known: what must be written along with it belongs here.
            // Keys are there if the batch collects them.
            let changes = try batch.run(on: file, self)
            if hasChangedMetadata { try file.write(contents) }
            return changes
        }
        hasChangedMetadata = false
        return changes
    }
}
