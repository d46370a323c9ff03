// The parser under XMLTreeReader: XML 1.0 without document type bodies, over bytes that are known to be UTF-8.

import Foundation

struct XMLScanner {
    private let bytes: SearchedBytes
    private var position = 0
    private var stack: [XMLTree] = []
    private var root: XMLTree?
    private var count = 0

    init(_ bytes: SearchedBytes) {
        self.bytes = bytes
        if bytes.has("\u{FEFF}", at: 0) { position = 3 }
    }

    /// The line that the scanner has come to, counted from 1.
    var line: Int { bytes.line(of: position) }

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
            stack[stack.count - 1].text += plain(range)
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
        let range: Range<Int>
        if skip("\"") {
            range = try upTo("\"")
        } else if skip("'") {
            range = try upTo("'")
        } else {
            throw ArchiveFailure("attribute \"\(name)\" has no value")
        }
        guard bytes.place(of: "<", in: range) == nil else {
            throw ArchiveFailure("the value of attribute \"\(name)\" is broken")
        }
        return try XMLTree.Attribute(name, value: resolved(range, isAttribute: true))
    }

    private mutating func text() throws(ArchiveFailure) {
        let range = position..<(bytes.place(of: "<", in: position..<bytes.count) ?? bytes.count)
        if stack.isEmpty {
            skipSpace()
            guard position == range.upperBound else {
                position = range.upperBound
                throw ArchiveFailure("there is text outside of the root element")
            }
            return
        }
        position = range.upperBound
        stack[stack.count - 1].text += try resolved(range)
    }

    // MARK: Parts

    private mutating func skip(_ token: StaticString) -> Bool {
        guard bytes.has(token, at: position) else { return false }
        position += token.utf8CodeUnitCount
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
    private mutating func upTo(_ token: StaticString) throws(ArchiveFailure) -> Range<Int> {
        let start = position
        guard let end = bytes.place(of: token, from: start) else {
            position = bytes.count
            throw ArchiveFailure("the XML document is truncated")
        }
        position = end + token.utf8CodeUnitCount
        return start..<end
    }

    private mutating func name() throws(ArchiveFailure) -> String {
        let start = position
        while position < bytes.count, Self.isNamePart(bytes[position], isFirst: position == start) {
            position += 1
        }
        guard position > start else { throw ArchiveFailure("a name is missing") }
        return bytes.text(start..<position)
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    private static func isNamePart(_ byte: UInt8, isFirst: Bool) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), 0x80...,
            UInt8(ascii: "_"), UInt8(ascii: ":"):
            true
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."): !isFirst
        default: false
        }
    }

    /// The text of a range with line feeds as its only line breaks; in attributes line breaks and tabs are spaces.
    private func plain(_ range: Range<Int>, isAttribute: Bool = false) -> String {
        var text = bytes.text(range)
        if bytes.place(of: "\r", in: range) != nil {
            text = text.replacingOccurrences(of: "\r\n", with: "\n").replacingOccurrences(
                of: "\r", with: "\n")
        }
        let hasBreaks = isAttribute && ["\n", "\r", "\t"].contains { bytes.place(of: $0, in: range) != nil }
        guard hasBreaks else { return text }
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\n" || $0 == "\t" ? " " : $0 }))
    }

    // MARK: References

    /// The text of a range, with what its references stand for, which stays as it is.
    private func resolved(_ range: Range<Int>, isAttribute: Bool = false) throws(ArchiveFailure) -> String {
        var result = ""
        var start = range.lowerBound
        while let reference = bytes.place(of: "&", in: start..<range.upperBound) {
            result += plain(start..<reference, isAttribute: isAttribute)
            let reach = min(reference + 12, range.upperBound)
            guard let end = bytes.place(of: ";", in: reference..<reach) else {
                throw ArchiveFailure("a reference is broken")
            }
            try result.unicodeScalars.append(Self.scalar(bytes.text(reference + 1..<end)))
            start = end + 1
        }
        return result + plain(start..<range.upperBound, isAttribute: isAttribute)
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
