// A store's database: fetches rows into slabs, saves rows, keeps metadata and keys.

import CoreDataSQL
package import Foundation

/// Runs statements on one SQLite file.
///
/// Unchecked because a store uses its engine only under its own lock.
package final class SQLiteEngine: @unchecked Sendable {
    package let connection: Connection
    package let files: ExternalFiles
    let writer: ExternalWriter
    /// Statements that read one row by its key, by decoder. The decoder is kept so that its identity is not reused.
    var rowStatements: [ObjectIdentifier: (decoder: RowDecoder, statement: Statement)] = [:]
    /// The one that was used last. Unchecked, as the next field: sound because a store uses its engine only under its lock,
    /// which the thread sanitizer watches in ConcurrencyUnderLoadTests (Scripts/test --long).
    @exclusivity(unchecked)
    var rowStatement: (decoder: RowDecoder, statement: Statement)?

    @exclusivity(unchecked)
    var relatedSize = RelatedSize()

    /// Called at the start of each transaction that writes; what it throws ends the transaction.
    package var beforeWriting: (() throws -> Void)?

    /// Opens a store's file, or makes the file if the mode is `create`.
    package convenience init(path: String, _ options: OpeningOptions) throws {
        self.init(connection: try Connection.open(path: path, options))
    }

    init(connection: Connection) {
        self.connection = connection
        files = ExternalFiles(storePath: connection.path)
        writer = ExternalWriter(files)
        writer.keepsInline = connection.isInMemory
    }

    /// Has SQLite roll back what a process that died left half written. Nothing happens where there is no such journal, or
    /// where the file may not be written.
    package static func rollBack(path: String, _ options: OpeningOptions) throws {
        try Connection.rollBack(path, options: options)
    }

    /// Opens a store's file for reading, hands it over and closes it. The file stays as it is. The closure may run more
    /// than once: again if somebody wrote over what it read without locks.
    package static func reading<Result>(
        path: String, options: OpeningOptions = OpeningOptions(.readOnly),
        body: (SQLiteEngine) throws -> Result
    ) throws -> Result {
        try Connection.reading(FileProbe.target(of: path), options: options) {
            try body(SQLiteEngine(connection: $0))
        }
    }

    package var path: String { connection.path }

    /// Told of every statement that ran.
    package var trace: ((TraceEvent) -> Void)? {
        get { connection.trace }
        set { connection.trace = newValue }
    }

    /// The folder with the store's external values.
    package var externalFolder: URL { files.folder }

    package func close() {
        rowStatements.removeAll()
        rowStatement = nil
        beforeWriting = nil
        connection.close()
        writer.keepsSuperfluous = false
    }
}
