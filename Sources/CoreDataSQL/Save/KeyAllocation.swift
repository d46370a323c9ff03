// Primary keys for new rows. Run inside the save's transaction, so that two processes can't take the same.

/// Z_MAX, on the row of the tree's root entity.
package enum KeyAllocation {
    /// The last key in use: one row with one number. Counts rows beyond Z_MAX, should a damaged store have any.
    package static func lastKey(of root: EntityTable) -> SQLStatement {
        SQLStatement(
            """
            SELECT MAX(IFNULL((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?), 0), \
            IFNULL((SELECT MAX(Z_PK) FROM \(sqlName(root.table))), 0))
            """, [.integer(Int64(root.number))])
    }

    /// Records that keys up to `last` are taken.
    package static func record(_ last: Int64, for root: EntityTable) -> SQLStatement {
        SQLStatement(
            "UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?",
            [.integer(last), .integer(Int64(root.number))])
    }

    /// `count` keys after the last one; `nil` when the numbers are used up.
    package static func keys(after last: Int64, count: Int) -> Range<Int64>? {
        guard last >= 0, count >= 0, last < Int64.max - 1,
            Int64.max - 1 - last >= Int64(count)
        else { return nil }
        return last + 1..<last + 1 + Int64(count)
    }
}
