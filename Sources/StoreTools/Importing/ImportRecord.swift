// One object of a file that is imported, as the file has it.

import CoreData

/// Names with values, and where they stand.
public struct ImportRecord {
    public enum Cell {
        /// Text of a CSV file. The empty text says nothing.
        case text(String)
        /// A value of a JSON file.
        case json(Any)
    }

    /// The line that the record begins on, from 1.
    public let line: Int
    public let cells: [(name: String, cell: Cell)]
}

/// Reads a file record by record, so that files of any length need the memory of one.
public protocol ImportReader: AnyObject {
    /// The next record, nil after the last. Throws `ImportFailure`.
    func next() throws -> ImportRecord?
}

/// What is wrong with a line of a file.
public struct ImportFailure: Error, CustomStringConvertible {
    public let line: Int
    public let reason: String

    public init(line: Int, _ reason: String) {
        self.line = line
        self.reason = reason
    }

    public var description: String { "line \(line): \(reason)" }
}

/// The bytes of a file, with the number of the line that is being read.
final class ByteReader {
    private let handle: FileHandle
    private var chunk = Data()
    private var position = 0
    private(set) var line = 1

    init(_ url: URL) throws {
        do {
            handle = try FileHandle(forReadingFrom: url)
        } catch {
            throw ToolFailure("The file \(url.path) can't be read: \(readable(error))")
        }
        if try peek() == 0xEF { try skipByteOrderMark() }
    }

    deinit { try? handle.close() }

    func peek() throws -> UInt8? {
        if position == chunk.count {
            chunk = try handle.read(upToCount: 1 << 16) ?? Data()
            position = 0
            if chunk.isEmpty { return nil }
        }
        return chunk[chunk.startIndex + position]
    }

    func next() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        if byte == 0x0A { line += 1 }
        return byte
    }

    private func skipByteOrderMark() throws {
        for byte: UInt8 in [0xEF, 0xBB, 0xBF] where try next() != byte {
            throw ImportFailure(line: 1, "the file isn't UTF-8")
        }
    }
}
