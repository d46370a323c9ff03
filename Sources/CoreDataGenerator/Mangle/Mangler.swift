// Swift's mangled names: what a symbol of a compiled module is called. Written are only the parts that accessors of
// managed properties need. The grammar is public: docs/ABI/Mangling.rst of the Swift project.

/// Builds one mangled name. A repeated part is named by its number: identifiers and types (`AC`), and the
/// words that identifiers consist of.
struct Mangler {
    /// A name holds at most so many words that later identifiers refer to.
    private static let wordLimit = 26

    private enum Entry: Hashable {
        case identifier(String)
        case type(ResolvedType)
    }

    /// The substitution that the name ends with: further ones melt into it.
    private struct LastSubstitution {
        var start: Int
        var size: Int
        var count: Int
        var isStandard: Bool
    }

    private var buffer: [UInt8] = Array("$s".utf8)
    private var numbers: [Entry: Int] = [:]
    private var words: [Range<Int>] = []
    private var last: LastSubstitution?

    var name: String { String(decoding: buffer, as: UTF8.self) }

    mutating func append(_ text: String) {
        buffer += text.utf8
    }

    // MARK: Substitutions

    /// Refers to a type that was named before. False if it wasn't.
    mutating func appendKnown(_ type: ResolvedType) -> Bool {
        guard let number = numbers[.type(type)] else { return false }
        appendSubstitution(number)
        return true
    }

    mutating func remember(_ type: ResolvedType) {
        numbers[.type(type)] = numbers.count
    }

    private mutating func appendSubstitution(_ number: Int) {
        guard number < 26 else {
            append(number == 26 ? "A_" : "A\(number - 27)_")
            return
        }
        let letter = UInt8(ascii: "A") + UInt8(number)
        if !melt(letter, isStandard: false) { buffer += [UInt8(ascii: "A"), letter] }
    }

    /// One of the standard library's types that have a letter: `Si`, `SS`.
    mutating func appendStandard(_ letter: Character) {
        guard let byte = letter.asciiValue else { return }
        if !melt(byte, isStandard: true) { buffer += [UInt8(ascii: "S"), byte] }
    }

    /// `AB` and `AC` in a row are `AbC`, `AB` twice is `A2B`, `Si` twice is `S2i`.
    private mutating func melt(_ letter: UInt8, isStandard: Bool) -> Bool {
        if var last, buffer.count == last.start + last.size, last.isStandard == isStandard,
            let ending = buffer.last
        {
            if ending == letter {
                last.count += 1
                buffer.removeSubrange(last.start...)
                append("\(last.count)")
                buffer.append(letter)
                last.size = buffer.count - last.start
                self.last = last
                return true
            }
            if !isStandard {
                buffer[buffer.count - 1] = ending + 32
                self.last = LastSubstitution(start: buffer.count, size: 1, count: 1, isStandard: false)
                buffer.append(letter)
                return true
            }
        }
        last = LastSubstitution(start: buffer.count + 1, size: 1, count: 1, isStandard: isStandard)
        return false
    }

    // MARK: Identifiers

    mutating func append(identifier: String) {
        if let number = numbers[.identifier(identifier)] {
            appendSubstitution(number)
            return
        }
        numbers[.identifier(identifier)] = numbers.count
        let bytes = Array(identifier.utf8)
        if bytes.contains(where: { $0 >= 0x80 }) {
            appendEncoded(identifier)
        } else {
            appendPlain(bytes)
        }
    }

    private mutating func appendEncoded(_ identifier: String) {
        let encoded = Punycode.encoded(identifier)
        append("00\(encoded.utf8.count)")
        if let first = encoded.first, first.isNumber || first == "_" { append("_") }
        append(encoded)
    }

    /// Words that stand in the name already become letters; the text between is preceded by its length.
    private mutating func appendPlain(_ bytes: [UInt8]) {
        var replacements: [(range: Range<Int>, word: Int)] = []
        var fresh: [Range<Int>] = []
        for range in Self.words(of: bytes) {
            if let word = words.firstIndex(where: { buffer[$0].elementsEqual(bytes[range]) }) {
                replacements.append((range, word))
            } else if let word = fresh.firstIndex(where: { bytes[$0].elementsEqual(bytes[range]) }) {
                replacements.append((range, words.count + word))
            } else if range.count >= 2, words.count + fresh.count < Self.wordLimit {
                fresh.append(range)
            }
        }
        if !replacements.isEmpty { append("0") }
        var position = 0
        for (number, replacement) in replacements.enumerated() {
            appendLiteral(bytes, range: position..<replacement.range.lowerBound, fresh: fresh)
            let isLast = number == replacements.count - 1
            buffer.append(UInt8(ascii: isLast ? "A" : "a") + UInt8(replacement.word))
            position = replacement.range.upperBound
            if isLast, position == bytes.count { append("0") }
        }
        appendLiteral(bytes, range: position..<bytes.count, fresh: fresh)
    }

    private mutating func appendLiteral(_ bytes: [UInt8], range: Range<Int>, fresh: [Range<Int>]) {
        guard !range.isEmpty else { return }
        append("\(range.count)")
        for word in fresh where range.contains(word.lowerBound) {
            let start = buffer.count + word.lowerBound - range.lowerBound
            words.append(start..<start + word.count)
        }
        buffer += bytes[range]
    }

    /// `HTTPServer_name2` has `HTTPServer` and `name2`; `lazyHero` has `lazy` and `Hero`.
    private static func words(of bytes: [UInt8]) -> [Range<Int>] {
        func isUpper(_ byte: UInt8) -> Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) }
        func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
        var words: [Range<Int>] = []
        var start: Int?
        for (position, byte) in (bytes + [UInt8(ascii: "_")]).enumerated() {
            let isBreak = byte == UInt8(ascii: "_")
            if let begin = start, isBreak || (isUpper(byte) && !isUpper(bytes[position - 1])) {
                words.append(begin..<position)
                start = nil
            }
            if start == nil, !isBreak, !isDigit(byte) { start = position }
        }
        return words
    }
}
