// Writing: saves and copies, each in one transaction.

import CoreDataPostgreSQLEngine
import CoreDataSQL
package import CoreDataSchema
package import CoreDataStores
import CoreDataSupport
import Foundation

extension PostgreSQLRowStore {
    package func allocateKeys(root: EntityRuntime, count: Int) throws -> Range<Int64> {
        try writing { try $0.allocateKeys(root: root, count: count) }
    }

    package func save(_ changes: StoreChanges, before rest: () throws -> Void) throws {
        if changes.isEmpty && !hasChangedMetadata { return try rest() }
        try writing { tables in
            try write(changes, to: tables, rest)
            hasChangedMetadata = false
            recentWrites.note(changes)
        }
    }

    /// Runs a save. When an index refuses a row, `StoreConstraintConflict` says all that isn't unique; if nothing is,
    /// values only change places, and the save runs again in a way that allows for it.
    private func write(_ changes: StoreChanges, to tables: PostgreSQLTables, _ rest: () throws -> Void) throws
    {
        let executor = executor(tables)
        func run(separating: Bool) throws {
            try committing(tables) {
                if separating { try executor.separate(changes.updated) }
                try executor.run(changes)
                try writeMetadata(tables)
                try rest()
            }
        }
        do {
            try run(separating: false)
        } catch let failure as ServerFailure where failure.kind == .unique {
            try UniquenessCheck(changes, in: tables.model).run(tables.taken)
            try run(separating: true)
        }
    }

    /// Runs a transaction. If the connection was lost while it was committed, a new one tells whether it was.
    private func committing(_ tables: PostgreSQLTables, _ body: () throws -> Void) throws {
        do {
            try tables.connection().transaction(body)
        } catch let doubt as UncertainCommit {
            guard try tables.connection().hasCommitted(doubt) else { throw doubt.failure }
            Log.warning("the connection was lost after a save, which the server has committed")
        }
    }

    private func executor(_ tables: PostgreSQLTables) -> SaveExecutor {
        SaveExecutor(file: tables) { [unowned self] row, current in
            let version = current.map { Int64(bitPattern: $0.row(0)[0]) } ?? 0
            return recentWrites.contains(row.entity, row.primaryKey, version: version)
        }
    }

    private func writeMetadata(_ tables: PostgreSQLTables) throws {
        guard hasChangedMetadata else { return }
        try tables.execute(catalogue.write(uuid: metadata.uuid, propertyList: metadata.propertyList()))
        try tables.finish()
    }

    package func takeCopies(_ body: (_ write: (StoreChanges) throws -> Void) throws -> Void) throws {
        try writing { tables in
            try committing(tables) {
                let executor = executor(tables)
                try body { try executor.run($0) }
                try writeMetadata(tables)
            }
            hasChangedMetadata = false
        }
    }

    package func execute(_ batch: StoreBatch) throws -> BatchChanges {
        throw CoreDataError.make(
            ErrorCode.unsupportedRequest, "The persistent store can't execute the request.", file: host.url,
            reason: "Batch requests aren't supported by stores in PostgreSQL yet.")
    }
}
