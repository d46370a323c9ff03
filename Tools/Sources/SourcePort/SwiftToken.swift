// A Swift source as tokens. Porting changes a few spellings that a token tells, and leaves everything else alone, so
// no tree is needed, and code that doesn't parse is no obstacle.

/// A token with its place. Comments and white space are none.
struct SwiftToken {
    enum Kind {
        case identifier, number, string, punctuation
        /// `#if`, `#keyPath`: a word with its `#`.
        case pound
    }

    let kind: Kind
    let text: String
    /// Offsets in the source's bytes.
    let range: Range<Int>
    /// Of a string, where the code lies that is interpolated in it, without the parentheses.
    var interpolations: [Range<Int>] = []

    func `is`(_ text: String) -> Bool { self.text == text }
}

/// Splits a source into tokens.
struct SwiftLexer {
    private let bytes: [UInt8]
    private var offset = 0
    private var tokens: [SwiftToken] = []

    private var interpolations: [Range<Int>] = []
    private let end: Int

    static func tokens(of bytes: [UInt8]) -> [SwiftToken] {
        tokens(of: bytes, in: 0..<bytes.count)
    }

    /// The tokens of a part, which stands for itself.
    static func tokens(of bytes: [UInt8], in range: Range<Int>) -> [SwiftToken] {
        var lexer = SwiftLexer(bytes: bytes, range)
        lexer.run()
        return lexer.tokens
    }

    private init(bytes: [UInt8], _ range: Range<Int>) {
        self.bytes = bytes
        offset = range.lowerBound
        end = range.upperBound
    }

    private mutating func run() {
        while offset < end {
            let byte = bytes[offset]
            switch byte {
            case UInt8(ascii: " "), 9...13: offset += 1
            case UInt8(ascii: "/") where has("//"): skipLine()
            case UInt8(ascii: "/") where has("/*"): skipComment()
            case UInt8(ascii: "\""): string(pounds: 0)
            case UInt8(ascii: "#"): pound()
            case UInt8(ascii: "`"): quoted()
            case _ where Self.startsWord(byte): word(from: offset, .identifier)
            case UInt8(ascii: "0")...UInt8(ascii: "9"): word(from: offset, .number)
            default: add(.punctuation, to: offset + 1)
            }
        }
    }

    private func has(_ text: String) -> Bool { bytes[offset...].starts(with: text.utf8) }

    private mutating func add(_ kind: SwiftToken.Kind, to end: Int) {
        let end = min(end, bytes.count)
        let text = String(decoding: bytes[offset..<end], as: UTF8.self)
        tokens.append(SwiftToken(kind: kind, text: text, range: offset..<end))
        offset = end
    }

    private mutating func skipLine() {
        offset = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
    }

    private mutating func skipComment() {
        var depth = 0
        while offset < bytes.count {
            if has("/*") {
                depth += 1
                offset += 2
            } else if has("*/") {
                depth -= 1
                offset += 2
                if depth == 0 { return }
            } else {
                offset += 1
            }
        }
    }

    private mutating func quoted() {
        let close = bytes[(offset + 1)...].firstIndex(of: UInt8(ascii: "`")) ?? offset
        add(.identifier, to: close + 1)
    }

    private mutating func word(from start: Int, _ kind: SwiftToken.Kind) {
        var end = start
        while end < bytes.count, Self.continuesWord(bytes[end]) { end += 1 }
        add(kind, to: end)
    }

    /// `#if`, or a string as in `#"raw"#`.
    private mutating func pound() {
        var count = 0
        while offset + count < bytes.count, bytes[offset + count] == UInt8(ascii: "#") { count += 1 }
        let next = offset + count
        if next < bytes.count, bytes[next] == UInt8(ascii: "\"") {
            string(pounds: count)
        } else if next < bytes.count, Self.startsWord(bytes[next]) {
            word(from: next, .pound)
        } else {
            add(.punctuation, to: offset + 1)
        }
    }

    // MARK: Strings

    /// A whole literal, with what is interpolated in it.
    private mutating func string(pounds: Int) {
        interpolations = []
        let end = endOfString(at: offset, pounds: pounds, level: 0)
        add(.string, to: end)
        tokens[tokens.count - 1].interpolations = interpolations
    }

    /// Notes the interpolations of the outermost string.
    private mutating func endOfString(at start: Int, pounds: Int, level: Int) -> Int {
        let hashes = [UInt8](repeating: UInt8(ascii: "#"), count: pounds)
        let quote = UInt8(ascii: "\"")
        var position = start + pounds
        let isBlock = bytes[position...].starts(with: [quote, quote, quote])
        let mark = [UInt8](repeating: quote, count: isBlock ? 3 : 1) + hashes
        let escape = [UInt8(ascii: "\\")] + hashes
        position += isBlock ? 3 : 1
        while position < bytes.count {
            let rest = bytes[position...]
            if rest.starts(with: mark) { return position + mark.count }
            if !isBlock, rest.first == UInt8(ascii: "\n") { return position }
            if rest.starts(with: escape + [UInt8(ascii: "(")]) {
                let open = position + escape.count
                position = endOfInterpolation(at: open, level: level)
                if level == 0, position - 1 > open { interpolations.append(open + 1..<position - 1) }
            } else if rest.starts(with: escape) {
                position += escape.count + 1
            } else {
                position += 1
            }
        }
        return bytes.count
    }

    /// Behind the parenthesis that closes the one at `start`. Strings inside may hold parentheses.
    private mutating func endOfInterpolation(at start: Int, level: Int) -> Int {
        var position = start
        var depth = 0
        while position < bytes.count {
            switch bytes[position] {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"):
                depth -= 1
                if depth == 0 { return position + 1 }
            case UInt8(ascii: "\""):
                position = endOfString(at: position, pounds: 0, level: level + 1) - 1
            default: break
            }
            position += 1
        }
        return bytes.count
    }

    private static func startsWord(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
            || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || byte == UInt8(ascii: "_")
            || byte >= 0x80
    }

    private static func continuesWord(_ byte: UInt8) -> Bool {
        startsWord(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }
}
