// For tools that look into stores: beyond what Apple's class offers.

import CoreDataPredicate
import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
public import Foundation

/// SQL that a store would run, for people to read.
public struct SQLDescription: Sendable {
    /// The statement, with a `?` for each binding.
    public let sql: String
    /// The bindings as SQL literals, in order.
    public let bindings: [String]
    /// How SQLite would run it, a line for each step (`EXPLAIN QUERY PLAN`).
    public let plan: [String]
}

/// Something wrong with a store.
public struct StoreProblem: Sendable, Hashable {
    /// What was checked.
    public let check: String
    /// What is wrong.
    public let explanation: String
    /// The rows concerned, each as the values that the check reports; at most twenty.
    public let rows: [String]
    /// How many rows are concerned.
    public let count: Int
    /// Whether values may be lost or not found because of it; otherwise it costs speed or space.
    public let isHarmful: Bool
}

extension NSPersistentStoreCoordinator {
    /// Returns the model that the SQLite store at a URL keeps; nil if it keeps none.
    ///
    /// The file stays as it is. An addition to Apple's class.
    ///
    /// - Throws: the errors of opening a store (Docs/Errors.md).
    public class func model(inStoreAt url: URL) throws -> NSManagedObjectModel? {
        try model(inStoreAt: url, SQLiteStoreOptions(nil))
    }

    /// Returns what the store would ask SQLite for a fetch.
    ///
    /// An addition to Apple's class.
    ///
    /// ```swift
    /// if let store = coordinator.persistentStores.first {
    ///     print(try coordinator.sqlDescription(for: Hero.fetchRequest(), in: store).sql)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - request: the fetch.
    ///   - store: an SQLite store of this coordinator.
    /// - Throws: `NSPersistentStoreInvalidTypeError` (134000) for another store; `NSCoreDataError` (134060)
    ///   for a fetch that can't be put into SQL.
    public func sqlDescription<Result>(
        for request: NSFetchRequest<Result>, in store: NSPersistentStore
    ) throws -> SQLDescription {
        try withLock {
            let (store, file) = try sqliteFile(of: store)
            return try store.mapping(.fetching) {
                let statement = try file.statement(for: request.fields)
                return SQLDescription(
                    sql: statement.text, bindings: statement.bindings.map(\.shown),
                    plan: try file.engine.plan(of: statement))
            }
        }
    }

    /// Checks an SQLite store of this coordinator against its model and against the rules of the format.
    ///
    /// That is: layout, dangling keys, counters, join rows, order keys, files of external values, and
    /// SQLite's own check of the file. A file whose row another process is about to save counts as one
    /// without row. An addition to Apple's class.
    ///
    /// - Returns: what is wrong; empty if all is well.
    /// - Throws: `NSPersistentStoreInvalidTypeError` (134000) for another store; the errors of reading one.
    public func verify(_ store: NSPersistentStore) throws -> [StoreProblem] {
        try withLock {
            let (store, file) = try sqliteFile(of: store)
            return try store.mapping(.fetching) { try file.problems(members: store.placedEntities) }
        }
    }

    private func sqliteFile(of store: NSPersistentStore) throws -> (SQLiteStore, SQLiteFile) {
        guard let store = store as? SQLiteStore, let file = store.file,
            store.persistentStoreCoordinator === self
        else {
            throw CoreDataError.make(
                NSPersistentStoreInvalidTypeError, "The store isn't an SQLite store of this coordinator.",
                file: store.url)
        }
        return (store, file)
    }
}

extension SQLiteFile {
    fileprivate func statement(for fields: FetchRequestFields) throws -> SQLStatement {
        var description = try FetchDescription(fields: fields)
        if fields.resultType == .managedObjectResultType,
            let entity = model.runtime(named: description.entityName)
        {
            description.result = .rows(columns: try decoder(entity).columns)
        }
        return try planner().statement(for: description)
    }

    fileprivate func problems(members: Set<String>?) throws -> [StoreProblem] {
        let damage = try damage()
        do {
            return try damage
                + engine.reading {
                    try layoutProblems(members) + rowProblems(members) + externalProblems()
                }
        } catch {
            // What can't be read of a damaged file is part of its damage.
            if damage.isEmpty { throw error }
            return damage
        }
    }

    /// What SQLite itself finds, whether it ends its check or not.
    private func damage() throws -> [StoreProblem] {
        var findings: [String]
        do {
            findings = try engine.damages()
        } catch let failure as EngineFailure where failure.kind == .corrupt {
            findings = [failure.message]
        }
        // SQLite joins what it finds to one text of several lines.
        findings = findings.flatMap { $0.split(separator: "\n").map(String.init) }
        if findings.isEmpty { return [] }
        return [
            StoreProblem(
                check: "file", explanation: "SQLite finds the file damaged", rows: Array(findings.prefix(20)),
                count: findings.count, isHarmful: true)
        ]
    }

    private func layoutProblems(_ members: Set<String>?) throws -> [StoreProblem] {
        try LayoutComparison.differences(of: engine.catalog(), from: model.index, entities: members)
            .map(StoreProblem.init)
    }

    private func rowProblems(_ members: Set<String>?) throws -> [StoreProblem] {
        let catalog = try engine.catalog()
        let blueprint = try LayoutReader.blueprint(for: model.index, catalog: catalog, entities: members)
        return try (StoreCheck.checks(for: blueprint) + HistoryLayout.checks(of: catalog)).compactMap {
            check in
            let rows = try engine.fetchValues(SQLStatement(check.sql))
            return rows.isEmpty ? nil : StoreProblem(check, rows)
        }
    }
}

extension StoreProblem {
    fileprivate init(_ difference: LayoutDifference) {
        check = "layout"
        explanation = difference.sentence
        rows = []
        count = 0
        isHarmful = difference.isHarmful
    }

    fileprivate init(_ check: StoreCheck, _ rows: [[SQLBinding]]) {
        self.check = check.name
        explanation = check.explanation
        self.rows = rows.prefix(20).map { $0.map(\.shown).joined(separator: ", ") }
        count = rows.count
        isHarmful = true
    }
}

extension LayoutDifference {
    fileprivate var sentence: String {
        let name = name ?? ""
        return switch kind {
        case .missingTable: "the table \(table) is missing"
        case .extraTable: "the model has no use for the table \(table)"
        case .missingColumn: "the table \(table) has no column \(name)"
        case .extraColumn: "the model has no use for the column \(table).\(name)"
        case .otherType: "the column \(table).\(name) is declared with another type than the model's"
        case .missingIndex: "the table \(table) has no index \(name)"
        case .missingUniqueIndex:
            "the table \(table) has no unique index \(name), so that rows may have the same values"
        case .extraIndex: "the model has no use for the index \(name) of the table \(table)"
        case .missingEntity: "\(table) has no number for the entity \(name)"
        case .otherSuperentity: "\(table) gives the entity \(name) another superentity"
        }
    }
}

extension SQLBinding {
    /// As SQL spells it; of long bytes only how many they are.
    var shown: String {
        if case .blob(let bytes) = self, bytes.count > 64 { return "<\(bytes.count) bytes>" }
        return literal
    }
}
