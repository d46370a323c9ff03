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

    /// `uuid` and `propertyList` are Z_METADATA's (`StoreMetadata`), `modelCache` is Z_MODELCACHE's content. Fetch indexes may
    /// be left out, to be made when the rows are there.
    package init(
        _ blueprint: StoreBlueprint, uuid: String, propertyList: Data, modelCache: Data?,
        withFetchIndexes: Bool = true
    ) throws {
        var texts = blueprint.definitions
        texts += try blueprint.indexes().filter { withFetchIndexes || !$0.isForFetches }.map(\.text)
        for tree in try blueprint.rangeTrees() { texts += [tree.definition] + tree.triggers().map(\.text) }
        let derived = try DerivedTriggers(blueprint.index, layout: blueprint.layout())
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
                bindings: [.text(uuid), .blob(propertyList)]))
        if let modelCache {
            statements.append(
                SQLStatement("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", bindings: [.blob(modelCache)])
            )
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
                bindings: [
                    .integer(Int64(numbering.numbers[name] ?? 0)), .text(name),
                    .integer(Int64(parent.flatMap { numbering.numbers[$0] } ?? 0)),
                ])
        }
    }
}

extension StoreBlueprint {
    /// `CREATE TABLE` of each entity's and join table, in their order.
    package var definitions: [String] {
        tables.map { $0.definition(form) } + joins.map { $0.definition(form) }
    }
}

extension TableShape {
    /// `CREATE TABLE`.
    package func definition(_ form: StoreForm) -> String {
        let dialect = form.dialect
        let own = columns.map { "\(name: $0.name) \(sql: $0.type)" as SQLFragment }
        let text: SQLFragment = """
            CREATE TABLE \(name: name) ( \(name: head.key) \
            \(sql: distribution == nil ? dialect.primaryKeyType : dialect.keyType), \
            \(([head.entity, head.version].typed(dialect.keyType) + own).joined(separator: ", "))\
            \(distribution.map { ", PRIMARY KEY (\(names: [$0, head.key]))" } ?? "") )
            """
        return text.text(in: dialect)
    }
}

extension JoinShape {
    /// `CREATE TABLE`.
    package func definition(_ form: StoreForm) -> String {
        let columns = (keyColumns + orderColumns).typed(form.dialect.keyType)
        let text: SQLFragment = """
            CREATE TABLE \(name: table) ( \(columns.joined(separator: ", ")), \
            PRIMARY KEY (\(names: keyColumns)) )
            """
        return text.text(in: form.dialect)
    }
}

extension [String] {
    /// Columns of one type.
    fileprivate func typed(_ type: String) -> [SQLFragment] { map { "\(name: $0) \(sql: type)" } }
}
