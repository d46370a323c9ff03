// Prepared statements by their text: preparing costs ten times what a look-up by key costs.

/// The statements that wait to be used again, at most `capacity` of them, the least recently used leave first.
///
/// A statement in use is not in the cache, so that a nested run of the same text gets a statement of its own.
struct StatementCache {
    private var entries: [String: (statement: Statement, used: UInt64)] = [:]
    /// The one that was used last, which mostly is the next: told by its text, the same string, without a hash of it.
    private var latest: Statement?
    private var clock: UInt64 = 0
    let capacity: Int

    init(capacity: Int) {
        self.capacity = capacity
    }

    var count: Int { entries.count + (latest == nil ? 0 : 1) }

    func contains(_ sql: String) -> Bool { latest?.sql == sql || entries[sql] != nil }

    mutating func take(_ sql: String) -> Statement? {
        if let found = latest, found.sql == sql {
            latest = nil
            return found
        }
        return entries.removeValue(forKey: sql)?.statement
    }

    mutating func put(_ statement: Statement) {
        if let former = latest {
            clock += 1
            entries[former.sql] = (former, clock)
        }
        latest = statement
        if count > capacity { evict() }
    }

    mutating func removeAll() {
        latest = nil
        entries.removeAll()
    }

    /// Drops the older half at once, so that a stream of ever new texts doesn't search for the oldest each time.
    private mutating func evict() {
        guard !entries.isEmpty else { return }
        let oldest = entries.values.map(\.used).sorted()[entries.count / 2]
        entries = entries.filter { $0.value.used >= oldest }
    }
}
