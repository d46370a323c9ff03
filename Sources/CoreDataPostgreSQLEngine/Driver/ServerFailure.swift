// The reason why the server or the way to it failed: what the layers above need to choose an error code and to word it.

/// A failure of a connection, a statement or a value.
package struct ServerFailure: Error, Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        /// The address can't be read.
        case address
        /// No server could be reached, or a connection broke.
        case connection
        /// A connection broke while a transaction was committed, and nobody can be asked whether it was.
        case unknownOutcome
        /// The server refuses the user, the password or the database.
        case access
        /// The server is of a version or has settings that a store can't be kept with.
        case server
        /// The server has no connection to give, or none for the user.
        case crowded
        /// Somebody else holds a lock.
        case timeout
        /// Others' transactions made it impossible to go on: it may succeed when it is tried again.
        case conflict
        case unique
        case constraint
        case readOnly
        case permission
        case full
        /// A statement names a table, column or function that isn't there.
        case schema
        case cancelled
        /// A value that the database can't hold.
        case value
        /// More than the server's programs can handle, such as a value that is too long for an index.
        case limit
        case other
    }

    package var kind: Kind
    package var message: String
    /// Five characters; empty where the server wasn't asked.
    package var sqlState: String
    package var sql: String?
    /// The table and the index that refused a row.
    package var table: String?
    package var constraint: String?

    package init(
        _ kind: Kind, message: String, sqlState: String = "", sql: String? = nil, table: String? = nil,
        constraint: String? = nil
    ) {
        self.kind = kind
        self.message = message
        self.sqlState = sqlState
        self.sql = sql
        self.table = table
        self.constraint = constraint
    }
}

extension ServerFailure.Kind {
    /// The meaning of the server's code, by the code itself or by its class.
    init(sqlState: String) {
        switch sqlState {
        case "40001", "40P01": self = .conflict
        case "23505": self = .unique
        case "25006": self = .readOnly
        case "42501": self = .permission
        case "53100": self = .full
        case "54000": self = .limit
        case "53300": self = .crowded
        case "55P03": self = .timeout
        case "57014": self = .cancelled
        case "25P03", "25P04", "57P01", "57P02", "57P03", "57P05": self = .connection
        case "42P01", "42703", "42883", "3F000", "42P18", "0A000", "26000": self = .schema
        case "3D000": self = .access
        default: self.init(sqlStateClass: sqlState.prefix(2))
        }
    }

    private init(sqlStateClass: Substring) {
        switch sqlStateClass {
        case "08": self = .connection
        case "22": self = .value
        case "23": self = .constraint
        case "28": self = .access
        default: self = .other
        }
    }
}
