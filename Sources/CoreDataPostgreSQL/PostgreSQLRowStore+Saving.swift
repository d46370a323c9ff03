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
            if try isKept(changes, in: tables) {
                Log.warning("a save is kept since it was tried before, when no server told so")
                try rest()
            } else {
                try write(changes, to: tables, rest: rest)
                derivedRows = tables.derivedRows(of: changes)
            }
            hasChangedMetadata = false
            recentWrites.note(changes)
        }
    }

    /// Runs a change of rows, writes its history and tells those who listen once it stands.
    private func recording(
        in tables: PostgreSQLTables, _ body: (_ write: (StoreChanges) throws -> Void) throws -> Void
    ) throws {
        let executor = executor(tables)
        let recorder = historyRecorder(in: tables)
        var isChanged = false
        try body { changes in
            try recorder?.noteDeletions(changes)
            try executor.run(changes)
            try recorder?.record(changes)
            isChanged = isChanged || !changes.writesNothing
        }
        if isChanged { try announce(tables) }
    }

    private func announce(_ tables: PostgreSQLTables) throws {
        guard let tracking, tracking.announces else { return }
        let number = try tables.connection().numberOfTransaction()
        try tables.execute(tracking.history.announcement(number + (tracking.base ?? 0)))
    }

    /// Runs a save. When an index refuses a row, `StoreConstraintConflict` says all that isn't unique; if nothing is,
    /// values only change places, and the save runs again in a way that allows for it.
    private func write(_ changes: StoreChanges, to tables: PostgreSQLTables, rest: () throws -> Void) throws {
        var hasSavedRest = false
        func run(separating: Bool) throws {
            try repeating(tables) {
                try committing(tables, changes: changes) {
                    if separating { try executor(tables).separate(changes.updated) }
                    try recording(in: tables) { write in try write(changes) }
                    try writeMetadata(tables)
                    // The saves of other stores stand, also if this one has to be tried again.
                    if !hasSavedRest { try rest() }
                    hasSavedRest = true
                }
            }
        }
        do {
            try run(separating: false)
        } catch let failure as ServerFailure where failure.kind == .unique {
            try UniquenessCheck(changes, in: tables.model).run(tables.taken)
            try run(separating: true)
        }
    }

    /// Milliseconds to wait before a transaction is tried again.
    private static let pauses: [Int32] = [10, 50, 250]

    /// Runs a transaction again which the server ended for the sake of others: a deadlock, or one that can't be serialized with
    /// them. One whose end isn't known isn't run again.
    private func repeating<Result>(_ tables: PostgreSQLTables, body: () throws -> Result) throws -> Result {
        for pause in Self.pauses {
            do {
                return try tables.liftingLimits(body)
            } catch let failure as ServerFailure where failure.kind == .conflict {
                Log.warning(
                    "the server ended a save to \(host.url?.absoluteString ?? "") for the sake of others "
                        + "(\(failure.sqlState)), which is tried again")
                poll(nil, 0, Int32.random(in: pause...pause * 2))
            }
        }
        return try tables.liftingLimits(body)
    }

    /// The first statements of a transaction: the lock of those who write the history, foreign keys that may hold at the end only, the
    /// wish to be told of derived attributes.
    private func preparations(_ tables: PostgreSQLTables, wantsDerived: Bool) -> [SQLStatement] {
        var statements = [tables.lockTimeout].compactMap(\.self)
        if let tracking, tracking.base != nil { statements.append(tracking.history.writerLock) }
        if tables.isLaidOver { statements.append(SQLStatement("SET CONSTRAINTS ALL DEFERRED")) }
        if wantsDerived && tables.keepsDerivedValues { statements.append(DerivedReport.request) }
        return statements
    }

    package func takeDerivedRows() -> DerivedRows {
        defer { derivedRows = DerivedRows() }
        return derivedRows
    }

    /// Runs a transaction. If the connection was lost while it was committed, a new one tells whether it was.
    ///
    /// - Parameters:
    ///   - changes: those of a save.
    ///   - wantsDerived: whether triggers shall tell what they write.
    private func committing<Result>(
        _ tables: PostgreSQLTables, changes: StoreChanges? = nil, wantsDerived: Bool = true,
        body: () throws -> Result
    ) throws -> Result {
        var result: Result?
        try doubts?.resolve(tables.connection)
        let mark = doubts?.next()
        do {
            _ = tables.takeDerivedValues()
            return try tables.connection().transaction(
                after: preparations(tables, wantsDerived: wantsDerived), marked: mark?.statement
            ) {
                try tables.versions?.check(in: tables.connection(), by: catalogue)
                let made = try body()
                result = made
                return made
            }
        } catch let doubt as UncertainCommit {
            let digest = { () throws -> Int in try changes.map(tables.digest(of:)) ?? 0 }
            guard let result, let mark,
                try doubts?.stands(doubt, number: mark.number, digest: digest, connect: tables.connection)
                    == true
            else { throw doubt.failure }
            Log.warning("the connection was lost after a save, which the server has committed")
            return result
        }
    }

    /// Returns whether a save stands already whose outcome wasn't known when it failed.
    private func isKept(_ changes: StoreChanges, in tables: PostgreSQLTables) throws -> Bool {
        try doubts?.resolve(tables.connection)
        return try doubts?.isUntold { try tables.digest(of: changes) } ?? false
    }

    private func executor(_ tables: PostgreSQLTables) -> SaveExecutor {
        SaveExecutor(file: tables) { [unowned self] row, current in
            let version = current.map { Int64(bitPattern: $0.row(0)[0]) } ?? 0
            return recentWrites.contains(row.entity, primaryKey: row.primaryKey, version: version)
        }
    }

    private func writeMetadata(_ tables: PostgreSQLTables) throws {
        guard hasChangedMetadata else { return }
        // The store may be of a newer version, which it goes on saying.
        var contents = try Self.read(tables.connection().metadata(catalogue))
        contents.setClientEntries(metadata.entries)
        try tables.execute(catalogue.write(uuid: metadata.uuid, propertyList: contents.propertyList()))
        try tables.finish()
    }

    package func takeCopies(_ body: (_ write: (StoreChanges) throws -> Void) throws -> Void) throws {
        try writing { tables in
            try tables.liftingLimits {
                try committing(tables) {
                    try recording(in: tables, body)
                    try writeMetadata(tables)
                }
            }
            hasChangedMetadata = false
        }
    }

    package func execute(_ batch: StoreBatch) throws -> BatchChanges {
        try writing { tables in
            // One report for each row that a batch writes would be a heap: only the history wants them.
            func run() throws -> BatchChanges {
                try committing(tables, wantsDerived: tracking?.base != nil) {
                    try execute(batch, on: tables)
                }
            }
            // The rows of an insertion come once.
            let changes =
                if case .insert = batch { try tables.onceLifting(run) } else {
                    try repeating(tables, body: run)
                }
            hasChangedMetadata = false
            return changes
        }
    }

    private func execute(_ batch: StoreBatch, on tables: PostgreSQLTables) throws -> BatchChanges {
        let recorder = historyRecorder(in: tables)
        let changes = try batch.run(on: tables, recorder)
        try recorder?.finishBatch()
        if changes.count > 0 { try announce(tables) }
        try writeMetadata(tables)
        return changes
    }
}
