// The parts of an ISO 8601 text, read byte by byte: an import reads them by the million.

/// `2024-05-01`, or with a time `2024-05-01T10:20:30.5+02:00`; a blank may stand for the T and before the zone, as in the
/// description of a `Date`. Seconds, their fraction and the zone may be missing. Digits only: whether there is such a day is for others to say.
struct TimestampParts {
    private(set) var year = 0
    private(set) var month = 0
    private(set) var day = 0
    private(set) var hour = 0
    private(set) var minute = 0
    private(set) var second = 0
    private(set) var fraction = 0.0
    /// Seconds east of Greenwich.
    private(set) var offset = 0

    private var rest: Substring.UTF8View

    init?(_ text: String) {
        rest = text[...].utf8
        guard let year = number(4), take("-") != nil, let month = number(2), take("-") != nil,
            let day = number(2)
        else { return nil }
        (self.year, self.month, self.day) = (year, month, day)
        if rest.isEmpty { return }
        guard take("T", "t", " ") != nil, let hour = number(2), take(":") != nil, let minute = number(2)
        else {
            return nil
        }
        (self.hour, self.minute) = (hour, minute)
        guard readSecond(), readZone(), rest.isEmpty else { return nil }
    }

    private mutating func readSecond() -> Bool {
        if take(":") == nil { return true }
        guard let second = number(2) else { return false }
        self.second = second
        if take(".", ",") == nil { return true }
        let digits = rest.prefix { 48...57 ~= $0 }
        guard !digits.isEmpty, let fraction = Double("0." + String(Substring(digits))) else { return false }
        self.fraction = fraction
        rest = rest.dropFirst(digits.count)
        return true
    }

    private mutating func readZone() -> Bool {
        let isApart = take(" ") != nil
        guard let sign = take("Z", "z", "+", "-") else { return !isApart }
        if sign == UInt8(ascii: "Z") || sign == UInt8(ascii: "z") { return true }
        guard let hours = number(2), hours < 24 else { return false }
        var minutes = 0
        if take(":") != nil || !rest.isEmpty {
            guard let number = number(2), number < 60 else { return false }
            minutes = number
        }
        let seconds = hours * 3600 + minutes * 60
        offset = sign == UInt8(ascii: "-") ? -seconds : seconds
        return true
    }

    private mutating func number(_ digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let byte = rest.first, 48...57 ~= byte else { return nil }
            value = value * 10 + Int(byte - 48)
            rest.removeFirst()
        }
        return value
    }

    private mutating func take(_ characters: Unicode.Scalar...) -> UInt8? {
        guard let byte = rest.first, characters.contains(where: { $0.value == UInt32(byte) }) else {
            return nil
        }
        rest.removeFirst()
        return byte
    }
}
