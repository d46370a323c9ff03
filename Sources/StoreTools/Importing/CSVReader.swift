// Comma-separated values (RFC 4180): the first line names the columns.

public import CoreData

/// Reads CSV. Lines may end in LF or CRLF; fields in double quotes may hold commas, lines and doubled quotes.
public final class CSVReader: ImportReader {
    private let bytes: ByteReader
    private let separator: UInt8
    private var names: [String] = []

    public init(_ url: URL, separator: Character = ",") throws {
        bytes = try ByteReader(url)
        guard let byte = separator.asciiValue else {
            throw ToolFailure("The separator \"\(separator)\" isn't an ASCII character.")
        }
        self.separator = byte
        guard let (_, fields) = try row() else { throw ImportFailure(line: 1, "the file is empty") }
        names = fields
        for (number, name) in names.enumerated() {
            if name.isEmpty { throw ImportFailure(line: 1, "column \(number + 1) has no name") }
            if names[..<number].contains(name) {
                throw ImportFailure(line: 1, "two columns are named \"\(name)\"")
            }
        }
    }

    public func next() throws -> ImportRecord? {
        while let (line, fields) = try row() {
            if fields == [""] { continue }
            guard fields.count == names.count else {
                throw ImportFailure(
                    line: line, "\(fields.count) fields, where the first line names \(names.count)")
            }
            return ImportRecord(
                line: line, cells: zip(names, fields).map { ($0, ImportRecord.Cell.text($1)) })
        }
        return nil
    }

    private func row() throws -> (line: Int, fields: [String])? {
        guard try bytes.peek() != nil else { return nil }
        let line = bytes.line
        var fields: [String] = []
        while true {
            fields.append(try field(from: line))
            switch try bytes.next() {
            case separator?: continue
            case nil, 0x0A?: return (line, fields)
            case 0x0D?:
                if try bytes.peek() == 0x0A { _ = try bytes.next() }
                return (line, fields)
            default: throw ImportFailure(line: bytes.line, "text after a closing quote")
            }
        }
    }

    /// Up to the separator or the line's end, which stays.
    private func field(from line: Int) throws -> String {
        var text: [UInt8] = []
        if try bytes.peek() == 0x22 {
            _ = try bytes.next()
            while true {
                guard let byte = try bytes.next() else {
                    throw ImportFailure(line: line, "a quote isn't closed")
                }
                if byte != 0x22 {
                    text.append(byte)
                } else if try bytes.peek() == 0x22 {
                    _ = try bytes.next()
                    text.append(0x22)
                } else {
                    return try string(text, line)
                }
            }
        }
        while let byte = try bytes.peek(), byte != separator, byte != 0x0A, byte != 0x0D {
            text.append(byte)
            _ = try bytes.next()
        }
        return try string(text, line)
    }

    private func string(_ bytes: [UInt8], _ line: Int) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw ImportFailure(line: line, "a field isn't UTF-8")
        }
        return text
    }
}
