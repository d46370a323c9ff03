// The parts of a migration that are done while programs are at work: columns that are filled before, and what is left for later.
// Each is done bit by bit, so that whoever comes next goes on where a killed program stopped.

package import CoreDataSQL
import CoreDataSupport
import Foundation

extension ConnectedStore {
    /// Rows that are filled in one transaction.
    private static let batch = 5000
    /// Milliseconds to wait before a batch is tried again that the server ended for the sake of others.
    private static let pauses: [Int32] = [10, 50, 250, 1000, 1000]

    // MARK: Columns that are filled before

    package func spares() throws -> [SpareColumn] {
        try connection.fetchValues(catalogue.spares).compactMap { row in
            guard row.count == 7, case .integer(let number) = row[0], case .text(let table) = row[1],
                case .text(let column) = row[2], case .text(let type) = row[3],
                case .text(let value) = row[4],
                case .integer(let last) = row[5], case .integer(let isFilled) = row[6]
            else { return nil }
            return SpareColumn(
                number: number, table: table, column: column, type: type, value: value, lastKey: last,
                isFilled: isFilled != 0)
        }
    }

    /// Makes spare columns and fills them, beside programs at work. Waits for others who are at it. To be called outside of a
    /// transaction.
    package func fill(_ wanted: [SpareColumn], progress: (SpareColumn) -> Void = { _ in }) throws {
        if wanted.isEmpty { return }
        let lock = try begin(.work, waiting: true)
        defer { lock?.end() }
        let known = try spares()
        for var spare in try wanted.map({ try self.spare($0, among: known) }) {
            while !spare.isFilled {
                try repeating { try fillBatch(&spare) }
                progress(spare)
            }
        }
    }

    private func spare(_ wanted: SpareColumn, among known: [SpareColumn]) throws -> SpareColumn {
        let found = known.first {
            $0.table == wanted.table && $0.column == wanted.column && $0.value == wanted.value
                && $0.type == wanted.type
        }
        return try found
            ?? connection.transaction {
                try limitWaiting(seconds: 2)
                var spare = wanted
                spare.number = try connection.run(catalogue.add(wanted)).integer(0, column: 0)
                for statement in catalogue.definitions(of: spare) { try connection.send(statement) }
                return spare
            }
    }

    private func fillBatch(_ spare: inout SpareColumn) throws {
        let key = PlainNaming().head.key
        var next = spare
        try connection.transaction {
            let end = try connection.run(catalogue.endOfBatch(spare, count: Self.batch, key: key))
            if end.isNull(0, column: 0) {
                next.isFilled = true
                return try connection.send(catalogue.noteFilled(spare))
            }
            next.lastKey = end.integer(0, column: 0)
            for statement in catalogue.fill(spare, through: next.lastKey, key: key) {
                try connection.send(statement)
            }
        }
        spare = next
    }

    private func repeating(_ body: () throws -> Void) throws {
        for pause in Self.pauses {
            do {
                return try body()
            } catch let failure as ServerFailure where failure.kind == .conflict {
                Log.warning(
                    "the server ended a batch of a migration for the sake of others: \(failure.message)")
                poll(nil, 0, pause)
            }
        }
        try body()
    }

    // MARK: Work left for later

    package func work() throws -> [(number: Int64, work: PostgreSQLCatalogue.Work)] {
        try connection.fetchValues(catalogue.work).compactMap { row in
            guard row.count == 4, case .integer(let number) = row[0], case .text(let summary) = row[1],
                case .text(let statement) = row[3]
            else { return nil }
            var work = PostgreSQLCatalogue.Work(summary: summary, preparation: nil, statement: statement)
            if case .text(let preparation) = row[2] { work.preparation = preparation }
            return (number, work)
        }
    }

    /// Does what a migration left, unless somebody else is at it. To be called outside of a transaction.
    ///
    /// - Parameter indexes: those of the store, for one that has to take values of any size.
    package func doWork(indexes: [IndexShape] = [], progress: (String) -> Void = { _ in }) throws {
        guard let lock = try begin(.work) else { return }
        defer { lock.end() }
        // Making an index waits for all transactions that began before it. A pooler would hand the setting on to others.
        if keeper == nil { try connection.run("SET lock_timeout = '60s'") }
        defer { if keeper == nil, !connection.isBroken { _ = try? connection.run("RESET lock_timeout") } }
        for (number, work) in try work() {
            progress(work.summary)
            if let preparation = work.preparation { try connection.run(preparation) }
            do {
                try connection.run(work.statement)
            } catch let failure as ServerFailure where failure.kind == .limit {
                guard let index = indexes.first(where: { $0.isMade(by: work.statement) }) else {
                    throw failure
                }
                if let preparation = work.preparation { try connection.run(preparation) }
                for statement in index.unlimitedBesideOthers { try connection.run(statement) }
            }
            try connection.run(catalogue.deleteWork(number))
        }
    }
}
