// Saves whose commit had no answer: found again by their marks, now or before the next write.

import CoreDataPostgreSQLEngine
import CoreDataSQL
import CoreDataStores
import CoreDataSupport
import Foundation

/// The saves of one open store, numbered, and those of them whose outcome isn't known or wasn't told.
struct SaveDoubts {
    /// A save that failed without a word whether it stands.
    private struct Unresolved {
        let doubt: UncertainCommit
        let number: Int64
        let digest: Int
    }

    let marks: SaveMarks
    /// Nobody else knows it: no other store's save is taken for one of these.
    private let writer = UUID()
    private var lastNumber: Int64 = 0
    /// Nothing is written while there is one.
    private var unresolved: Unresolved?
    /// Digests of saves that stand, though whoever saved was told that they failed.
    private var untold: Set<Int> = []

    init(_ marks: SaveMarks) { self.marks = marks }

    /// The mark of the next save.
    mutating func next() -> (number: Int64, statement: SQLStatement) {
        lastNumber += 1
        return (lastNumber, marks.mark(lastNumber, by: writer))
    }

    /// Returns whether a save stands. It may take its time until a server can be reached, or has become one that can be written to.
    ///
    /// - Parameters:
    ///   - number: that of its mark.
    ///   - digest: what the save writes.
    ///   - connect: connects anew if need be.
    mutating func stands(
        _ doubt: UncertainCommit, number: Int64, digest: () throws -> Int,
        connect: () throws -> ServerConnection
    ) throws -> Bool {
        let end = ContinuousClock.now + .milliseconds(Int64(doubt.answerTimeout))
        while true {
            do {
                return try connect().lastSave(marks, by: writer, after: doubt) == number
            } catch let failure as ServerFailure {
                if end > .now {
                    Log.warning("the server can't be asked yet about a save: \(failure.message)")
                    poll(nil, 0, 250)
                    continue
                }
                unresolved = Unresolved(doubt: doubt, number: number, digest: try digest())
                throw ServerFailure(
                    .unknownOutcome,
                    message:
                        "The connection was lost while the save was committed, and the server can't be asked whether "
                        + "it was: \(failure.message)")
            }
        }
    }

    /// Finds out about a save whose outcome isn't known. Throws if the server can't be asked still.
    mutating func resolve(_ connect: () throws -> ServerConnection) throws {
        guard let open = unresolved else { return }
        if try connect().lastSave(marks, by: writer, after: open.doubt) == open.number {
            untold.insert(open.digest)
        }
        unresolved = nil
    }

    /// Returns whether a save stands already, because it is the same that was thought to have failed.
    mutating func isUntold(_ digest: () throws -> Int) rethrows -> Bool {
        if untold.isEmpty { return false }
        return try untold.remove(digest()) != nil
    }
}
