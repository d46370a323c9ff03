// JSON: a list of objects, one object after another as in JSON Lines, or a list for each entity.

public import CoreData

/// Reads the objects of a JSON file one by one; only one is in memory at a time.
public final class JSONReader: ImportReader {
    private enum Form {
        case lines, list
        /// `{ "Book": […], "Author": […] }`.
        case entities
    }

    private let bytes: ByteReader
    private let form: Form
    /// The entity whose list is being read.
    private var entity: String?
    /// The number of the record in its list, from 1.
    private var number = 0
    private var isInList = false
    private var isFirst = true
    private var isAtEnd = false

    public var columns: [String]? { nil }

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - holdsEntities: whether the file is an object with a list for each entity.
    /// - Throws: the system's error for a file that can't be read.
    public init(_ url: URL, holdsEntities: Bool = false) throws {
        bytes = try ByteReader(url)
        try bytes.skipSpace()
        let isList = try bytes.peek() == UInt8(ascii: "[")
        form = holdsEntities ? .entities : isList ? .list : .lines
        guard form != .lines else { return }
        guard try bytes.next() == UInt8(ascii: holdsEntities ? "{" : "[") else {
            throw ImportFailure(
                line: bytes.line,
                "there is no JSON object with a list for each entity; name the entity of what is there")
        }
        isInList = form == .list
    }

    public func next() throws -> ImportRecord? {
        while !isAtEnd {
            try bytes.skipSpace()
            switch form {
            case .lines:
                isAtEnd = try bytes.peek() == nil
                if !isAtEnd { return try record() }
            case .list:
                if try hasMore(before: "]") { return try record() }
                try end()
            case .entities:
                if !isInList {
                    try beginEntity()
                } else if try hasMore(before: "]") {
                    return try record()
                } else {
                    isInList = false
                }
            }
        }
        return nil
    }

    /// Reads up to the next value of a list or object, or past its end.
    private func hasMore(before end: Unicode.Scalar) throws -> Bool {
        defer { isFirst = false }
        try bytes.skipSpace()
        if try bytes.peek() == UInt8(ascii: end) {
            _ = try bytes.next()
            return false
        }
        if isFirst { return true }
        guard try bytes.next() == UInt8(ascii: ",") else {
            throw ImportFailure(line: bytes.line, "a comma or \(end) is missing")
        }
        try bytes.skipSpace()
        return true
    }

    private func beginEntity() throws {
        guard try hasMore(before: "}") else { return try end() }
        let line = bytes.line
        let name = try bytes.jsonText()
        try bytes.skipSpace()
        let colon = try bytes.next()
        try bytes.skipSpace()
        guard let name, colon == UInt8(ascii: ":"), try bytes.next() == UInt8(ascii: "[") else {
            throw ImportFailure(
                line: line,
                "the name of an entity and a list of its objects are missing; "
                    + "name the entity if the file has objects of one only")
        }
        (entity, isInList, isFirst, number) = (name, true, true, 0)
    }

    private func end() throws {
        isAtEnd = true
        try bytes.skipSpace()
        if try bytes.peek() != nil { throw ImportFailure(line: bytes.line, "text after the end") }
    }

    private func record() throws -> ImportRecord {
        let line = bytes.line
        number += 1
        var record = ImportRecord(
            line: line, number: form == .lines ? nil : number, cells: [], entity: entity)
        let text = try object(of: record)
        let value: Any
        do {
            value = try JSONSerialization.jsonObject(with: Data(text))
        } catch {
            let reason = (error as NSError).userInfo["NSDebugDescription"] as? String ?? readable(error)
            throw ImportFailure(
                line: line, "the object isn't JSON: \(reason)", record: record.name, isOfOneRecord: true)
        }
        guard let fields = value as? [String: Any] else { throw record.failure("there is no JSON object") }
        record.cells = fields.sorted { $0.key < $1.key }.map { ($0.key, .json($0.value)) }
        return record
    }

    /// The bytes from a brace to its closing brace.
    private func object(of record: ImportRecord) throws -> [UInt8] {
        guard try bytes.peek() == UInt8(ascii: "{") else { throw record.failure("there is no JSON object") }
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
        throw record.failure("the object isn't closed")
    }
}

extension ByteReader {
    fileprivate func skipSpace() throws {
        while let byte = try peek(), [0x20, 0x09, 0x0A, 0x0D].contains(byte) { _ = try next() }
    }

    /// A text in quotes; nil if there is none.
    fileprivate func jsonText() throws -> String? {
        guard try peek() == UInt8(ascii: "\"") else { return nil }
        var text: [UInt8] = []
        while let byte = try next() {
            text.append(byte)
            if byte == UInt8(ascii: "\\"), let escaped = try next() { text.append(escaped) }
            if byte == UInt8(ascii: "\""), text.count > 1 { break }
        }
        return try? JSONSerialization.jsonObject(with: Data(text), options: .fragmentsAllowed) as? String
    }
}
