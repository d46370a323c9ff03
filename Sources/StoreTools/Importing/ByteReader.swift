// A file's bytes, read piece by piece.

import CoreData

/// The bytes of a file, with the number of the line that is being read.
final class ByteReader {
    private let handle: FileHandle
    private var chunk = Data()
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
        // CRLF ends one line, and so does CR alone.
        if byte == 0x0D || byte == 0x0A && !isAfterReturn { line += 1 }
        isAfterReturn = byte == 0x0D
        return byte
    }

    private func skipByteOrderMark() throws {
        for byte: UInt8 in [0xEF, 0xBB, 0xBF] where try next() != byte {
            throw ImportFailure(line: 1, "the file isn't UTF-8")
        }
    }
}
