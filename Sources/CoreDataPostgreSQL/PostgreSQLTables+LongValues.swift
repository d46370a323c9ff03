// Values that are too long for an index.

import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataSupport

extension PostgreSQLTables {
    /// Runs a transaction again whenever the indexes that were too small for a value have been made anew without their limit.
    func liftingLimits<Result>(_ body: () throws -> Result) throws -> Result {
        while true {
            do {
                return try body()
            } catch let failure as ServerFailure where failure.kind == .limit {
                guard try liftLimits(failure, ofAll: false) else { throw failure }
            }
        }
    }

    /// Runs a transaction that can't be run again.
    func onceLifting<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let failure as ServerFailure where failure.kind == .limit {
            guard try liftLimits(failure, ofAll: true) else { throw failure }
            throw failure.adding("The index takes values of any size now: try the same again.")
        }
    }

    /// Makes the indexes anew that refused a value. Returns whether there were any; none are made within a transaction, nor by who
    /// may not.
    ///
    /// - Parameter all: whether all indexes of the table are meant that could refuse one.
    func liftLimits(_ failure: ServerFailure, ofAll all: Bool) throws -> Bool {
        let found = shape.indexes.filter { $0.isLimited && $0.isMeant(by: failure, orOfAll: all) }
        let connection = try connection()
        guard let first = found.first, !connection.isInTransaction else { return false }
        do {
            let lifted = try connection.transaction {
                try connection.run("SET LOCAL lock_timeout = '2s'")
                try connection.run(first.tableLock)
                let limited = Set(try connection.texts(IndexShape.limited))
                let lifted = found.filter { limited.contains($0.name) }
                for statement in lifted.flatMap(\.lifting) { try connection.send(statement) }
                return lifted.map(\.name)
            }
            if lifted.isEmpty { return false }
            Log.warning(
                "a value was too long for \(lifted.joined(separator: ", ")): the index takes values of any size now, "
                    + "and doesn't sort any more")
            return true
        } catch let refusal as ServerFailure where refusal.kind == .permission {
            throw failure.adding("Only the owner of the table can make its indexes take values of any size.")
        }
    }
}

extension IndexShape {
    /// The server names the index for values that fit a page, and none for longer ones.
    fileprivate func isMeant(by failure: ServerFailure, orOfAll all: Bool) -> Bool {
        if let constraint = failure.constraint, !all { return constraint == name }
        return failure.table.map { $0 == table }
            ?? failure.sql?.contains(quoted(identifier: table)) ?? false
    }
}

extension ServerFailure {
    fileprivate func adding(_ sentence: String) -> ServerFailure {
        var failure = self
        failure.message += ". \(sentence)"
        return failure
    }
}
