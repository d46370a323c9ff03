// A source that is ported: its tokens, the code that only Apple's systems see, and lines.

import Foundation

/// A Swift source with what the rules ask of it.
struct SourceFile {
    let path: String
    let bytes: [UInt8]
    let tokens: [SwiftToken]
    /// For each token, whether `#if` leaves it to Apple's systems.
    let isForApple: [Bool]
    /// True for code that is interpolated in a string.
    let isInterpolation: Bool

    init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
        tokens = SwiftLexer.tokens(of: bytes)
        isForApple = ConditionRegions.appleOnly(tokens, bytes: bytes)
        isInterpolation = false
    }

    /// The code that is interpolated in strings, each piece as a source of its own with the places of this one.
    var interpolated: [SourceFile] {
        zip(tokens, isForApple).flatMap { token, isForApple in
            token.interpolations.flatMap { range in
                let part = SourceFile(self, range: range, isForApple: isForApple)
                return [part] + part.interpolated
            }
        }
    }

    private init(_ whole: SourceFile, range: Range<Int>, isForApple: Bool) {
        path = whole.path
        bytes = whole.bytes
        tokens = SwiftLexer.tokens(of: bytes, in: range)
        self.isForApple = tokens.map { _ in isForApple }
        isInterpolation = true
    }

    /// The source after changes, with the tokens that it then has.
    func applying(_ findings: Findings) -> SourceFile {
        findings.edits.isEmpty ? self : SourceFile(path: path, bytes: findings.applied(to: bytes))
    }

    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range], as: UTF8.self)
    }

    func line(at offset: Int) -> Int {
        1 + bytes[..<offset].count { $0 == UInt8(ascii: "\n") }
    }

    /// The line around an offset, without its end.
    func lineRange(at offset: Int) -> Range<Int> {
        let newline = UInt8(ascii: "\n")
        let start = bytes[..<offset].lastIndex(of: newline).map { $0 + 1 } ?? 0
        return start..<(bytes[offset...].firstIndex(of: newline) ?? bytes.count)
    }

    /// The white space that a line begins with.
    func indentation(ofLine range: Range<Int>) -> String {
        text(range.lowerBound..<firstVisible(range))
    }

    func firstVisible(_ range: Range<Int>) -> Int {
        bytes[range].firstIndex { $0 != UInt8(ascii: " ") && $0 != 9 } ?? range.upperBound
    }

    // MARK: Tokens

    func token(_ index: Int) -> SwiftToken? {
        tokens.indices.contains(index) ? tokens[index] : nil
    }

    /// Returns whether these tokens stand at an index. `_` stands for any identifier.
    func matches(_ texts: [String], at index: Int) -> Bool {
        texts.enumerated().allSatisfy { number, text in
            guard let token = token(index + number) else { return false }
            return text == "_" ? token.kind == .identifier : token.text == text
        }
    }

    /// The type that a token declares as `class` or another word of its kind.
    func declaredType(_ index: Int) -> String? {
        let kinds: Set<String> = ["class", "struct", "enum", "protocol", "actor", "typealias"]
        guard kinds.contains(tokens[index].text), let name = token(index + 1), name.kind == .identifier,
            !["func", "var", "let", "subscript"].contains(name.text)
        else { return nil }
        return name.text
    }

    /// The index of the bracket that closes the one at an index.
    func closing(_ index: Int) -> Int? {
        var depth = 0
        for position in index..<tokens.count where tokens[position].kind == .punctuation {
            switch tokens[position].text {
            case "(", "[", "{": depth += 1
            case ")", "]", "}":
                depth -= 1
                if depth == 0 { return position }
            default: break
            }
        }
        return nil
    }

    /// The index of the bracket that opens what the one at an index closes.
    func opening(_ index: Int) -> Int? {
        var depth = 0
        for position in stride(from: index, through: 0, by: -1) where tokens[position].kind == .punctuation {
            switch tokens[position].text {
            case ")", "]", "}": depth += 1
            case "(", "[", "{":
                depth -= 1
                if depth == 0 { return position }
            default: break
            }
        }
        return nil
    }

    /// The index of the `>` that closes the `<` at an index, of generic arguments.
    func closingAngle(_ index: Int) -> Int? {
        guard token(index)?.is("<") == true else { return nil }
        var depth = 0
        for position in index..<tokens.count {
            switch tokens[position].text {
            case "<": depth += 1
            case ">":
                depth -= 1
                if depth == 0 { return position }
            case "{", "}", ";": return nil
            default: break
            }
        }
        return nil
    }

    /// Returns whether a chain of names, calls and subscripts ends before an index, on
    /// which a method can be called.
    func isOperand(before index: Int) -> Bool {
        guard let last = token(index - 1) else { return false }
        let words: Set<String> = [
            "return", "in", "try", "await", "else", "case", "if", "guard", "while", "where", "switch", "for",
            "is",
            "as", "throw",
        ]
        return last.kind == .identifier && !words.contains(last.text) || last.is(")") || last.is("]")
    }

    /// Returns the index at which the chain of names, calls and subscripts begins that
    /// ends before another index.
    func operandStart(before index: Int) -> Int? {
        guard isOperand(before: index) else { return nil }
        var first = index - 1
        while true {
            if tokens[first].is(")") || tokens[first].is("]") {
                guard let open = opening(first) else { return nil }
                first = open
                // A call or a subscript, of a name or of what another returned.
                guard isOperand(before: first) else { return first }
                first -= 1
                continue
            }
            guard token(first - 1)?.is(".") == true else { return first }
            var before = first - 2
            if token(before)?.is("?") == true || token(before)?.is("!") == true { before -= 1 }
            guard isOperand(before: before + 1) else { return nil }
            first = before
        }
    }

    /// The tokens between brackets, split at commas that aren't in further brackets.
    func arguments(open: Int, close: Int) -> [Range<Int>] {
        var ranges: [Range<Int>] = []
        var start = open + 1
        var depth = 0
        for position in (open + 1)..<max(close, open + 1) {
            switch tokens[position].text {
            case "(", "[", "{": depth += 1
            case ")", "]", "}": depth -= 1
            case "," where depth == 0:
                ranges.append(start..<position)
                start = position + 1
            default: break
            }
        }
        if start < close { ranges.append(start..<close) }
        return ranges
    }

    /// Returns whether one token follows another without a space.
    func isAdjacent(_ first: Int, and second: Int) -> Bool {
        guard let one = token(first), let other = token(second) else { return false }
        return one.range.upperBound == other.range.lowerBound
    }

    /// The source from one token to another.
    func text(ofTokens range: Range<Int>) -> String {
        guard let first = token(range.lowerBound), let last = token(range.upperBound - 1), !range.isEmpty
        else {
            return ""
        }
        return text(first.range.lowerBound..<last.range.upperBound)
    }

    /// Behind the line of an import, and behind the `#endif` of the conditions that it stands in.
    func endOfCondition(after index: Int) -> Int {
        var depth = 0
        for token in tokens[..<index] {
            if token.is("#if") { depth += 1 }
            if token.is("#endif") { depth -= 1 }
        }
        var end = lineRange(at: tokens[index].range.lowerBound).upperBound
        for token in tokens[index...] where depth > 0 {
            if token.is("#if") { depth += 1 }
            if token.is("#endif") {
                depth -= 1
                end = lineRange(at: token.range.lowerBound).upperBound
            }
        }
        return end
    }
}
