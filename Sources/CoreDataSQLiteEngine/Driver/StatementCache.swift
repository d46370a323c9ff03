// Prepared statements by their text: preparing costs ten times what a look-up by key costs.

/// The statements that wait to be used again, at most `capacity` of them, the least recently used leave first.
///
/// A statement in use is not in the cache, so that a nested run of the same text gets a statement of its own.
struct StatementCache {
    private var entries: [String: (statement: Statement, used: UInt64)] = [:]
    private var clock: UInt64 = 0
    let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { entries.count }

    func contains(_ sql: String) -> Bool { entries[sql] != nil }

    mutating func take(_ sql: String) -> Statement? {
        entries.removeValue(forKey: sql)?.statement
    }

    mutating func put(_ statement: Statement) {
        clock += 1
        entries[statement.sql] = (statement, clock)
        if entries.count > capacity { evict() }
    }

    mutating func removeAll() { entries.removeAll() }

    /// Drops the older half at once, so that a stream of ever new texts doesn't search for the oldest each time.
    private mutating func evict() {
        let oldest = entries.values.map(\.used).sorted()[entries.count / 2]
        entries = entries.filter { $0.value.used >= oldest }
    }
}
