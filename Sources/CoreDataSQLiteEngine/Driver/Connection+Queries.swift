// A connection for statements that somebody typed: it runs queries and nothing else.

import CSQLite

extension Connection {
    /// Authorises queries only, for as long as the connection is open: neither writes, nor pragmas, nor other databases. Other
    /// statements aren't compiled.
    ///
    /// - Parameter longestValue: the bytes of the longest text or blob that a statement may make.
    package func restrictToQueries(longestValue: Int) {
        sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Int32(clamping: longestValue))
        sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
        sqlite3_set_authorizer(
            handle,
            { _, action, _, _, _, _ in
                switch action {
                case SQLITE_SELECT, SQLITE_READ, SQLITE_FUNCTION, SQLITE_RECURSIVE: SQLITE_OK
                default: SQLITE_DENY
                }
            }, nil)
    }
}
