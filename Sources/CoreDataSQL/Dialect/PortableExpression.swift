// Regular expressions that mean the same to ICU, which answers MATCHES in memory and for SQLite, and to PostgreSQL.

/// A pattern of literals, groups, alternatives, repetitions, simple sets, `\d` and `.`, with the text's ends where they say nothing;
/// of anything else the two databases think differently.
struct PortableExpression {
    private var rest: Substring
    private var result = ""

    /// The pattern, for the whole text, as PostgreSQL has it; `nil` for one that isn't portable.
    static func postgreSQL(_ pattern: String) -> String? {
        var reader = PortableExpression(rest: pattern[...])
        guard reader.readAll() else { return nil }
        return "^(?:\(reader.result))$"
    }

    private mutating func readAll() -> Bool {
        var depth = 0
        while let character = rest.popFirst() {
            switch character {
            case "(":
                guard openGroup() else { return false }
                depth += 1
            case ")":
                if depth == 0 { return false }
                depth -= 1
                result += ")"
            // The ends of lines too, in both.
            case ".": result += "."
            case "|": result += "|"
            case "*", "+", "?", "{": guard repetition(character) else { return false }
            case "[": guard set() else { return false }
            case "\\":
                guard let escape = escape() else { return false }
                result += escape.isRange ? "[\(escape.text)]" : escape.text
            case "^", "$":
                // An alternative for the whole text begins and ends with it anyway.
                guard depth == 0, character == "^" ? isAtStart : isAtEnd else { return false }
            case "]", "}": return false
            default: result.append(character)
            }
        }
        return depth == 0
    }

    /// Indicates that an alternative for the whole text begins here.
    private var isAtStart: Bool { result.isEmpty || result.hasSuffix("|") && !result.hasSuffix("\\|") }
    /// Indicates that an alternative for the whole text ends here.
    private var isAtEnd: Bool { rest.isEmpty || rest.first == "|" }

    private mutating func openGroup() -> Bool {
        if rest.first == "?" {
            guard rest.hasPrefix("?:") else { return false }
            rest = rest.dropFirst(2)
        }
        result += "(?:"
        return true
    }

    /// A whole text fits a lazy repetition if it fits a greedy one; there are no possessive ones.
    private mutating func repetition(_ first: Character) -> Bool {
        if result.isEmpty || result.hasSuffix("(?:") || result.hasSuffix("|") { return false }
        var text = String(first)
        if first == "{" {
            guard let end = rest.firstIndex(of: "}") else { return false }
            let numbers = rest[..<end].split(separator: ",", omittingEmptySubsequences: false)
            guard numbers.count <= 2, let least = Int(numbers[0]), least <= 255 else { return false }
            if numbers.count == 2, !numbers[1].isEmpty {
                guard let most = Int(numbers[1]), least <= most, most <= 255 else { return false }
            }
            text += rest[..<end] + "}"
            rest = rest[rest.index(after: end)...]
        }
        if rest.first == "?" { rest.removeFirst() }
        guard rest.first != "+", rest.first != "*", rest.first != "{", rest.first != "?" else { return false }
        result += text
        return true
    }

    /// Letters, digits and the like, and ranges of them.
    private mutating func set() -> Bool {
        var text = "["
        if rest.first == "^" {
            text.append(rest.removeFirst())
        }
        var (isEmpty, isBehindRange) = (true, false)
        while let character = rest.popFirst() {
            switch character {
            case "]":
                if isEmpty { return false }
                result += text + "]"
                return true
            case "[", "&": return false
            case "\\":
                guard let escape = escape() else { return false }
                text += escape.text
                (isEmpty, isBehindRange) = (false, escape.isRange)
                continue
            case "-":
                guard !isEmpty, !isBehindRange, let next = rest.first, next != "]", next != "-", next != "\\"
                else { return false }
                text += "-"
            case let character where character.isWhitespace && character != " ": return false
            default: text.append(character)
            }
            (isEmpty, isBehindRange) = (false, false)
        }
        return false
    }

    /// Returns a character, or ranges of characters, which have their place in a set.
    private mutating func escape() -> (text: String, isRange: Bool)? {
        guard let character = rest.popFirst() else { return nil }
        switch character {
        case "n", "r", "t": return ("\\" + String(character), false)
        case "d": return (Self.digits, true)
        case let mark where mark.isASCII && (mark.isPunctuation || mark.isSymbol):
            return ("\\" + String(mark), false)
        default: return nil
        }
    }

    /// The decimal digits of all scripts, as ranges of a set: ICU's `\d`, where PostgreSQL's depends on the collation.
    private static let digits: String = {
        var ranges: [ClosedRange<UInt32>] = []
        for value in UInt32(0)...0x1_FFFF {
            guard Unicode.Scalar(value)?.properties.generalCategory == .decimalNumber else { continue }
            if let last = ranges.last, last.upperBound + 1 == value {
                ranges[ranges.count - 1] = last.lowerBound...value
            } else {
                ranges.append(value...value)
            }
        }
        var text = ""
        for range in ranges {
            guard let first = Unicode.Scalar(range.lowerBound), let last = Unicode.Scalar(range.upperBound)
            else { continue }
            text.unicodeScalars.append(contentsOf: [first, "-", last])
        }
        return text
    }()
}
