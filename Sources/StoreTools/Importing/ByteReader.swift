// A file's bytes, read piece by piece.

import CoreData

/// The bytes of a file, with the number of the line that is being read.
final class ByteReader {
    private let handle: FileHandle
    private var chunk: [UInt8] = []
    private var position = 0
    private var isAfterReturn = false
    private(set) var line = 1

    init(_ url: URL) throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
            throw ToolFailure("\(url.path) is a folder; without an entity, its CSV files are imported.")
        }
        do {
            handle = try FileHandle(forReadingFrom: url)
        } catch {
            throw ToolFailure("The file \(url.path) can't be read: \(readable(error))")
        }
        if try peek() == 0xEF { try skipByteOrderMark() }
    }

    deinit { try? handle.close() }

    @inline(__always)
    func peek() throws -> UInt8? {
        if position == chunk.count { return try refill() }
        return chunk[position]
    }

    /// Reads the next piece, and returns its first byte; nil at the end.
    @inline(never)
    private func refill() throws -> UInt8? {
        chunk = try handle.read(upToCount: 1 << 16).map { [UInt8]($0) } ?? []
        position = 0
        return chunk.first
    }

    @inline(__always)
    func next() throws -> UInt8? {
        guard let byte = try peek() else { return nil }
        position += 1
        // CRLF ends one line, and so does CR alone.
        if byte == 0x0D || byte == 0x0A && !isAfterReturn { line += 1 }
        isAfterReturn = byte == 0x0D
        return byte
    }

    /// Moves past the bytes up to one that ends a field, or to the end of the piece at hand. Returns whether the field ends
    /// there.
    ///
    /// - Parameters:
    ///   - separator: what ends a field, beside the end of a line.
    ///   - take: gets the bytes, and whether the field ends with them.
    func takeField(
        until separator: UInt8,
        into take: (_ bytes: UnsafeBufferPointer<UInt8>, _ isLast: Bool) throws -> Void
    ) throws -> Bool {
        let isOver = try peek() == nil
        let start = position
        return try chunk.withUnsafeBufferPointer { bytes in
            while position < bytes.count, !Self.endsField(bytes[position], separator: separator) {
                position += 1
            }
            if position > start { isAfterReturn = false }
            let isLast = isOver || position < bytes.count
            try take(UnsafeBufferPointer(rebasing: bytes[start..<position]), isLast)
            return isLast
        }
    }

    @inline(__always)
    private static func endsField(_ byte: UInt8, separator: UInt8) -> Bool {
        byte == separator || byte == 0x0A || byte == 0x0D
    }

    private func skipByteOrderMark() throws {
        for byte: UInt8 in [0xEF, 0xBB, 0xBF] where try next() != byte {
            throw ImportFailure(line: 1, "the file isn't UTF-8")
        }
    }
}
