// Raw DEFLATE, the form in which a store keeps its model: no header, no checksum.

import CZlib
package import Foundation

/// Raw DEFLATE over zlib.
package enum Deflate {
    /// Inflates the bytes of one complete stream. Throws `ArchiveFailure` when they are no such stream, end too
    /// early or give more than `limit` bytes.
    package static func inflate(_ data: Data, limit: Int) throws -> Data {
        var stream = z_stream()
        guard inflateInit2_(&stream, -15, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            throw ArchiveFailure("zlib can't start")
        }
        defer { inflateEnd(&stream) }
        var input = [UInt8](data)
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        var output = Data()
        return try input.withUnsafeMutableBufferPointer { source in
            stream.next_in = source.baseAddress
            stream.avail_in = UInt32(clamping: source.count)
            while true {
                let (status, produced) = step(
                    &stream, chunk: &chunk, function: CZlib.inflate, flush: Z_NO_FLUSH)
                output.append(contentsOf: chunk[0..<produced])
                guard output.count <= limit else {
                    throw ArchiveFailure("compressed bytes inflate to more than \(limit) bytes")
                }
                if status == Z_STREAM_END { return output }
                guard status == Z_OK, produced > 0 || stream.avail_in > 0 else {
                    throw ArchiveFailure("compressed bytes are broken or truncated")
                }
            }
        }
    }

    /// Deflates bytes into one complete stream. Throws `ArchiveFailure` when zlib has no memory.
    package static func deflate(_ data: Data) throws -> Data {
        var stream = z_stream()
        let started = deflateInit2_(
            &stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard started == Z_OK else { throw ArchiveFailure("zlib can't start") }
        defer { deflateEnd(&stream) }
        var input = [UInt8](data)
        var chunk = [UInt8](repeating: 0, count: 64 * 1024)
        var output = Data()
        return try input.withUnsafeMutableBufferPointer { source in
            stream.next_in = source.baseAddress
            stream.avail_in = UInt32(clamping: source.count)
            while true {
                let (status, produced) = step(
                    &stream, chunk: &chunk, function: CZlib.deflate, flush: Z_FINISH)
                output.append(contentsOf: chunk[0..<produced])
                if status == Z_STREAM_END { return output }
                guard status == Z_OK else { throw ArchiveFailure("zlib failed with status \(status)") }
            }
        }
    }

    private static func step(
        _ stream: inout z_stream, chunk: inout [UInt8],
        function: (UnsafeMutablePointer<z_stream>?, Int32) -> Int32, flush: Int32
    ) -> (status: Int32, produced: Int) {
        chunk.withUnsafeMutableBufferPointer { target in
            stream.next_out = target.baseAddress
            stream.avail_out = UInt32(target.count)
            let status = function(&stream, flush)
            return (status, target.count - Int(stream.avail_out))
        }
    }
}
