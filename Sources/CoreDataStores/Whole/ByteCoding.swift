// Numbers and texts as bytes, the lowest byte first.

import CoreDataSchema
package import Foundation

/// Appends to bytes.
package struct ByteWriter {
    package private(set) var bytes = Data()

    package mutating func write(_ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    /// The length in 8 bytes, then the bytes.
    package mutating func write(_ data: Data) {
        write(UInt64(data.count))
        bytes.append(data)
    }

    package mutating func write(_ text: String) { write(Data(text.utf8)) }

    package mutating func append(_ data: Data) { bytes.append(data) }
}

/// Reads what a `ByteWriter` wrote. Throws where there is too little.
package struct ByteReader {
    private let bytes: Data
    private var position: Data.Index

    package init(_ bytes: Data) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    package var remaining: Int { bytes.endIndex - position }

    package mutating func take(_ count: Int) throws -> Data {
        guard count >= 0, count <= remaining else { throw StoreFileFailure("the file is truncated") }
        defer { position += count }
        return bytes[position..<position + count]
    }

    package mutating func number<Number: FixedWidthInteger>(_ type: Number.Type = Number.self) throws
        -> Number
    {
        guard MemoryLayout<Number>.size <= remaining else { throw StoreFileFailure("the file is truncated") }
        defer { position += MemoryLayout<Number>.size }
        return bytes.withUnsafeBytes {
            Number(
                littleEndian: $0.loadUnaligned(fromByteOffset: position - bytes.startIndex, as: Number.self))
        }
    }

    package mutating func data() throws -> Data {
        guard let count = Int(exactly: try number(UInt64.self)) else {
            throw StoreFileFailure("a length is impossible")
        }
        return try take(count)
    }

    package mutating func text() throws -> String {
        guard let text = String(validating: try data(), as: UTF8.self) else {
            throw StoreFileFailure("a text isn't UTF-8")
        }
        return text
    }

    /// A number of things that take at least so many bytes each.
    package mutating func count(ofSize size: Int) throws -> Int {
        guard let count = Int(exactly: try number(UInt64.self)), count <= remaining / size else {
            throw StoreFileFailure("a count is impossible")
        }
        return count
    }
}

/// A checksum that every change of a byte changes (FNV-1a, 64 bits).
package func checksum(_ data: Data) -> UInt64 {
    data.withUnsafeBytes { bytes in
        var sum: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { sum = (sum ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return sum
    }
}
