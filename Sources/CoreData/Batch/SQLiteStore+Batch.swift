// The transaction of a batch.

import CoreDataSQLiteEngine
import Foundation

extension SQLiteStore {
    /// Runs a batch in a transaction of its own. Refused where a history is kept, which would lack its rows.
    func execute(_ batch: any StoreBatch, on file: SQLiteFile) throws -> BatchChanges {
        if tracksHistory {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "The store keeps a persistent history, which batch requests don't write yet.", file: url,
                userInfo: [NSAffectedStoresErrorKey: [self]])
        }
        let changes = try file.engine.transaction {
            // Inside the transaction all that changed is known: history, once batches write it, belongs here. Keys
            // are there if the batch collects them.
            let changes = try batch.run(on: file, self)
            if hasChangedMetadata { try file.write(contents) }
            return changes
        }
        hasChangedMetadata = false
        return changes
    }
}
