// Empties the bodies of functions and closures before the parser reads a source: what stands there declares nothing that
// others see, and the parser prints far more about it than about all declarations.

/// Finds braces that hold no declarations, and blanks out what is in them. Offsets stay.
struct BodyBlanker {
    private static let types: Set<String> = ["class", "struct", "enum", "protocol", "extension", "actor"]
    /// The words that may stand between `class` and a member that belongs to the class.
    private static let members: Set<String> = [
        "func", "var", "let", "subscript", "override", "final", "private", "fileprivate", "internal",
        "package", "public",
        "open", "nonisolated",
    ]
    private static let accessors: Set<String> = [
        "get", "set", "willSet", "didSet", "_read", "_modify", "read", "modify", "mutating", "nonmutating",
        "unsafeAddress",
        "unsafeMutableAddress", "borrow", "mutate", "yielding",
    ]

    private let source: SourceText
    private var bytes: [UInt8]
    private var offset = 0

    static func blanked(_ source: SourceText) -> [UInt8] {
        var blanker = BodyBlanker(source: source)
        blanker.run()
        return blanker.bytes
    }

    private init(source: SourceText) {
        self.source = source
        bytes = source.bytes
    }

    /// Walks through types and what is around them; every other brace is a body.
    private mutating func run() {
        var isType = false
        var previous = ""
        while let byte = nextByte() {
            if let (word, end) = source.identifier(at: offset) {
                if byte != UInt8(ascii: "`"), Self.types.contains(word),
                    startsType(word, end: end, after: previous)
                {
                    isType = true
                }
                previous = word
                offset = end
                continue
            }
            if byte == UInt8(ascii: "{") {
                if isType {
                    offset += 1
                } else {
                    blankBody()
                }
                isType = false
            } else {
                offset += 1
            }
            previous = String(UnicodeScalar(byte))
        }
    }

    private func startsType(_ word: String, end: Int, after previous: String) -> Bool {
        if ["import", ".", "let", "var", "func", "case", "(", ":", ","].contains(previous) { return false }
        let next = source.identifier(at: source.skippingTrivia(end))?.name
        return next.map { word != "class" || !Self.members.contains($0) } ?? false
    }

    /// The next byte that isn't white space, comment or string; strings are passed over.
    private mutating func nextByte() -> UInt8? {
        while true {
            offset = source.skippingTrivia(offset)
            guard let byte = source.byte(offset) else { return nil }
            guard byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "#"),
                let end = source.endOfString(at: offset)
            else { return byte }
            offset = max(end, offset + 1)
        }
    }

    /// Blanks out what is between the brace here and the one that closes it. Of accessors, the words stay.
    private mutating func blankBody() {
        offset += 1
        let start = offset
        let keepsWords = holdsAccessors()
        var depth = 1
        var inner = start
        while let byte = nextByte() {
            if byte == UInt8(ascii: "{") {
                depth += 1
                if depth == 2 { inner = offset + 1 }
            } else if byte == UInt8(ascii: "}") {
                depth -= 1
                if depth == 1, keepsWords { blank(inner..<offset) }
                if depth == 0 { break }
            }
            offset += 1
        }
        if !keepsWords { blank(start..<min(offset, bytes.count)) }
        offset = min(offset + 1, bytes.count)
    }

    /// Returns whether the first word, after attributes, is an accessor's.
    private func holdsAccessors() -> Bool {
        var position = source.skippingTrivia(offset)
        while source.byte(position) == UInt8(ascii: "@"), let (_, end) = source.identifier(at: position + 1) {
            position = source.skippingTrivia(end)
        }
        guard let (word, _) = source.identifier(at: position) else { return false }
        return Self.accessors.contains(word)
    }

    private mutating func blank(_ range: Range<Int>) {
        for offset in range where bytes[offset] != UInt8(ascii: "\n") { bytes[offset] = UInt8(ascii: " ") }
    }
}
