// Comma-separated values (RFC 4180): the first line names the columns.

public import CoreData

/// Reads CSV. Lines may end in LF, CRLF or CR; fields in double quotes may hold commas, lines and doubled quotes.
public final class CSVReader: ImportReader {
    private struct Field {
        /// Nil for bytes that aren't UTF-8.
        let text: String?
        let isQuoted: Bool

        var saysNothing: Bool { text?.isEmpty == true && !isQuoted }
    }

    private let bytes: ByteReader
    private let separator: UInt8
    private var names: [String] = []
    private let entity: String?
    private let file: String?

    public var columns: [String]? { names }

    /// Opens a file and reads its first line, the columns.
    ///
    /// - Parameters:
    ///   - url: the file.
    ///   - separator: the character between two cells.
    ///   - entity: the entity of the file's objects, if it is one of several files.
    /// - Throws: `ImportFailure` for a first line that can't be read; the system's error for such a file.
    public init(_ url: URL, separator: Character = ",", entity: String? = nil) throws {
        self.entity = entity
        file = entity == nil ? nil : url.lastPathComponent
        guard let byte = separator.asciiValue else {
            throw ToolFailure("The separator \"\(separator)\" isn't an ASCII character.")
        }
        self.separator = byte
        bytes = try ByteReader(url)
        guard let (line, fields) = try row() else { throw failure(1, reason: "the file is empty") }
        names = try fields.map { try text($0, line: line) }
        for (number, name) in names.enumerated() {
            if name.isEmpty { throw failure(1, reason: "column \(number + 1) has no name") }
            if names[..<number].contains(name) {
                throw failure(1, reason: "two columns are named \"\(name)\"")
            }
        }
    }

    public func next() throws -> ImportRecord? {
        while let (line, fields) = try row() {
            if fields.count == 1, fields[0].saysNothing { continue }
            guard fields.count == names.count else {
                let count = fields.count == 1 ? "1 field" : "\(fields.count) fields"
                throw failure(
                    line, reason: "\(count), where the first line names \(names.count)", isOfOneRecord: true)
            }
            let cells = try zip(names, fields).map { name, field in
                (name, ImportRecord.Cell.text(try text(field, line: line), isQuoted: field.isQuoted))
            }
            return ImportRecord(line: line, cells: cells, entity: entity, file: file)
        }
        return nil
    }

    private func row() throws -> (line: Int, fields: [Field])? {
        guard try bytes.peek() != nil else { return nil }
        let line = bytes.line
        var fields: [Field] = []
        while true {
            fields.append(try field(from: line))
            switch try bytes.next() {
            case separator?: continue
            case nil, 0x0A?: return (line, fields)
            case 0x0D?:
                if try bytes.peek() == 0x0A { _ = try bytes.next() }
                return (line, fields)
            default: throw failure(bytes.line, reason: "text after a closing quote")
            }
        }
    }

    /// Up to the separator or the line's end, which stays.
    private func field(from line: Int) throws -> Field {
        if try bytes.peek() == 0x22 {
            return Field(text: String(validating: try quoted(from: line), as: UTF8.self), isQuoted: true)
        }
        var text: String?
        var beginning: [UInt8] = []
        // Nearly every field lies in one piece of the file.
        while try !bytes.takeField(
            until: separator,
            into: { piece, isLast in
                if isLast, beginning.isEmpty { return text = String(validating: piece, as: UTF8.self) }
                beginning += piece
                if isLast { text = String(validating: beginning, as: UTF8.self) }
            })
        {}
        return Field(text: text, isQuoted: false)
    }

    private func quoted(from line: Int) throws -> [UInt8] {
        var text: [UInt8] = []
        _ = try bytes.next()
        while let byte = try bytes.next() {
            if byte != 0x22 {
                text.append(byte)
            } else if try bytes.peek() == 0x22 {
                _ = try bytes.next()
                text.append(0x22)
            } else {
                return text
            }
        }
        throw failure(line, reason: "a quote isn't closed")
    }

    private func text(_ field: Field, line: Int) throws -> String {
        guard let text = field.text else {
            throw failure(line, reason: "a field isn't UTF-8", isOfOneRecord: true)
        }
        return text
    }

    private func failure(_ line: Int, reason: String, isOfOneRecord: Bool = false) -> ImportFailure {
        ImportFailure(line: line, reason, file: file, isOfOneRecord: isOfOneRecord)
    }
}
