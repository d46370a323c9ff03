// The text of a Swift source as bytes, which is what the parser's ranges count, with the little lexing that cutting
// types out of it takes.

import Foundation

/// A place in the sources, as compilers print it.
package struct SourcePlace: Hashable, Sendable, CustomStringConvertible {
    package let path: String
    package let line: Int

    package init(path: String, line: Int) {
        self.path = path
        self.line = line
    }

    package var description: String { "\(path):\(line)" }
}

/// A Swift source.
package struct SourceText: Sendable {
    package let path: String
    let bytes: [UInt8]

    package init(path: String, bytes: [UInt8]) {
        self.path = path
        self.bytes = bytes
    }

    package init(path: String, text: String) {
        self.init(path: path, bytes: Array(text.utf8))
    }

    func place(at offset: Int) -> SourcePlace {
        let before = bytes.prefix(max(0, offset))
        return SourcePlace(path: path, line: 1 + before.count { $0 == UInt8(ascii: "\n") })
    }

    /// The text of a range, which is cut to the source.
    func text(_ range: Range<Int>) -> String {
        String(decoding: bytes[range.clamped(to: 0..<bytes.count)], as: UTF8.self)
    }

    /// The byte at an offset; nil past the end.
    func byte(_ offset: Int) -> UInt8? {
        bytes.indices.contains(offset) ? bytes[offset] : nil
    }

    func has(_ text: String, at offset: Int) -> Bool {
        offset >= 0 && bytes[min(offset, bytes.count)...].starts(with: text.utf8)
    }

    /// The first offset from this one on that is neither white space nor in a comment.
    func skippingTrivia(_ start: Int) -> Int {
        var offset = start
        while let byte = byte(offset) {
            if byte == UInt8(ascii: " ") || (9...13).contains(byte) {
                offset += 1
            } else if has("//", at: offset) {
                offset = bytes[offset...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            } else if has("/*", at: offset) {
                offset = endOfBlockComment(offset)
            } else {
                break
            }
        }
        return offset
    }

    private func endOfBlockComment(_ start: Int) -> Int {
        var depth = 0
        var offset = start
        while offset < bytes.count {
            if has("/*", at: offset) {
                depth += 1
                offset += 2
            } else if has("*/", at: offset) {
                depth -= 1
                offset += 2
                if depth == 0 { return offset }
            } else {
                offset += 1
            }
        }
        return offset
    }

    /// The identifier at an offset, without its backticks, and where it ends.
    func identifier(at start: Int) -> (name: String, end: Int)? {
        if byte(start) == UInt8(ascii: "`") {
            guard let close = bytes[(start + 1)...].firstIndex(of: UInt8(ascii: "`")) else { return nil }
            return (text(start + 1..<close), close + 1)
        }
        var end = start
        while let byte = byte(end), Self.isIdentifierByte(byte, first: end == start) { end += 1 }
        return end > start ? (text(start..<end), end) : nil
    }

    private static func isIdentifierByte(_ byte: UInt8, first: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
            0x80...:
            true
        case UInt8(ascii: "0")...UInt8(ascii: "9"): !first
        default: false
        }
    }
}
