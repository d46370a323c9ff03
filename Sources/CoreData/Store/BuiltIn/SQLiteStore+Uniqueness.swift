// Uniqueness in a file: its unique indexes refuse a row, and what they refuse is then looked up.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension SQLiteStore {
    /// Runs a save. When an index refuses a row, `StoreConstraintConflict` says all that isn't unique; if nothing is,
    /// values only change places, and the save runs again in a way that allows for it.
    func write(_ changes: StoreChanges, to file: SQLiteFile, _ rest: () throws -> Void) throws {
        let executor = executor(file)
        func run(separating: Bool) throws {
            try recordingTransaction(in: file) {
                if separating { try executor.separate(changes.updated) }
                try recording(in: file) { write in try write(changes) }
                if hasChangedMetadata { try file.write(contents) }
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
}
