// A query in SQL that a person typed, on the store's file or in its database on a server.

import CoreData
import StoreTools

/// Runs queries on a store: read-only, one statement, bounded in time, rows and size.
enum SQLPane {
    static let seconds = 5
    static let rows = 500
    private static let columns = 100
    private static let longestStatement = 20_000
    /// Bytes of a value that a query may make, and of one that is looked into.
    private static let longestValue = 64 << 20
    private static let longestShown = 1 << 20

    /// Runs queries, which may take seconds, beside all other requests.
    private static let queue = DispatchQueue(label: "studio.sql", attributes: .concurrent)

    struct Answer: Sendable {
        var columns: [String] = []
        var rows: [StudioValue] = []
        var isCut = false
        var milliseconds = 0.0
        var plan: [String] = []

        var value: StudioValue {
            [
                "columns": .texts(columns), "rows": .list(rows), "isCut": .bool(isCut),
                "milliseconds": .double(milliseconds), "plan": .texts(plan),
            ]
        }
    }

    private struct Enough: Error {}

    /// - Throws: a problem of status 422 with what SQLite says, or that the time is over; 409 where the page asked for something
    ///   else meanwhile.
    static func run(_ sql: String, on store: NSPersistentStore, turn: ReadTurns.Turn) async throws -> Answer {
        guard sql.utf8.count <= longestStatement else {
            throw StudioProblem(status: 413, "A statement has up to \(longestStatement) characters here.")
        }
        let source = try Source(of: store, sql: sql)
        return try await withCheckedThrowingContinuation { continuation in
            queue.async {
                continuation.resume(with: Result { try answer(sql, source: source, turn: turn) })
            }
        }
    }

    /// The file or the store on a server. Unchecked because nobody changes the URL and the options of an open store.
    private struct Source: @unchecked Sendable {
        let store: NSPersistentStore
        let isFile: Bool
        var plan: String { isFile ? "EXPLAIN QUERY PLAN " : "EXPLAIN " }

        /// On a server only what begins as a query is run: a transaction that can't write keeps others from changing rows, not from
        /// all that they might do there.
        init(of store: NSPersistentStore, sql: String) throws {
            self.store = store
            isFile = store.url?.isFileURL ?? true
            let first = sql.drop { $0.isWhitespace || $0 == "(" }.prefix { $0.isLetter }.lowercased()
            if !isFile, !["select", "with", "values", "table"].contains(first) {
                throw StudioProblem(status: 422, "A query begins with SELECT, WITH, VALUES or TABLE.")
            }
        }
    }

    private static func answer(_ sql: String, source: Source, turn: ReadTurns.Turn) throws -> Answer {
        let start = ContinuousClock.now
        let end = start + .seconds(seconds)
        var answer = Answer()
        do {
            try query(source.plan + sql, source: source, turn: turn, end: end) {
                if case .text(let line)? = $0.last { answer.plan.append(line) }
            }
            do {
                try query(
                    sql, source: source, turn: turn, end: end,
                    columns: { answer.columns = Array($0.prefix(columns)) }
                ) {
                    row in
                    guard answer.rows.count < rows else { throw Enough() }
                    answer.rows.append(.list(row.prefix(columns).map(shown)))
                }
            } catch is Enough {
                answer.isCut = true
            }
        } catch {
            if turn.isOver {
                throw StudioProblem(status: 409, "The page asked for something else meanwhile.")
            }
            if ContinuousClock.now >= end {
                throw StudioProblem(
                    status: 422, "The query took longer than \(seconds) seconds and was given up.")
            }
            throw StudioProblem(status: 422, readable(error))
        }
        let parts = start.duration(to: .now).components
        answer.milliseconds = Double(parts.seconds) * 1000 + Double(parts.attoseconds) * 1e-15
        return answer
    }

    private static func query(
        _ sql: String, source: Source, turn: ReadTurns.Turn, end: ContinuousClock.Instant,
        columns: ([String]) -> Void = { _ in }, row: ([SQLValue]) throws -> Void
    ) throws {
        let isStopped = { turn.isOver || ContinuousClock.now >= end }
        guard source.isFile, let url = source.store.url else {
            return try ServerStores.readSQL(
                sql, of: source.store, stoppedWhen: isStopped, columns: columns, row: row)
        }
        try NSPersistentStoreCoordinator.query(
            sql, inStoreAt: url, longestValue: longestValue, stoppedWhen: isStopped, columns: columns,
            row: row)
    }

    private static func shown(_ value: SQLValue) -> StudioValue {
        switch value {
        case .null: .null
        case .integer(let number):
            number.magnitude > StudioValue.exact.magnitude
                ? .tagged("integer", text: "\(number)") : .integer(number)
        case .double(let number): number.isFinite ? .double(number) : .tagged("number", text: "\(number)")
        case .text(let text): ShownValue(limit: ShownValue.cell).text(text)
        case .blob(let data) where data.count > longestShown:
            ["$": "data", "bytes": .integer(data.count), "type": .optional(ByteSignature.type(of: data))]
        case .blob(let data): ShownValue(limit: ShownValue.cell).bytes(data)
        }
    }
}

extension DataRoutes {
    private struct Query: Codable, Sendable {
        var question: ReadTurns.Question?
        var sql: String
    }

    func addSQL(to routes: inout StudioRoutes) {
        routes.post("data/sql") { call in
            let query = try call.body(Query.self)
            try await call.allowSQL()
            let workspace = try call.workspace
            guard let store = workspace.storeOfSQL else {
                throw StudioProblem(status: 422, "This kind of store has no SQL.")
            }
            let turn = workspace.turns.turn(of: query.question)
            return try await SQLPane.run(query.sql, on: store, turn: turn).value
        }
    }
}

extension StudioCall {
    /// Throws 403 unless the person may run statements of their own. Those read the whole file, so that all entities must be
    /// granted.
    func allowSQL() async throws {
        try await allow(.runSQL)
        for entity in studio.model?.entities.compactMap(\.name) ?? [] {
            try await allow(.read, entity: entity)
        }
    }
}
