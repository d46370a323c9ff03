// Numbers and quoted strings.

import CoreDataSupport
import Foundation

extension Lexer {
    /// `0x1F`, `0o17`, `0b11`, `12`, `1.5`, `.5`, `1e-3`. An integer beyond 64 bits stays exact as a decimal.
    mutating func number() throws(Failure) -> Token.Kind {
        let start = index
        if peek() == "0", let radix = radix(of: peek(1)) {
            index += 2
            return try integer(radix: radix, start: start)
        }
        var isInteger = true
        skipDigits()
        if peek() == ".", let next = peek(1), "0"..."9" ~= next {
            isInteger = false
            index += 1
            skipDigits()
        }
        if hasExponent {
            isInteger = false
            index += 2
            skipDigits()
        }
        let text = self.text(from: start)
        if let next = peek(), isWordPart(next) { throw badNumber(start) }
        if isInteger { return .number(try integer(text, start: start)) }
        guard let value = Double(text), value.isFinite else { throw badNumber(start) }
        return .number(.double(value))
    }

    private func radix(of scalar: Unicode.Scalar?) -> Int? {
        switch scalar {
        case "x", "X": 16
        case "o", "O": 8
        case "b", "B": 2
        default: nil
        }
    }

    private mutating func integer(radix: Int, start: Int) throws(Failure) -> Token.Kind {
        let digits = index
        while let scalar = peek(), isWordPart(scalar) { index += 1 }
        guard let value = UInt64(text(from: digits), radix: radix) else { throw badNumber(start) }
        // Sixteen hexadecimal digits are a bit pattern, as in C.
        return .number(.integer(Int64(bitPattern: value)))
    }

    private func integer(_ text: String, start: Int) throws(Failure) -> Value {
        if let value = Int64(text) { return .integer(value) }
        guard text.count <= 38, let value = Decimal(string: text) else { throw badNumber(start) }
        return .decimal(value)
    }

    private mutating func skipDigits() {
        while let scalar = peek(), "0"..."9" ~= scalar { index += 1 }
    }

    /// An `e` only belongs to the number when digits follow it, perhaps after a sign.
    private var hasExponent: Bool {
        guard let letter = peek(), letter == "e" || letter == "E", let next = peek(1) else { return false }
        if "0"..."9" ~= next { return true }
        guard next == "+" || next == "-", let digit = peek(2) else { return false }
        return "0"..."9" ~= digit
    }

    private func badNumber(_ start: Int) -> Failure {
        Failure(reason: "This is not a number", range: start..<max(index, start + 1))
    }

    private func text(from start: Int) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[start..<index])
        return String(text)
    }

    /// A string in single or double quotes with the escapes of C and of Unicode (`\u00e9`, `\U0001f600`).
    mutating func string(quote: Unicode.Scalar) throws(Failure) -> String {
        let start = index
        index += 1
        var text = String.UnicodeScalarView()
        while let scalar = peek() {
            index += 1
            if scalar == quote { return String(text) }
            text.append(scalar == "\\" ? try escape(in: start) : scalar)
        }
        throw Failure(reason: "This string has no closing quote", range: start..<index)
    }

    private mutating func escape(in start: Int) throws(Failure) -> Unicode.Scalar {
        guard let scalar = peek() else {
            throw Failure(reason: "This string has no closing quote", range: start..<index)
        }
        index += 1
        switch scalar {
        case "n": return "\n"
        case "r": return "\r"
        case "t": return "\t"
        case "0": return "\0"
        case "a": return "\u{7}"
        case "b": return "\u{8}"
        case "f": return "\u{c}"
        case "v": return "\u{b}"
        case "x": return try codePoint(digits: 2)
        case "u": return try codePoint(digits: 4)
        case "U": return try codePoint(digits: 8)
        default: return scalar
        }
    }

    private mutating func codePoint(digits: Int) throws(Failure) -> Unicode.Scalar {
        let start = index
        index = min(index + digits, scalars.count)
        let text = self.text(from: start)
        guard text.utf8.count == digits, let number = UInt32(text, radix: 16),
            let scalar = Unicode.Scalar(number)
        else {
            throw Failure(reason: "This escape needs \(digits) hexadecimal digits", range: start - 2..<index)
        }
        return scalar
    }
}
