// The options with which a file is opened.

/// The options for opening a store's file.
package struct OpeningOptions: Sendable {
    package var mode: Connection.Mode
    /// Pragmas of the client (`journal_mode`, `synchronous`, …) that come after ours.
    package var pragmas: [(name: String, value: String)] = []
    /// The time to wait for another connection's lock.
    package var busyMilliseconds: Int32 = 5000
    package var statementCapacity = 100
    /// Asks to fail (`.busy`) while anybody else has the file open, and keep others out until it is closed. A
    /// file without write-ahead log tells only of those that are reading or writing.
    package var isExclusive = false
    /// Asks for a database in memory instead, which only this connection sees and which goes with it.
    package var isInMemory = false

    package init(_ mode: Connection.Mode) {
        self.mode = mode
    }
}
