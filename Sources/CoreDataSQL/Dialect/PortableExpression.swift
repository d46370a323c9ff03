// Regular expressions that mean the same to ICU, which answers MATCHES in memory and for SQLite, and to PostgreSQL.

/// A pattern of literals, groups, alternatives, repetitions, simple sets and `.`; of anything else the two databases
/// think differently.
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
                result += escape
            case "^", "$", "]", "}": return false
            default: result.append(character)
            }
        }
        return depth == 0
    }

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
        var isEmpty = true
        while let character = rest.popFirst() {
            switch character {
            case "]":
                if isEmpty { return false }
                result += text + "]"
                return true
            case "[", "&": return false
            case "\\":
                guard let escape = escape() else { return false }
                text += escape
            case "-":
                guard !isEmpty, let next = rest.first, next != "]", next != "-", next != "\\" else {
                    return false
                }
                text += "-"
            case let character where character.isWhitespace && character != " ": return false
            default: text.append(character)
            }
            isEmpty = false
        }
        return false
    }

    private mutating func escape() -> String? {
        guard let character = rest.popFirst() else { return nil }
        switch character {
        case "n", "r", "t": return "\\" + String(character)
        case let mark where mark.isASCII && (mark.isPunctuation || mark.isSymbol): return "\\" + String(mark)
        default: return nil
        }
    }
}
