// The statements that make a new store, in Apple's words and order.

import CoreDataSchema
package import Foundation

/// DDL and first rows of a store.
package struct SchemaStatements: Sendable {
    /// To run before anything else and outside of a transaction.
    package static let pragmas: [SQLStatement] = [
        SQLStatement("PRAGMA page_size = 4096"),
        SQLStatement("PRAGMA auto_vacuum = 2"),
        SQLStatement("PRAGMA journal_mode = WAL"),
    ]

    /// To run in one transaction, in this order.
    package let statements: [SQLStatement]

    /// `uuid` and `propertyList` are Z_METADATA's (`StoreMetadata`), `modelCache` is Z_MODELCACHE's content.
    package init(
        _ blueprint: StoreBlueprint, uuid: String, propertyList: Data, modelCache: Data?
    ) throws {
        var texts = blueprint.tables.map(\.definition) + blueprint.joins.map(\.definition)
        texts += try blueprint.indexes().map(\.text)
        for tree in try blueprint.rangeTrees() { texts += [tree.definition] + tree.triggers().map(\.text) }
        let derived = try DerivedTriggers(blueprint.index, blueprint.layout())
        texts += derived.triggers.filter(\.isPortable).map { $0.statement() }
        texts += [
            "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)",
            "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)",
            "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)",
        ]
        var statements = texts.map { SQLStatement($0) } + blueprint.entityRows
        statements.append(
            SQLStatement(
                "INSERT INTO Z_METADATA (Z_VERSION, Z_UUID, Z_PLIST) VALUES (1, ?, ?)",
                [.text(uuid), .blob(propertyList)]))
        if let modelCache {
            statements.append(
                SQLStatement("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", [.blob(modelCache)]))
        }
        self.statements = statements
    }
}

extension StoreBlueprint {
    /// The rows of Z_PRIMARYKEY.
    var entityRows: [SQLStatement] {
        numbering.names.map { name in
            let parent = index.entity(name)?.schema.superentityName
            return SQLStatement(
                "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, 0)",
                [
                    .integer(Int64(numbering.numbers[name] ?? 0)), .text(name),
                    .integer(Int64(parent.flatMap { numbering.numbers[$0] } ?? 0)),
                ])
        }
    }
}

extension TableShape {
    /// `CREATE TABLE`.
    package var definition: String {
        let all =
            ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
            + columns.map { "\(sqlName($0.name)) \($0.type)" }
        return "CREATE TABLE \(sqlName(name)) ( \(all.joined(separator: ", ")) )"
    }
}

extension JoinShape {
    /// `CREATE TABLE`.
    package var definition: String {
        let keys = keyColumns.map(sqlName)
        let columns = keys + orderColumns.map(sqlName)
        let list = columns.map { $0 + " INTEGER" }.joined(separator: ", ")
        return "CREATE TABLE \(sqlName(table)) ( \(list), PRIMARY KEY (\(keys.joined(separator: ", "))) )"
    }
}
