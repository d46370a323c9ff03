// Work on a whole file: packing, counting, checking, its names.

package import CoreDataSQL
package import Foundation

extension SQLiteEngine {
    /// Rewrites the file without gaps.
    package func vacuum() throws { try execute(SQLStatement("VACUUM")) }

    /// Has SQLite count what its indexes hold, which lets it choose better among them.
    package func analyze() throws { try execute(SQLStatement("ANALYZE")) }

    /// Returns SQLite's plan of a statement, a line for each step.
    package func plan(of statement: SQLStatement) throws -> [String] {
        let rows = try fetchValues(
            SQLStatement("EXPLAIN QUERY PLAN " + statement.text, bindings: statement.bindings))
        return rows.compactMap { row in
            if case .text(let line)? = row.last { return line }
            return nil
        }
    }

    /// Returns the damages that SQLite finds in the file's pages and indexes, whether it ends its check or not, a line for
    /// each; empty if it is sound.
    package func damages() throws -> [String] {
        let findings: [String]
        do {
            findings = try fetchValues(SQLStatement("PRAGMA integrity_check")).compactMap { row in
                if case .text(let line)? = row.first, line != "ok" { return line }
                return nil
            }
        } catch let failure as EngineFailure where failure.kind == .corrupt {
            findings = [failure.message]
        }
        // SQLite joins what it finds to one text of several lines.
        return findings.flatMap { $0.split(separator: "\n").map(String.init) }
    }

    /// The file that a path leads to, through symbolic links: log, index and external values are beside that one.
    package static func target(of path: String) -> String { FileProbe.target(of: path) }

    /// Writes the log into the file and does away with it, and keeps others out until the engine is closed. Throws if
    /// another connection has the file open.
    package func endLog() throws {
        let mode = try fetchValues(SQLStatement("PRAGMA journal_mode = DELETE")).first?.first
        guard case .text("delete")? = mode else {
            throw EngineFailure(.busy, message: "The file's log can't be ended.", path: path)
        }
        try connection.noteLog()
        try execute(SQLStatement("BEGIN EXCLUSIVE"))
    }

    /// Returns the files beside a database, and last itself.
    package static func files(ofStoreAt path: String) -> [String] {
        ["-wal", "-shm", "-journal", ""].map { path + $0 }
    }

    /// The folder with a store's external values and everything else that belongs to it.
    package static func supportFolder(ofStoreAt path: String) -> URL {
        ExternalFiles(storePath: path).folder.deletingLastPathComponent()
    }
}
