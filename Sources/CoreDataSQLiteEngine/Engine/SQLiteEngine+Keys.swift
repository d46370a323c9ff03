// Primary keys: Z_PRIMARYKEY counts them for each inheritance tree.

import CoreDataSQL

extension SQLiteEngine {
    /// Takes `count` fresh primary keys of an inheritance tree and returns the first; they follow each other.
    ///
    /// - Parameters:
    ///   - rootNumber: Z_ENT of the tree's root, whose row in Z_PRIMARYKEY counts for all.
    ///   - table: the tree's table. A key that is in use is never given out, whatever the count says.
    package func takeKeys(_ count: Int, rootNumber: Int, table: String) throws -> Int64 {
        try transaction {
            let root = SQLBinding.integer(Int64(rootNumber))
            guard
                let counted = try connection.firstInteger(
                    "SELECT IFNULL(Z_MAX, 0) FROM Z_PRIMARYKEY WHERE Z_ENT = ?", bindings: [root])
            else {
                throw EngineFailure(
                    .schema, message: "Z_PRIMARYKEY has no row for entity number \(rootNumber).", path: path)
            }
            let used = try connection.firstInteger("SELECT MAX(Z_PK) FROM \(quoted(identifier: table))") ?? 0
            let last = max(0, counted, used)
            let (next, overflows) = last.addingReportingOverflow(Int64(count))
            if overflows {
                throw EngineFailure(.full, message: "The table \(table) has no keys left.", path: path)
            }
            try connection.execute(
                SQLStatement(
                    "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", bindings: [.integer(next), root]))
            return last + 1
        }
    }
}
