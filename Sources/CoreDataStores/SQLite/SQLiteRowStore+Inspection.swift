// The view that tools have of a store in a file, and of one that isn't open.

package import CoreDataSQL
import CoreDataSQLiteEngine
import CoreDataSchema
import CoreDataSupport
package import Foundation

extension SQLiteRowStore: StoreTracing {
    private func opened() throws -> SQLiteFile {
        guard let file else { throw StoreErrors.removed(host.url) }
        return file
    }

    package func statement(
        for fetch: FetchDescription, deliversRows: Bool
    ) throws -> (statement: SQLStatement, plan: [String]) {
        let file = try opened()
        return try mapping(.fetching) {
            var fetch = fetch
            if deliversRows, let entity = file.model.runtime(named: fetch.entityName) {
                fetch.result = .rows(columns: try file.decoder(entity).columns)
            }
            let statement = try file.planner().statement(for: fetch)
            return (statement, try file.engine.plan(of: statement))
        }
    }

    package func plan(ofSQL sql: String) throws -> [String] {
        try opened().engine.plan(of: SQLStatement(sql))
    }

    package func findings() throws -> [StoreFinding] {
        let file = try opened()
        return try mapping(.fetching) { try file.findings(placedEntities) }
    }

    package func observe(_ observer: ((StatementRun) -> Void)?) {
        let debug = SQLDebug.current?.trace
        guard let observer else {
            file?.engine.trace = debug
            return
        }
        file?.engine.trace = { event in
            debug?(event)
            observer(StatementRun(event))
        }
    }

    package func rehearse(
        telling observer: @escaping (StatementRun) -> Void, _ body: () throws -> Void
    ) throws {
        let file = try opened()
        let trace = file.engine.trace
        file.engine.trace = { observer(StatementRun($0)) }
        defer { file.engine.trace = trace }
        try file.engine.transaction(body)
    }

    package func nameOfState() -> String? {
        guard !isInMemory, let url = host.url, url.isFileURL else { return nil }
        var parts = [metadata.uuid, url.path]
        for path in [url.path, url.path + "-wal"] {
            let attributes = (try? FileManager.default.attributesOfItem(atPath: path)) ?? [:]
            let time = (attributes[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
            parts.append("\(attributes[.size] ?? 0) \(attributes[.systemFileNumber] ?? 0) \(time)")
        }
        // The head of the log changes when the log begins anew.
        if let head = try? DatabaseBytes.start(ofFileAt: url.path + "-wal", count: 32) {
            parts.append(head.base64EncodedString())
        }
        return parts.joined(separator: " ")
    }
}

extension StatementRun {
    fileprivate init(_ event: TraceEvent) {
        self.init(sql: event.sql, bindings: event.bindings, duration: event.duration)
    }
}

// MARK: Stores that aren't open

/// The bounds of a statement that a person typed.
package struct StatementBounds {
    /// Bytes of the longest text or blob that it may make.
    package let longestValue: Int
    /// Returns whether the statement is to fail; asked amid it.
    package let isOver: () -> Bool

    package init(longestValue: Int, isOver: @escaping () -> Bool) {
        self.longestValue = longestValue
        self.isOver = isOver
    }
}

extension SQLiteRowStore {
    /// Returns whether a database's header says that it is written by way of a log: byte 18 is 2.
    package static func usesWriteAheadLog(at url: URL) throws -> Bool {
        try mapping(url, occasion: .opening) {
            try DatabaseBytes.start(ofFileAt: url.path, count: 20).dropFirst(18).first == 2
        }
    }

    /// Runs one statement that only reads, and hands over the names of its columns, then row after row.
    ///
    /// - Parameter bounds: those of a statement that nobody has looked at.
    package static func read(
        sql: String, at url: URL, options: SQLiteStoreOptions, bounds: StatementBounds? = nil,
        columns receiveColumns: ([String]) throws -> Void,
        row receiveRow: ([SQLBinding]) throws -> Void
    ) throws {
        try mapping(url, occasion: .fetching) {
            let engine = try SQLiteEngine(path: url.path, options.opening(.readOnly))
            defer { engine.close() }
            func run() throws {
                try engine.connection.withStatement(sql) { statement in
                    try checkReads(statement, url: url)
                    try receiveColumns(statement.columnNames)
                    let columns = 0..<statement.columnCount
                    while try statement.step() { try receiveRow(columns.map { statement.value($0) }) }
                }
            }
            guard let bounds else { return try run() }
            engine.connection.restrictToQueries(longestValue: bounds.longestValue)
            try engine.connection.stopping(when: bounds.isOver, run)
        }
    }

    private static func checkReads(_ statement: Statement, url: URL) throws {
        let reason: String
        if statement.hasMoreText {
            reason = "The text holds more than one statement."
        } else if statement.columnCount == 0 || !statement.isReadOnly {
            reason = "The statement doesn't only read."
        } else {
            return
        }
        throw CoreDataError.make(
            ErrorCode.unsupportedRequest, description: "The SQL can't be run here.", file: url, reason: reason
        )
    }
}
