// The keys and values of a dictionary where they stand in memory.

/// Going through a dictionary copies each key and each box out of it, and frees them: half of what a batch insert of
/// dictionaries would cost.
///
/// Swift's dictionaries are laid out as code that the compiler inlines into clients expects: a header with the number of
/// buckets and the places of keys and values, then a bit for each bucket that is taken. Dictionaries of
/// several sizes show once whether that holds; if it doesn't, nobody reads so.
package enum DictionaryTable {
    private enum Header {
        static let count = 16
        static let scale = 32
        static let keys = 48
        static let values = 56
        static let end = 64
    }

    /// Indicates whether this toolchain's dictionaries are laid out so.
    package static let isKnown =
        MemoryLayout<Int>.size == 8 && MemoryLayout<[String: Any]>.size == 8
        && [1, 5, 24, 60, 200, 1_000].allSatisfy { size in
            isLaidOut(Dictionary(uniqueKeysWithValues: (0..<size).map { ("\($0)", $0) }))
        }

    /// Calls a block with the place of each key, a `String`, and of its value, an `Any`. Only where `isKnown`.
    @inline(__always)
    package static func forEach(
        _ dictionary: [String: Any], body: (UnsafeRawPointer, UnsafeRawPointer) throws -> Void
    ) rethrows {
        try withExtendedLifetime(dictionary) {
            let header = unsafeBitCast(dictionary, to: UnsafeRawPointer.self)
            let buckets = 1 << Int(header.load(fromByteOffset: Header.scale, as: Int8.self))
            let keys = header.load(fromByteOffset: Header.keys, as: UnsafeRawPointer.self)
            let values = header.load(fromByteOffset: Header.values, as: UnsafeRawPointer.self)
            for first in stride(from: 0, to: buckets, by: 64) {
                var taken = header.load(fromByteOffset: Header.end + first / 8, as: UInt64.self)
                if buckets < 64 { taken &= (1 << UInt64(buckets)) - 1 }
                while taken != 0 {
                    let bucket = first + taken.trailingZeroBitCount
                    taken &= taken - 1
                    try body(
                        keys + bucket * MemoryLayout<String>.stride,
                        values + bucket * MemoryLayout<Any>.stride)
                }
            }
        }
    }

    /// Nothing is followed before the header is found to lead to where keys and values can only be.
    private static func isLaidOut(_ dictionary: [String: Any]) -> Bool {
        withExtendedLifetime(dictionary) {
            let header = unsafeBitCast(dictionary, to: UnsafeRawPointer.self)
            let scale = Int(header.load(fromByteOffset: Header.scale, as: Int8.self))
            guard header.load(fromByteOffset: Header.count, as: Int.self) == dictionary.count,
                0...40 ~= scale, 1 << scale >= dictionary.count, 1 << scale < 4 * dictionary.count + 4
            else { return false }
            let words = max(1, (1 << scale) / 64)
            let keys = (header + Header.end + 8 * words).alignedUp(
                toMultipleOf: MemoryLayout<String>.alignment)
            let values = (keys + MemoryLayout<String>.stride << scale)
                .alignedUp(toMultipleOf: MemoryLayout<Any>.alignment)
            guard header.load(fromByteOffset: Header.keys, as: UnsafeRawPointer.self) == keys,
                header.load(fromByteOffset: Header.values, as: UnsafeRawPointer.self) == values
            else { return false }
            var found: [(String, Int?)] = []
            forEach(dictionary) { key, value in
                found.append((key.load(as: String.self), value.load(as: Any.self) as? Int))
            }
            return found.elementsEqual(dictionary) { $0.0 == $1.key && $0.1 == $1.value as? Int }
        }
    }
}
