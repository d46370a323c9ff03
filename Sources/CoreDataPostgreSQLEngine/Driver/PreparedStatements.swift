// The names of the statements that a connection has prepared.

/// As many statements as are kept, those that were used last.
struct PreparedStatements {
    private static let limit = 256
    private var numbers: [String: Int] = [:]
    private var uses: [String: Int] = [:]
    private var clock = 0

    enum Choice {
        case known(String)
        /// To be prepared under the name; `dropped` is the name of one that goes for it.
        case new(String, dropped: String?)
    }

    mutating func name(_ text: String) -> Choice {
        clock += 1
        uses[text] = clock
        if let number = numbers[text] { return .known(Self.name(number)) }
        var dropped: String?
        if numbers.count >= Self.limit, let oldest = numbers.keys.min(by: { uses[$0] ?? 0 < uses[$1] ?? 0 }) {
            dropped = numbers[oldest].map(Self.name)
            forget(oldest)
        }
        numbers[text] = clock
        return .new(Self.name(clock), dropped: dropped)
    }

    /// A statement that couldn't be prepared.
    mutating func forget(_ text: String) {
        numbers[text] = nil
        uses[text] = nil
    }

    private static func name(_ number: Int) -> String { "s\(number)" }
}
