// Runs a statement and fills slabs from it.

import CSQLite
import CoreDataSQL
import CoreDataSchema

extension RowDecoder {
    /// A statement for the rows with some of so many keys, and how many keys it takes.
    func selection(ofKeys count: Int) -> (size: Int, text: String) {
        let list = Self.keyLists.first { $0.size >= count } ?? Self.longestKeyList
        return (list.size, selection + list.condition)
    }

    private static let keyLists = [keyList(8), keyList(64), longestKeyList]
    private static let longestKeyList = keyList(500)

    private static func keyList(_ size: Int) -> (size: Int, condition: String) {
        (size, " WHERE Z_PK IN (\(Array(repeating: "?", count: size).joined(separator: ", ")))")
    }

    /// Steps through all rows. Slabs start small, so that a fetch of a few rows holds on to little memory, or with room
    /// for the rows that are expected at most.
    func run(
        _ statement: Statement, files: ExternalFiles?, expecting count: Int = 16,
        into receive: (RowSlab) throws -> Void
    ) throws {
        let handle = statement.handle
        let first = max(1, min(count, RowSlab.capacity))
        var slab = RowSlab(shape, capacity: first, arenaCapacity: first * arenaPerRow)
        while true {
            let code = sqlite3_step(handle)
            if code != SQLITE_ROW {
                if code != SQLITE_DONE { throw statement.connection.failure(code, sql: statement.sql) }
                break
            }
            _ = decodeRow(handle, into: slab, files: files)
            if slab.count == slab.capacity {
                try receive(slab)
                slab = next(after: &slab)
            }
        }
        if slab.count > 0 { try receive(slab) }
    }

    /// A slab for the rows that follow: the same one if its receiver didn't keep it.
    private func next(after slab: inout RowSlab) -> RowSlab {
        if slab.capacity == RowSlab.capacity, isKnownUniquelyReferenced(&slab) {
            slab.removeAll()
            return slab
        }
        let capacity = min(RowSlab.capacity, slab.capacity * 4)
        let arena = slab.arenaUsed > 8 ? slab.arenaUsed * (capacity / slab.capacity) * 9 / 8 : 0
        return RowSlab(shape, capacity: capacity, arenaCapacity: arena)
    }

    /// The row with a key, by a statement of `selection` that has this one parameter.
    func row(_ statement: Statement, primaryKey: Int64, files: ExternalFiles?) throws -> RowSlab? {
        statement.prepareToRun()
        try statement.bindInteger(primaryKey, at: 1)
        statement.begin()
        guard try statement.step() else { return nil }
        let slab = RowSlab(shape, capacity: 1, arenaCapacity: arenaPerRow)
        return decodeRow(statement.handle, into: slab, files: files) ? slab : nil
    }
}

extension Statement {
    /// The keys in the first columns of all rows.
    func keys(_ isPolymorphic: Bool) throws -> FetchedKeys {
        var keys = FetchedKeys()
        let column: Int32 = isPolymorphic ? 1 : 0
        while true {
            let code = sqlite3_step(handle)
            if code == SQLITE_DONE { return keys }
            if code != SQLITE_ROW { throw connection.failure(code, sql: sql) }
            let key = sqlite3_column_int64(handle, column)
            if key <= 0 { continue }
            keys.primaryKeys.append(key)
            if isPolymorphic {
                keys.entityNumbers.append(Int32(truncatingIfNeeded: sqlite3_column_int64(handle, 0)))
            }
        }
    }
}

extension Connection {
    /// A statement that its caller keeps.
    func prepare(_ sql: String) throws -> Statement {
        guard handle != nil else {
            throw EngineFailure(.other, message: "The store's file is closed.", path: path, sql: sql)
        }
        return try Statement(sql, on: self)
    }

    var isInAutocommit: Bool { sqlite3_get_autocommit(handle) != 0 }

    /// Rows that the last statement changed.
    var changeCount: Int { Int(sqlite3_changes64(handle)) }
}
