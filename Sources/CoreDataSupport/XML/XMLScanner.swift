// The parser under XMLTreeReader: XML 1.0 without document type bodies, over bytes that are known to be UTF-8.

import Foundation

struct XMLScanner {
    private let bytes: [UInt8]
    private var position = 0
    private var stack: [XMLTree] = []
    private var root: XMLTree?
    private var count = 0

    init(_ data: Data) {
        bytes = [UInt8](data)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// The line that the scanner has come to, counted from 1.
    var line: Int { bytes[..<min(position, bytes.count)].count { $0 == UInt8(ascii: "\n") } + 1 }

    mutating func document() throws(ArchiveFailure) -> XMLTree {
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "<") {
                try markup()
            } else {
                try text()
            }
        }
        guard stack.isEmpty, let root else { throw ArchiveFailure("the XML document is truncated") }
        return root
    }

    /// The next child of the root element, `nil` behind the last one. The elements of a document that is read so
    /// are counted child by child.
    mutating func nextChild() throws(ArchiveFailure) -> XMLTree? {
        while position < bytes.count {
            if bytes[position] == UInt8(ascii: "<") {
                try markup()
            } else {
                try text()
            }
            if stack.count == 1, let child = stack[0].children.popLast() {
                (count, stack[0].text) = (0, "")
                return child
            }
        }
        guard stack.isEmpty, root != nil else { throw ArchiveFailure("the XML document is truncated") }
        return nil
    }

    /// The name of the root element, once it or one of its children has begun.
    var rootName: String? { stack.first?.name ?? root?.name }

    // MARK: Markup

    private mutating func markup() throws(ArchiveFailure) {
        if skip("<?") {
            _ = try upTo("?>")
        } else if skip("<!--") {
            _ = try upTo("-->")
        } else if skip("<![CDATA[") {
            let range = try upTo("]]>")
            guard !stack.isEmpty else { throw ArchiveFailure("there is text outside of the root element") }
            stack[stack.count - 1].text += lineBreaksUnified(String(decoding: bytes[range], as: UTF8.self))
        } else if skip("<!DOCTYPE") {
            guard root == nil, stack.isEmpty else { throw ArchiveFailure("a document type is out of place") }
            _ = try upTo(">")
        } else if skip("</") {
            try endTag()
        } else {
            position += 1
            try startTag()
        }
    }

    private mutating func startTag() throws(ArchiveFailure) {
        guard root == nil else { throw ArchiveFailure("there are two root elements") }
        count += 1
        guard stack.count < XMLTreeReader.depthLimit else {
            throw ArchiveFailure("elements are nested too deep")
        }
        guard count <= XMLTreeReader.elementLimit else { throw ArchiveFailure("there are too many elements") }
        var element = try XMLTree(name())
        var names: Set<String> = []
        while true {
            let hadSpace = skipSpace()
            if skip("/>") { return close(element) }
            if skip(">") { return stack.append(element) }
            guard hadSpace else { throw ArchiveFailure("a tag is broken") }
            let attribute = try attribute()
            guard names.insert(attribute.name).inserted else {
                throw ArchiveFailure("attribute \"\(attribute.name)\" occurs twice")
            }
            element.attributes.append(attribute)
        }
    }

    private mutating func endTag() throws(ArchiveFailure) {
        let name = try name()
        skipSpace()
        guard skip(">"), let element = stack.popLast(), element.name == name else {
            throw ArchiveFailure("</\(name)> closes nothing")
        }
        close(element)
    }

    private mutating func close(_ element: XMLTree) {
        if stack.isEmpty {
            root = element
        } else {
            stack[stack.count - 1].children.append(element)
        }
    }

    private mutating func attribute() throws(ArchiveFailure) -> XMLTree.Attribute {
        let name = try name()
        skipSpace()
        guard skip("=") else { throw ArchiveFailure("attribute \"\(name)\" has no value") }
        skipSpace()
        let quote = skip("\"") ? "\"" : "'"
        guard quote == "\"" || skip("'") else { throw ArchiveFailure("attribute \"\(name)\" has no value") }
        let range = try upTo(quote)
        guard !bytes[range].contains(UInt8(ascii: "<")) else {
            throw ArchiveFailure("the value of attribute \"\(name)\" is broken")
        }
        // A line break or tab that is not written as a reference counts as a space.
        let plain = bytes[range].map { $0 < 0x20 && Self.isSpace($0) ? UInt8(ascii: " ") : $0 }
        return try XMLTree.Attribute(name, value: Self.resolved(plain))
    }

    private mutating func text() throws(ArchiveFailure) {
        let start = position
        while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
        let range = start..<position
        if stack.isEmpty {
            guard bytes[range].allSatisfy(Self.isSpace) else {
                throw ArchiveFailure("there is text outside of the root element")
            }
            return
        }
        stack[stack.count - 1].text += try lineBreaksUnified(Self.resolved(Array(bytes[range])))
    }

    // MARK: Parts

    private mutating func skip(_ token: String) -> Bool {
        guard bytes[position...].starts(with: token.utf8) else { return false }
        position += token.utf8.count
        return true
    }

    /// Skips white space and says whether there was any.
    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = position
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        return position > start
    }

    /// The bytes before a token, which is skipped as well.
    private mutating func upTo(_ token: String) throws(ArchiveFailure) -> Range<Int> {
        let token = Array(token.utf8)
        let start = position
        while position + token.count <= bytes.count {
            if bytes[position] == token[0], bytes[position...].starts(with: token) {
                position += token.count
                return start..<position - token.count
            }
            position += 1
        }
        throw ArchiveFailure("the XML document is truncated")
    }

    private mutating func name() throws(ArchiveFailure) -> String {
        let start = position
        while position < bytes.count, Self.isNamePart(bytes[position], isFirst: position == start) {
            position += 1
        }
        guard position > start else { throw ArchiveFailure("a name is missing") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

    private static func isNamePart(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...,
            UInt8(ascii: "_"), UInt8(ascii: ":"):
            true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !isFirst
        default: false
        }
    }

    private func lineBreaksUnified(_ text: String) -> String {
        guard text.utf8.contains(0x0D) else { return text }
        return text.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(of: "\r", with: "\n")
    }

    // MARK: References

    private static func resolved(_ bytes: [UInt8]) throws(ArchiveFailure) -> String {
        guard !bytes.contains(where: { $0 < 0x20 && !isSpace($0) }) else {
            throw ArchiveFailure("there is a control character")
        }
        guard bytes.contains(UInt8(ascii: "&")) else { return String(decoding: bytes, as: UTF8.self) }
        var result = ""
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "&")) {
            result += String(decoding: rest[..<start], as: UTF8.self)
            guard let end = rest[start...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
                throw ArchiveFailure("a reference is broken")
            }
            try result.unicodeScalars.append(scalar(String(decoding: rest[(start + 1)..<end], as: UTF8.self)))
            rest = rest[(end + 1)...]
        }
        return result + String(decoding: rest, as: UTF8.self)
    }

    private static func scalar(_ name: String) throws(ArchiveFailure) -> Unicode.Scalar {
        switch name {
        case "lt": return "<"
        case "gt": return ">"
        case "amp": return "&"
        case "quot": return "\""
        case "apos": return "'"
        default:
            let isHexadecimal = name.hasPrefix("#x")
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            guard name.hasPrefix("#"), digits.first?.isHexDigit == true,
                let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
                let scalar = Unicode.Scalar(number),
                number >= 0x20 || isSpace(UInt8(truncatingIfNeeded: number)), number != 0xFFFE,
                number != 0xFFFF
            else { throw ArchiveFailure("the reference &\(name); is unknown") }
            return scalar
        }
    }
}
