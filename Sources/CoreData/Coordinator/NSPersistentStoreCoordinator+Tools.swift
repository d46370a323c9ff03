// For tools that look into stores: beyond what Apple's class offers.

import CoreDataSQL
import CoreDataStores
import CoreDataSupport
public import Foundation

/// SQL that a store would run, for people to read.
public struct SQLDescription: Sendable {
    /// The statement, with a `?` for each binding.
    public let sql: String
    /// The bindings as SQL literals, in order.
    public let bindings: [String]
    /// SQLite's plan of the statement, a line for each step (`EXPLAIN QUERY PLAN`).
    public let plan: [String]
}

/// Something wrong with a store.
public struct StoreProblem: Sendable, Hashable {
    /// The check that found the problem.
    public let check: String
    /// The problem, in words.
    public let explanation: String
    /// The rows concerned, each as the values that the check reports; at most twenty.
    public let rows: [String]
    /// The number of rows concerned.
    public let count: Int
    /// Indicates whether values may be lost or not found because of it; otherwise it costs speed or space.
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

    /// Returns what the store would ask its database for a fetch.
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
    ///   - store: an SQLite store of this coordinator, or one on a server.
    /// - Throws: `NSPersistentStoreInvalidTypeError` (134000) for another store; `NSCoreDataError` (134060)
    ///   for a fetch that can't be put into SQL.
    public func sqlDescription<Result>(
        for request: NSFetchRequest<Result>, in store: NSPersistentStore
    ) throws -> SQLDescription {
        try withLock {
            let inspection = try inspection(of: store)
            do {
                let found = try inspection.statement(
                    for: FetchDescription(fields: request.asked),
                    deliversRows: request.fields.resultType == .managedObjectResultType)
                return SQLDescription(
                    sql: found.statement.text, bindings: found.statement.bindings.map(\.shown),
                    plan: found.plan)
            } catch {
                // Questions that no statement can ask are found here, those that the database refuses below.
                throw ErrorMapping.error(error, occasion: .fetching, file: store.url)
            }
        }
    }

    /// Checks a store of this coordinator that runs SQL against its model and against the rules of the format.
    ///
    /// That is, of an SQLite store: layout, dangling keys, counters, join rows, order keys, files of external values, and
    /// SQLite's own check of the file. A file whose row another process is about to save counts as one
    /// without row. On a server, which checks keys itself: tables, columns, indexes and the entities of rows. An addition
    /// to Apple's class.
    ///
    /// - Returns: what is wrong; empty if all is well.
    /// - Throws: `NSPersistentStoreInvalidTypeError` (134000) for another store; the errors of reading one.
    public func verify(_ store: NSPersistentStore) throws -> [StoreProblem] {
        try withLock { try inspection(of: store).findings().map(StoreProblem.init) }
    }

    private func inspection(of store: NSPersistentStore) throws -> any StoreInspection {
        guard let inspection = store.rowStore?.inspection, store.persistentStoreCoordinator === self else {
            throw CoreDataError.make(
                NSPersistentStoreInvalidTypeError,
                description: "The store isn't one of this coordinator's that runs SQL.",
                file: store.url)
        }
        return inspection
    }
}

extension StoreProblem {
    fileprivate init(_ finding: StoreFinding) {
        self.init(
            check: finding.check, explanation: finding.explanation, rows: finding.rows, count: finding.count,
            isHarmful: finding.isHarmful)
    }
}
