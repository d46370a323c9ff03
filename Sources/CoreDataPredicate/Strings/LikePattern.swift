// LIKE: `*` stands for any run of characters, `?` for one, a backslash takes the next character literally.

struct LikePattern: Sendable {
    private enum Element<Unit: Equatable & Sendable>: Sendable {
        case literal(Unit)
        case one
        case run
    }

    private let characters: [Element<Character>]
    /// The pattern for texts of ASCII alone; nil when it has a literal that none of them can have.
    private let bytes: [Element<UInt8>]?

    init(_ pattern: String) {
        var elements: [Element<Character>] = []
        var isEscaped = false
        for character in pattern {
            if isEscaped {
                elements.append(.literal(character))
                isEscaped = false
            } else if character == "\\" {
                isEscaped = true
            } else if character == "*" {
                if case .run? = elements.last { continue }
                elements.append(.run)
            } else {
                elements.append(character == "?" ? .one : .literal(character))
            }
        }
        if isEscaped { elements.append(.literal("\\")) }
        characters = elements
        bytes = Self.bytes(of: elements)
    }

    private static func bytes(of elements: [Element<Character>]) -> [Element<UInt8>]? {
        var result: [Element<UInt8>] = []
        for element in elements {
            switch element {
            case .one: result.append(.one)
            case .run: result.append(.run)
            case .literal(let character):
                guard character.utf8.allSatisfy({ $0 < 0x80 }) else { return nil }
                result.append(contentsOf: character.utf8.map(Element.literal))
            }
        }
        return result
    }

    func matches(_ text: String) throws(EvaluationFailure) -> Bool {
        guard text.isASCII else { return try Self.matches(Array(text), pattern: characters) }
        guard let bytes else { return false }
        return try Self.matches(Array(text.utf8), pattern: bytes)
    }

    /// Goes back to the last run only, which is enough: the time is bounded by text times pattern.
    private static func matches<Unit: Equatable & Sendable>(
        _ text: [Unit], pattern: [Element<Unit>]
    ) throws(EvaluationFailure) -> Bool {
        var (t, p, steps) = (0, 0, 0)
        var resume: (text: Int, pattern: Int)?
        while t < text.count {
            steps += 1
            if steps > EvaluationLimits.likeSteps {
                throw EvaluationFailure(reason: "LIKE took too many steps for one string")
            }
            if p < pattern.count, case .run = pattern[p] {
                resume = (t, p)
                p += 1
            } else if p < pattern.count, accepts(pattern[p], unit: text[t]) {
                (t, p) = (t + 1, p + 1)
            } else if let last = resume {
                resume = (last.text + 1, last.pattern)
                (t, p) = (last.text + 1, last.pattern + 1)
            } else {
                return false
            }
        }
        return pattern[p...].allSatisfy { if case .run = $0 { true } else { false } }
    }

    private static func accepts<Unit: Equatable & Sendable>(_ element: Element<Unit>, unit: Unit) -> Bool {
        switch element {
        case .literal(let literal): literal == unit
        case .one: true
        case .run: false
        }
    }
}
