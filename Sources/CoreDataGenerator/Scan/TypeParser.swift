// Reads a type at a place of a source: the parser's output tells where properties stand, not what types they have.

/// Reads types from a source. The grammar is that of properties and parameters; what is deeper nested than anybody
/// writes is kept as text.
struct TypeParser {
    private static let depthLimit = 64

    private let source: SourceText
    private(set) var offset: Int
    private var depth = 0

    init(_ source: SourceText, at offset: Int) {
        self.source = source
        self.offset = source.skippingTrivia(offset)
    }

    /// The type here, nil when there is none. Moves past it.
    mutating func type() -> TypeSyntax? {
        guard depth < Self.depthLimit else { return nil }
        depth += 1
        defer { depth -= 1 }
        let start = offset
        skipAttributes()
        if take(word: "inout") { return type().map(TypeSyntax.inOut) }
        for word in ["borrowing", "consuming", "sending", "isolated", "nonisolated", "__owned", "__shared"] {
            _ = take(word: word)
        }
        guard let first = composition() else { return nil }
        let end = offset
        if let function = function(from: start) { return function }
        offset = end
        return first
    }

    private mutating func composition() -> TypeSyntax? {
        let isExistential = take(word: "any")
        if take(word: "some") { return postfix().map { .unsupported("some " + $0.spelling) } }
        guard var type = postfix() else { return nil }
        if at("&") {
            var members = [type]
            while take("&"), let next = postfix() { members.append(next) }
            type = .composition(members)
        }
        return isExistential ? .existential(type) : type
    }

    private mutating func postfix() -> TypeSyntax? {
        guard var type = primary() else { return nil }
        while true {
            // A suffix stands at its type without a space between.
            if source.byte(offset) == UInt8(ascii: "?") {
                offset += 1
                type = .optional(type)
            } else if source.byte(offset) == UInt8(ascii: "!") {
                offset += 1
                type = .implicitlyUnwrapped(type)
            } else {
                return type
            }
        }
    }

    private mutating func primary() -> TypeSyntax? {
        if take("[") { return collection() }
        if take("(") { return parenthesised() }
        return name()
    }

    private mutating func collection() -> TypeSyntax? {
        guard let first = type() else { return nil }
        if take(":") {
            guard let value = type(), take("]", skipping: false) else { return nil }
            return .dictionary(key: first, value: value)
        }
        return take("]", skipping: false) ? .array(first) : nil
    }

    private mutating func parenthesised() -> TypeSyntax? {
        var members: [TypeSyntax] = []
        while !at(")") {
            skipLabel()
            guard let member = type() else { return nil }
            members.append(member)
            if !take(",") { break }
        }
        guard take(")", skipping: false) else { return nil }
        return members.count == 1 ? members[0] : .tuple(members)
    }

    private mutating func skipLabel() {
        let start = offset
        var end = start
        while let (_, next) = source.identifier(at: source.skippingTrivia(end)) { end = next }
        let colon = source.skippingTrivia(end)
        if end > start, source.byte(colon) == UInt8(ascii: ":") { offset = source.skippingTrivia(colon + 1) }
    }

    private mutating func name() -> TypeSyntax? {
        var components: [TypeSyntax.Component] = []
        repeat {
            let start = source.skippingTrivia(offset)
            guard let (name, end) = source.identifier(at: start) else { return nil }
            offset = end
            var arguments: [TypeSyntax] = []
            if source.byte(source.skippingTrivia(offset)) == UInt8(ascii: "<") {
                guard let list = genericArguments() else { return nil }
                arguments = list
            }
            components.append(.init(name, arguments: arguments))
        } while takeDot()
        return .named(components)
    }

    private mutating func genericArguments() -> [TypeSyntax]? {
        guard take("<") else { return nil }
        var arguments: [TypeSyntax] = []
        repeat {
            guard let argument = type() else { return nil }
            arguments.append(argument)
        } while take(",")
        return take(">", skipping: false) ? arguments : nil
    }

    private mutating func takeDot() -> Bool {
        let dot = source.skippingTrivia(offset)
        guard source.byte(dot) == UInt8(ascii: "."), source.byte(dot + 1) != UInt8(ascii: ".") else {
            return false
        }
        offset = dot + 1
        return true
    }

    /// A function type whose parameters were just read, kept as text.
    private mutating func function(from start: Int) -> TypeSyntax? {
        while let (word, end) = source.identifier(at: source.skippingTrivia(offset)),
            word == "throws" || word == "async"
        {
            offset = end
            if take("(") { _ = parenthesised() }
        }
        guard source.has("->", at: source.skippingTrivia(offset)) else { return nil }
        offset = source.skippingTrivia(source.skippingTrivia(offset) + 2)
        guard type() != nil else { return nil }
        return .unsupported(source.text(start..<offset))
    }

    private mutating func skipAttributes() {
        while at("@"), let (_, end) = source.identifier(at: offset + 1) {
            offset = end
            if source.byte(offset) == UInt8(ascii: "("), take("(") {
                while let byte = source.byte(offset), byte != UInt8(ascii: ")") { offset += 1 }
                offset += 1
            }
            offset = source.skippingTrivia(offset)
        }
    }

    // MARK: Tokens

    private func at(_ token: Character) -> Bool {
        source.has(String(token), at: source.skippingTrivia(offset))
    }

    /// Moves past a token, and past the white space behind it where more of the type must follow.
    private mutating func take(_ token: Character, skipping: Bool = true) -> Bool {
        let start = source.skippingTrivia(offset)
        guard source.has(String(token), at: start) else { return false }
        offset = skipping ? source.skippingTrivia(start + 1) : start + 1
        return true
    }

    private mutating func take(word: String) -> Bool {
        let start = source.skippingTrivia(offset)
        guard let (name, end) = source.identifier(at: start), name == word else { return false }
        let next = source.skippingTrivia(end)
        // The word may be the type's own name.
        guard source.identifier(at: next) != nil || source.byte(next).map("[(@".utf8.contains) == true else {
            return false
        }
        offset = next
        return true
    }
}
