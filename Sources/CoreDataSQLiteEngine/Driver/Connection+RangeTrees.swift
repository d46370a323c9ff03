// R-trees of a file: who keeps them, and which of them can be believed.

package import CoreDataSQL

extension SQLiteEngine {
    /// Sees to it that the R-trees in the file follow the rows of their tables. Returns those that fetches may use:
    /// those that our own triggers keep. The treatment of missing values by others isn't known.
    package func keep(_ trees: [RangeTree], in catalog: StoreCatalog) throws -> [RangeTree] {
        if catalog.virtualTables.isEmpty { return [] }
        // Until SQLite 3.44 triggers may change R-trees only in files whose schema is trusted.
        try connection.execute("PRAGMA trusted_schema = ON")
        let texts = Set(catalog.triggers.map(\.text))
        return try trees.filter { tree in
            guard catalog.has(tree) else { return false }
            if tree.triggers().allSatisfy({ texts.contains($0.text) }) { return true }
            let isKept = catalog.triggers.contains { $0.mentions(tree.name) }
            if !isKept, connection.mode != .readOnly {
                for trigger in tree.triggers(areTemporary: true) { try execute(SQLStatement(trigger.text)) }
            }
            return false
        }
    }
}

extension StoreCatalog {
    /// Returns whether the file has the tree, with these columns.
    fileprivate func has(_ tree: RangeTree) -> Bool {
        guard let name = virtualTables.first(where: { $0.uppercased() == tree.name.uppercased() }) else {
            return false
        }
        return tables[name]?.map { $0.name.uppercased() } == tree.places.map { $0.uppercased() }
    }
}
