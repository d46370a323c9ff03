// Bytes in which the C library looks for others. Models and stores are read in builds for debugging too, where a loop over an
// array takes a hundred times as long.

import Foundation

struct SearchedBytes {
    private let bytes: [UInt8]

    init(_ data: Data) {
        bytes = [UInt8](data)
    }

    var count: Int { bytes.count }

    subscript(place: Int) -> UInt8 { bytes[place] }

    /// The first place of a byte in a range; nil if it isn't there.
    func place(of byte: Unicode.Scalar, in range: Range<Int>) -> Int? {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress,
                let found = memchr(base + range.lowerBound, Int32(byte.value), range.count)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }

    /// The first place of a token, whose first character is in ASCII, from another place on; nil if it isn't there.
    func place(of token: StaticString, from start: Int) -> Int? {
        let first = Unicode.Scalar(token.utf8Start.pointee)
        var start = start
        while let place = place(of: first, in: start..<count) {
            if has(token, at: place) { return place }
            start = place + 1
        }
        return nil
    }

    func has(_ token: StaticString, at place: Int) -> Bool {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress, place >= 0, token.utf8CodeUnitCount <= buffer.count - place
            else {
                return false
            }
            return memcmp(base + place, token.utf8Start, token.utf8CodeUnitCount) == 0
        }
    }

    /// The text of bytes that are known to be UTF-8.
    func text(_ range: Range<Int>) -> String {
        bytes.withUnsafeBufferPointer { String(decoding: $0[range], as: UTF8.self) }
    }

    /// Indicates that the bytes are UTF-8.
    var areText: Bool { String(validating: bytes, as: UTF8.self) != nil }

    /// The line of a place, counted from 1.
    func line(of place: Int) -> Int {
        var (line, start) = (1, 0)
        while let end = self.place(of: "\n", in: start..<min(place, count)) {
            (line, start) = (line + 1, end + 1)
        }
        return line
    }
}
