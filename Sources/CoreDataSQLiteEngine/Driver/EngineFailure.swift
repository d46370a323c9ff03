// The reason why the engine failed: everything that the layers above need to choose an error code
// and to word it.

/// A failure of the database, the file or the disk.
package struct EngineFailure: Error, Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// The file has other contents than an SQLite database.
        case notADatabase
        /// A sound SQLite database without the tables of a store.
        case notAStore
        case corrupt
        /// The file ends before the size that its header states, or has no bytes at all.
        case truncated
        /// Another connection or process holds a lock and didn't let go within the busy timeout.
        case busy
        /// The file, its folder or the way it was opened forbids writing.
        case readOnly
        case full
        /// A unique index refused a row.
        case unique(UniqueViolation)
        /// Any other constraint.
        case constraint
        /// The file isn't there.
        case missing
        /// The folder in which a file was to be made isn't there.
        case noFolder
        case permission
        /// A file of an external value can't be read; `errno` says why. The path is the file's.
        case external(Int32)
        case io
        /// The SQL names a table, column or function that isn't there: the file has another layout than thought.
        case schema
        case interrupted
        case other
    }

    package var kind: Kind
    /// SQLite's result code; 0 where SQLite was not asked.
    package var code: Int32
    package var extendedCode: Int32
    package var message: String
    package var sql: String?
    package var path: String
    /// The `errno` of the call of the system's that failed; 0 where none did or it isn't known.
    package var systemError: Int32

    package init(
        _ kind: Kind, message: String, path: String, code: Int32 = 0, extendedCode: Int32 = 0,
        sql: String? = nil, systemError: Int32 = 0
    ) {
        self.kind = kind
        self.code = code
        self.extendedCode = extendedCode
        self.message = message
        self.sql = sql
        self.path = path
        self.systemError = systemError
    }
}

extension EngineFailure {
    /// `true` if a commit that failed so may hold: all of it was written, and the system failed to say that it is on the disk,
    /// or to take the journal away.
    var mayStandNoneTheLess: Bool { kind == .io }
}

/// The unique index that refused a row.
package struct UniqueViolation: Sendable, Hashable {
    package var table: String
    package var columns: [String]
    /// `nil` for a primary key.
    package var index: String?

    package init(table: String, columns: [String], index: String?) {
        self.table = table
        self.columns = columns
        self.index = index
    }
}
