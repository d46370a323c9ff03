// The file's data about itself: tables, metadata, the cached model.

package import CoreDataSQL
package import Foundation

extension SQLiteEngine {
    /// Tables, indexes and entity numbers.
    package func catalog() throws -> StoreCatalog {
        var catalog = StoreCatalog()
        let queries = SQLiteDialect().catalogue
        for row in try fetchValues(queries.columns) {
            guard row.count == 4, let table = row[0].text, let name = row[1].text else { continue }
            catalog.tables[table, default: []].append(
                StoreCatalog.Column(name: name, type: row[2].text ?? "", primaryKeyIndex: Int(row[3].integer))
            )
        }
        for row in try fetchValues(queries.indexes) {
            guard row.count == 3, let name = row[0].text, let table = row[1].text, let text = row[2].text
            else {
                continue
            }
            catalog.indexes.append(StoreCatalog.Index(name: name, table: table, text: text))
        }
        for row in try fetchValues(queries.machinery) {
            guard row.count == 4, let name = row[1].text, let table = row[2].text, let text = row[3].text
            else { continue }
            if row[0].text == "trigger" {
                catalog.triggers.append(StoreCatalog.Index(name: name, table: table, text: text))
            } else {
                catalog.virtualTables.append(name)
            }
        }
        guard catalog.tables["Z_PRIMARYKEY"] != nil else { return catalog }
        for row in try fetchValues(StoreCatalog.entityNumbersQuery) {
            guard row.count == 4, let name = row[1].text else { continue }
            catalog.entityNumbers.append(
                StoreCatalog.EntityNumber(
                    number: Int(row[0].integer), name: name, superNumber: Int(row[2].integer),
                    maximum: row[3].integer))
        }
        return catalog
    }

    /// The store's UUID and metadata property list; `nil` if Z_METADATA has no row.
    package func metadataRow() throws -> (uuid: String, propertyList: Data?)? {
        let query = SQLStatement("SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
        guard let row = try fetchValues(query).first, row.count == 2 else { return nil }
        return (row[0].text ?? "", row[1].blob)
    }

    /// Replaces the UUID and the metadata property list.
    package func writeMetadata(uuid: String, propertyList: Data) throws {
        let bindings: [SQLBinding] = [.text(uuid), .blob(propertyList)]
        try transaction {
            let changed = try execute(
                SQLStatement("UPDATE Z_METADATA SET Z_UUID = ?, Z_PLIST = ?", bindings: bindings))
            if changed > 0 { return }
            try execute(
                SQLStatement(
                    "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)", bindings: bindings
                )
            )
        }
    }

    /// The content of Z_MODELCACHE; `nil` where the table or the content is missing.
    package func modelCache() throws -> Data? {
        guard try connection.tableNames().contains("Z_MODELCACHE") else { return nil }
        return try fetchValues(SQLStatement("SELECT Z_CONTENT FROM Z_MODELCACHE LIMIT 1")).first?.first?.blob
    }

    /// Replaces the content of Z_MODELCACHE.
    package func writeModelCache(_ content: Data) throws {
        try transaction {
            try execute(SQLStatement("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB)"))
            try execute(SQLStatement("DELETE FROM Z_MODELCACHE"))
            try execute(
                SQLStatement("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", bindings: [.blob(content)]))
        }
    }

    /// Makes a new store's tables and first rows, all or nothing.
    ///
    /// Returns false, and does nothing, if the database has tables: somebody else was quicker.
    @discardableResult
    package func create(_ statements: [SQLStatement]) throws -> Bool {
        try transaction {
            guard try connection.tableNames().isEmpty else { return false }
            for statement in statements { try execute(statement) }
            return true
        }
    }

    /// Closes the engine, and removes the file if this engine made it and it has no tables. Nobody else can put any into
    /// it at that moment; a file that others have open stays.
    package func discard() {
        defer { close() }
        guard connection.madeFile else { return }
        do {
            try endLog()
            guard try connection.tableNames().isEmpty else { return }
            try FileManager.default.removeItem(atPath: path)
        } catch {
            // An empty database is as good a place for a new store as none.
        }
    }
}

extension SQLBinding {
    fileprivate var text: String? {
        if case .text(let text) = self { return text }
        return nil
    }

    fileprivate var blob: Data? {
        if case .blob(let data) = self { return data }
        return nil
    }

    /// 0 for anything but an integer.
    fileprivate var integer: Int64 {
        if case .integer(let value) = self { return value }
        return 0
    }
}
