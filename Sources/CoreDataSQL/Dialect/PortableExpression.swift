// Regular expressions that mean the same to ICU, which answers MATCHES in memory and for SQLite, and to PostgreSQL.

/// Reads a pattern of ICU's and writes it as PostgreSQL has it. Classes of characters become the characters that ICU takes for them, so
/// that neither the server's Unicode nor a column's collation decides. Of the rest (references to groups, possessive and atomic parts,
/// grapheme clusters) the two databases think differently.
struct PortableExpression {
    private var rest: Substring.UnicodeScalarView
    private var result = ""
    /// Literal characters that ICU compares as one text, which decides what full case folding finds.
    private var literal: [Unicode.Scalar] = []
    private var ignoresCase: Bool
    private var groups: [Group] = []
    /// Indicates that a repetition may follow.
    private var isBehindAtom = false
    /// Indicates that an alternative for the whole text begins here.
    private var isAtStart = true

    private struct Group {
        let ignoredCase: Bool
        let isAssertion: Bool
    }

    /// The pattern, for the whole text, as PostgreSQL has it; `nil` for one that isn't portable. It must be valid.
    static func postgreSQL(_ pattern: String, ignoresCase: Bool = false) -> String? {
        var reader = PortableExpression(rest: pattern.unicodeScalars[...], ignoresCase: ignoresCase)
        guard reader.readAll() else { return nil }
        return "^(?:\(reader.result))$"
    }

    private init(rest: Substring.UnicodeScalarView, ignoresCase: Bool) {
        (self.rest, self.ignoresCase) = (rest, ignoresCase)
    }

    private mutating func readAll() -> Bool {
        while let scalar = rest.popFirst() {
            guard read(scalar) else { return false }
        }
        return flush() && groups.isEmpty
    }

    private mutating func read(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "(": return openGroup()
        case ")": return closeGroup()
        case ".": return atom(PatternCharacters.any)
        case "|":
            guard write("|", isAtom: false) else { return false }
            isAtStart = groups.isEmpty
            return true
        case "*", "+", "?", "{": return repetition(scalar)
        case "[": return set()
        case "\\": return escape()
        case "^":
            if groups.isEmpty, isAtStart, literal.isEmpty {
                // An alternative for the whole text begins with it anyway.
                isBehindAtom = false
                return true
            }
            return write(PatternCharacters.lineStart, isAtom: false)
        case "$":
            let isAtEnd = groups.isEmpty && (rest.isEmpty || rest.first == "|")
            return write(isAtEnd ? "" : PatternCharacters.lineEnd, isAtom: false)
        case "]", "}": return false
        default: return character(scalar)
        }
    }

    private mutating func atom(_ text: String) -> Bool { write(text, isAtom: true) }

    private mutating func write(_ text: String, isAtom: Bool) -> Bool {
        guard flush() else { return false }
        result += text
        (isBehindAtom, isAtStart) = (isAtom, false)
        return true
    }

    private mutating func character(_ scalar: Unicode.Scalar) -> Bool {
        // No text on a server has it.
        if scalar == "\0" { return false }
        literal.append(scalar)
        (isBehindAtom, isAtStart) = (true, false)
        return true
    }

    /// Writes the literal characters that were read. A repetition concerns only the last one.
    private mutating func flush(beforeRepetition: Bool = false) -> Bool {
        guard let last = literal.last else { return true }
        let parts = beforeRepetition && literal.count > 1 ? [Array(literal.dropLast()), [last]] : [literal]
        literal = []
        for part in parts {
            guard ignoresCase else {
                result += part.map(PatternCharacters.escaped).joined()
                continue
            }
            guard let text = FoldedLiteral(part).expression else { return false }
            result += text
        }
        return true
    }
}

// MARK: Groups and repetitions

extension PortableExpression {
    private mutating func openGroup() -> Bool {
        guard rest.first == "?" else { return open("(?:") }
        rest.removeFirst()
        switch rest.popFirst() {
        case ":": return open("(?:")
        case "=": return open("(?=", isAssertion: true)
        case "!": return open("(?!", isAssertion: true)
        case "<":
            if let kind = rest.first, kind == "=" || kind == "!" {
                rest.removeFirst()
                return open("(?<\(kind)", isAssertion: true)
            }
            // A group with a name.
            guard let end = rest.firstIndex(of: ">") else { return false }
            rest = rest[rest.index(after: end)...]
            return open("(?:")
        case let flag?: return flags(from: flag)
        case nil: return false
        }
    }

    private mutating func open(_ text: String, isAssertion: Bool = false, ignoringCase: Bool? = nil) -> Bool {
        guard write(text, isAtom: false) else { return false }
        groups.append(Group(ignoredCase: ignoresCase, isAssertion: isAssertion))
        if let ignoringCase { ignoresCase = ignoringCase }
        return true
    }

    private mutating func closeGroup() -> Bool {
        guard let group = groups.popLast() else { return false }
        guard write(")", isAtom: !group.isAssertion) else { return false }
        ignoresCase = group.ignoredCase
        return true
    }

    /// `(?i)`, for what is left of the group, and `(?i:`. Lines are told apart and points take their ends anyway.
    private mutating func flags(from first: Unicode.Scalar) -> Bool {
        var (flag, isOn, ignoring) = (first, true, ignoresCase)
        while true {
            switch flag {
            case "i": ignoring = isOn
            case "s" where isOn, "m" where isOn: break
            case "-" where isOn: isOn = false
            case ":": return open("(?:", ignoringCase: ignoring)
            case ")":
                guard flush() else { return false }
                (ignoresCase, isBehindAtom) = (ignoring, false)
                return true
            default: return false
            }
            guard let next = rest.popFirst() else { return false }
            flag = next
        }
    }

    /// A whole text fits a lazy repetition if it fits a greedy one; there are no possessive ones.
    private mutating func repetition(_ first: Unicode.Scalar) -> Bool {
        guard isBehindAtom, flush(beforeRepetition: true) else { return false }
        var text = String(first)
        if first == "{" {
            guard let end = rest.firstIndex(of: "}") else { return false }
            let numbers = rest[..<end].split(separator: ",", omittingEmptySubsequences: false).map(
                String.init)
            guard numbers.count <= 2, let least = Self.count(numbers[0]) else { return false }
            if numbers.count == 2, !numbers[1].isEmpty {
                guard let most = Self.count(numbers[1]), least <= most else { return false }
            }
            text += numbers.joined(separator: ",") + "}"
            rest = rest[rest.index(after: end)...]
        }
        if rest.first == "?" { rest.removeFirst() }
        guard rest.first != "+", rest.first != "*", rest.first != "{", rest.first != "?" else { return false }
        return write(text, isAtom: false)
    }

    private static func count(_ text: String) -> Int? {
        guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let count = Int(text) else { return nil }
        return count <= 255 ? count : nil
    }
}

// MARK: Sets and escapes

extension PortableExpression {
    private mutating func set() -> Bool {
        let start = rest
        if !ignoresCase, let text = simpleSet() { return atom(text) }
        rest = start
        guard let end = endOfSet() else { return false }
        let text = "[" + String(rest[..<end])
        rest = rest[end...]
        return characters(text)
    }

    /// A class of characters, as ICU says which they are.
    private mutating func characters(_ text: String) -> Bool {
        guard let ranges = PatternCharacters.ranges(of: text, ignoresCase: ignoresCase) else { return false }
        // ICU takes a set of one character for the character, whose full folding counts then.
        if let one = PatternCharacters.single(ranges) { return character(one) }
        return atom("[\(ranges)]")
    }

    /// Letters, digits and the like, and ranges of them, which read in the same way.
    private mutating func simpleSet() -> String? {
        var text = "["
        if rest.first == "^" {
            rest.removeFirst()
            text += "^"
        }
        var (isEmpty, isBehindRange) = (true, false)
        while let scalar = rest.popFirst() {
            switch scalar {
            case "]": return isEmpty ? nil : text + "]"
            case "-":
                guard !isEmpty, !isBehindRange, let next = rest.first, Self.isPlain(next) else { return nil }
                rest.removeFirst()
                text += "-" + PatternCharacters.escaped(next)
                isBehindRange = true
            case "\\":
                guard let escaped = rest.popFirst(), PatternCharacters.isMark(escaped) else { return nil }
                text += PatternCharacters.escaped(escaped)
                (isEmpty, isBehindRange) = (false, false)
            case let scalar where Self.isPlain(scalar):
                text += PatternCharacters.escaped(scalar)
                (isEmpty, isBehindRange) = (false, false)
            default: return nil
            }
        }
        return nil
    }

    private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
        scalar == " " || scalar == "_" || scalar.properties.isAlphabetic
            || scalar.properties.numericType != nil
    }

    private func endOfSet() -> Substring.UnicodeScalarView.Index? {
        var (index, depth) = (rest.startIndex, 1)
        if rest.first == "^" { index = rest.index(after: index) }
        // A set that begins with its end is told apart by nobody.
        if index == rest.endIndex || rest[index] == "]" { return nil }
        while index < rest.endIndex {
            let scalar = rest[index]
            index = rest.index(after: index)
            switch scalar {
            case "[": depth += 1
            case "]":
                depth -= 1
                if depth == 0 { return index }
            case "\\":
                guard index < rest.endIndex, rest[index] != "Q" else { return nil }
                index = rest.index(after: index)
            default: break
            }
        }
        return nil
    }

    private mutating func escape() -> Bool {
        guard let scalar = rest.popFirst() else { return false }
        switch scalar {
        case "d", "D", "w", "W", "s", "S", "h", "H", "v", "V": return characters("\\\(scalar)")
        case "p", "P":
            guard rest.first == "{", let end = rest.firstIndex(of: "}") else { return false }
            let name = String(rest[...end])
            rest = rest[rest.index(after: end)...]
            return characters("\\\(scalar)\(name)")
        case "b": return write(PatternCharacters.wordBoundary, isAtom: false)
        case "B": return write(PatternCharacters.noWordBoundary, isAtom: false)
        case "A": return write("^", isAtom: false)
        case "z": return write("$", isAtom: false)
        case "Q": return quoted()
        case "x", "u", "U": return code(scalar)
        default:
            if let control = PatternCharacters.controls[scalar] { return character(control) }
            // Others are no names of anything.
            return PatternCharacters.isMark(scalar) && character(scalar)
        }
    }

    /// `\Q…\E`
    private mutating func quoted() -> Bool {
        while let scalar = rest.popFirst() {
            if scalar == "\\", rest.first == "E" {
                rest.removeFirst()
                return true
            }
            guard character(scalar) else { return false }
        }
        return true
    }

    /// A character by its number: `\xhh`, `\x{h…}`, `\uhhhh`, `\Uhhhhhhhh`.
    private mutating func code(_ kind: Unicode.Scalar) -> Bool {
        var digits: String
        if kind == "x", rest.first == "{" {
            guard let end = rest.firstIndex(of: "}") else { return false }
            digits = String(rest[..<end].dropFirst())
            rest = rest[rest.index(after: end)...]
        } else {
            let length = kind == "x" ? 2 : kind == "u" ? 4 : 8
            digits = String(rest.prefix(length))
            guard digits.unicodeScalars.count == length else { return false }
            rest = rest.dropFirst(length)
        }
        guard digits.utf8.allSatisfy({ UInt8(ascii: "0") <= $0 }), let number = UInt32(digits, radix: 16),
            let scalar = Unicode.Scalar(number)
        else { return false }
        return character(scalar)
    }
}
