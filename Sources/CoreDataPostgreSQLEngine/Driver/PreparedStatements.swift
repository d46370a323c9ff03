// The names of the statements that a connection has prepared.

/// As many statements as are kept, those that were used last.
struct PreparedStatements {
    private static let limit = 256
    private var known: [String: Entry] = [:]
    private var clock = 0

    /// One statement. A class, so that its use is noted without a second look-up of its text.
    private final class Entry {
        let name: String
        var lastUse: Int

        init(name: String, lastUse: Int) {
            (self.name, self.lastUse) = (name, lastUse)
        }
    }

    enum Choice {
        case known(String)
        /// To be prepared under the name; `dropped` is the name of one that goes for it.
        case new(String, dropped: String?)
    }

    mutating func name(_ text: String) -> Choice {
        clock += 1
        if let entry = known[text] {
            entry.lastUse = clock
            return .known(entry.name)
        }
        var dropped: String?
        if known.count >= Self.limit, let oldest = known.min(by: { $0.value.lastUse < $1.value.lastUse }) {
            dropped = oldest.value.name
            forget(oldest.key)
        }
        let entry = Entry(name: "s\(clock)", lastUse: clock)
        known[text] = entry
        return .new(entry.name, dropped: dropped)
    }

    /// A statement that couldn't be prepared.
    mutating func forget(_ text: String) { known[text] = nil }
}
