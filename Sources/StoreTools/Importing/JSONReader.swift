// JSON: a list of objects, or one object after another, as in JSON Lines.

public import CoreData

/// Reads the objects of a JSON file one by one; only one is in memory at a time.
public final class JSONReader: ImportReader {
    private let bytes: ByteReader
    private var isList = false
    private var isFirst = true
    private var isAtEnd = false

    public init(_ url: URL) throws {
        bytes = try ByteReader(url)
        try skipSpace()
        if try bytes.peek() == UInt8(ascii: "[") {
            isList = true
            _ = try bytes.next()
        }
    }

    public func next() throws -> ImportRecord? {
        if isAtEnd { return nil }
        try skipSpace()
        if isList {
            if try bytes.peek() == UInt8(ascii: "]") { return try end() }
            if !isFirst {
                guard try bytes.next() == UInt8(ascii: ",") else {
                    throw ImportFailure(line: bytes.line, "a comma or ] is missing")
                }
                try skipSpace()
            }
        } else if try bytes.peek() == nil {
            isAtEnd = true
            return nil
        }
        isFirst = false
        return try record()
    }

    private func end() throws -> ImportRecord? {
        _ = try bytes.next()
        isAtEnd = true
        try skipSpace()
        if try bytes.peek() != nil { throw ImportFailure(line: bytes.line, "text after the list") }
        return nil
    }

    private func record() throws -> ImportRecord {
        let line = bytes.line
        let text = try object(from: line)
        let value: Any
        do {
            value = try JSONSerialization.jsonObject(with: Data(text))
        } catch {
            throw ImportFailure(line: line, "the object isn't JSON: \(readable(error))")
        }
        guard let fields = value as? [String: Any] else {
            throw ImportFailure(line: line, "there is no JSON object")
        }
        return ImportRecord(
            line: line,
            cells: fields.sorted { $0.key < $1.key }.map { ($0.key, ImportRecord.Cell.json($0.value)) })
    }

    /// The bytes from a brace to its closing brace.
    private func object(from line: Int) throws -> [UInt8] {
        guard try bytes.peek() == UInt8(ascii: "{") else {
            throw ImportFailure(line: line, "there is no JSON object")
        }
        var text: [UInt8] = []
        var depth = 0
        var isInText = false
        while let byte = try bytes.next() {
            text.append(byte)
            switch byte {
            case UInt8(ascii: "\\") where isInText:
                if let escaped = try bytes.next() { text.append(escaped) }
            case UInt8(ascii: "\""): isInText.toggle()
            case UInt8(ascii: "{") where !isInText: depth += 1
            case UInt8(ascii: "}") where !isInText:
                depth -= 1
                if depth == 0 { return text }
            default: break
            }
        }
        throw ImportFailure(line: line, "the object isn't closed")
    }

    private func skipSpace() throws {
        while let byte = try bytes.peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { _ = try bytes.next() }
    }
}
