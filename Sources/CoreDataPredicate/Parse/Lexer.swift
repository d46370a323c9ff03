// Cuts a format into words. Works on unicode scalars, so that a combining mark can't hide a quote.

import CoreDataSupport

struct Lexer {
    /// A failure in scalar offsets; the parser's entry turns it into characters.
    struct Failure: Error {
        let reason: String
        let range: Range<Int>
    }

    let scalars: [Unicode.Scalar]
    var index = 0

    init(_ format: String) {
        scalars = Array(format.unicodeScalars)
    }

    /// All words, the end included.
    mutating func tokens() throws(Failure) -> [Token] {
        var tokens: [Token] = []
        while true {
            let token = try next()
            tokens.append(token)
            if token.kind == .end { return tokens }
        }
    }

    mutating func next() throws(Failure) -> Token {
        while let scalar = peek(), scalar.properties.isWhitespace { index += 1 }
        let start = index
        let kind = try kind()
        return Token(kind: kind, range: start..<index)
    }

    func peek(_ offset: Int = 0) -> Unicode.Scalar? {
        index + offset < scalars.count ? scalars[index + offset] : nil
    }

    private mutating func kind() throws(Failure) -> Token.Kind {
        guard let scalar = peek() else { return .end }
        switch scalar {
        case "\"", "'": return .string(try string(quote: scalar))
        case "0"..."9": return try number()
        case ".": if let next = peek(1), "0"..."9" ~= next { return try number() }
        case "$": return .variable(try word(after: "$", meaning: "a variable's name"))
        case "#": return .key(try key())
        case "%": if peek(1) != "%" { return .argument(try argument()) }
        default: if isWordStart(scalar) || scalar == "@" { return .identifier(try identifier()) }
        }
        return .symbol(try symbol())
    }

    private mutating func symbol() throws(Failure) -> Symbol {
        for length in [2, 1] where index + length <= scalars.count {
            var text = String.UnicodeScalarView()
            text.append(contentsOf: scalars[index..<index + length])
            if let symbol = Symbol.spellings[String(text)] {
                index += length
                return symbol
            }
        }
        throw Failure(reason: "Unexpected character “\(scalars[index])”", range: index..<index + 1)
    }

    private mutating func identifier() throws(Failure) -> String {
        if peek() == "@" {
            return "@" + (try word(after: "@", meaning: "a collection operator"))
        }
        return word(colons: true)
    }

    private mutating func word(after sign: String, meaning: String) throws(Failure) -> String {
        let start = index
        index += 1
        guard let first = peek(), isWordPart(first) else {
            throw Failure(reason: "“\(sign)” must be followed by \(meaning)", range: start..<index)
        }
        return word(colons: false)
    }

    private mutating func word(colons: Bool) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = peek(), isWordPart(scalar) || (colons && scalar == ":") {
            text.append(scalar)
            index += 1
        }
        return String(text)
    }

    private mutating func key() throws(Failure) -> String {
        guard let quote = peek(1), quote == "\"" || quote == "'" else {
            return try word(after: "#", meaning: "a key")
        }
        index += 1
        return try string(quote: quote)
    }

    /// `%` and the letters of a format specifier, with the lengths and flags that `printf` knows.
    private mutating func argument() throws(Failure) -> String {
        let start = index
        index += 1
        var text = ""
        while let scalar = peek(), "hlqjzt".unicodeScalars.contains(scalar), text.count < 2 {
            text.unicodeScalars.append(scalar)
            index += 1
        }
        guard let scalar = peek(), "@KdiuoxXDUOfFeEgGaAcCsSp".unicodeScalars.contains(scalar) else {
            throw Failure(
                reason: "“%” must be followed by a format specifier such as @, K or d", range: start..<index)
        }
        index += 1
        text.unicodeScalars.append(scalar)
        return text
    }
}

/// Returns whether a word may begin with the character.
func isWordStart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDStart
}

/// Returns whether a word may go on with the character.
func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "_" || scalar.properties.isXIDContinue
}
