// Finds `#if` in a source. The parser's dump leaves out what stands in any clause, so what is active is uncovered and
// the rest blanked out before it reads the source.

/// The `#if … #endif` blocks of a source.
struct ConditionalText {
    struct Clause {
        /// The line of `#if`, `#elseif` or `#else`.
        let directive: Range<Int>
        /// Nil for `#else`.
        let condition: String?
        let body: Range<Int>
    }

    struct Block {
        let clauses: [Clause]
        /// The line of `#endif`.
        let end: Range<Int>
    }

    private struct OpenBlock {
        var clauses: [Clause] = []
        var directive: Range<Int>
        var condition: String?
    }

    private let source: SourceText
    private(set) var blocks: [Block] = []
    private var open: [OpenBlock] = []

    init(_ source: SourceText) {
        self.source = source
        var offset = 0
        var isLineStart = true
        while let byte = source.byte(offset) {
            switch byte {
            case UInt8(ascii: "\n"):
                isLineStart = true
                offset += 1
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): offset += 1
            case UInt8(ascii: "/") where source.has("//", at: offset) || source.has("/*", at: offset):
                offset = source.skippingTrivia(offset)
                // Trivia may end in another line.
                isLineStart = true
            case UInt8(ascii: "#") where isLineStart && directive(at: offset):
                offset = line(at: offset).upperBound
            case UInt8(ascii: "\""), UInt8(ascii: "#"):
                offset = source.endOfString(at: offset) ?? offset + 1
                isLineStart = false
            default:
                isLineStart = false
                offset += 1
            }
        }
    }

    private func line(at offset: Int) -> Range<Int> {
        offset..<(source.bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? source.bytes.count)
    }

    /// Takes a directive that stands here.
    private mutating func directive(at offset: Int) -> Bool {
        guard let (word, end) = source.identifier(at: offset + 1) else { return false }
        let line = line(at: offset)
        let condition = source.text(end..<line.upperBound)
        switch word {
        case "if": open.append(OpenBlock(directive: line, condition: condition))
        case "elseif", "else":
            close(clauseBefore: offset)
            if !open.isEmpty {
                open[open.count - 1].directive = line
                open[open.count - 1].condition = word == "else" ? nil : condition
            }
        case "endif":
            close(clauseBefore: offset)
            if let block = open.popLast() { blocks.append(Block(clauses: block.clauses, end: line)) }
        default: return false
        }
        return true
    }

    private mutating func close(clauseBefore offset: Int) {
        guard let block = open.last else { return }
        open[open.count - 1].clauses.append(
            Clause(
                directive: block.directive, condition: block.condition,
                body: block.directive.upperBound..<max(offset, block.directive.upperBound)))
    }

    /// The source with directives and inactive clauses as spaces, so that offsets stay. `active` gives the number of
    /// each block's active clause.
    func uncovered(_ active: [Int?]) -> [UInt8] {
        var bytes = source.bytes
        func blank(_ range: Range<Int>) {
            for offset in range where bytes[offset] != UInt8(ascii: "\n") {
                bytes[offset] = UInt8(ascii: " ")
            }
        }
        for (block, active) in zip(blocks, active) {
            blank(block.end)
            for (number, clause) in block.clauses.enumerated() {
                blank(clause.directive)
                if number != active { blank(clause.body) }
            }
        }
        return bytes
    }
}

extension SourceText {
    /// Behind the string literal that begins here; nil if none does.
    func endOfString(at start: Int) -> Int? {
        var position = start
        while byte(position) == UInt8(ascii: "#") { position += 1 }
        let hashes = String(repeating: "#", count: position - start)
        guard byte(position) == UInt8(ascii: "\"") else { return nil }
        let isBlock = has("\"\"\"", at: position)
        let mark = (isBlock ? "\"\"\"" : "\"") + hashes
        let escape = "\\" + hashes
        position += isBlock ? 3 : 1
        while let next = byte(position) {
            if has(mark, at: position) { return position + mark.utf8.count }
            if next == UInt8(ascii: "\n"), !isBlock { return position }
            if has(escape + "(", at: position) {
                position = endOfInterpolation(at: position + escape.utf8.count)
            } else if has(escape, at: position) {
                position += escape.utf8.count + 1
            } else {
                position += 1
            }
        }
        return bytes.count
    }

    /// Behind the parenthesis that closes the one here. Strings inside may hold parentheses.
    private func endOfInterpolation(at start: Int) -> Int {
        var position = start
        var depth = 0
        while let next = byte(position) {
            switch next {
            case UInt8(ascii: "("): depth += 1
            case UInt8(ascii: ")"): depth -= 1
            case UInt8(ascii: "\""): position = max(position, (endOfString(at: position) ?? position) - 1)
            default: break
            }
            position += 1
            if depth == 0 { return position }
        }
        return position
    }
}
