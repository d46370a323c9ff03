// Strings that were made of the text in rows, kept for the next time that it is read.

import Foundation

/// The strings that a context's objects gave lately for texts too long for Swift to keep without an allocation.
///
/// A place keeps the string of one text, found by the address of its bytes, and gives it only where those are the same bytes
/// still. So nothing need be told when rows change, are read again or go, and nobody reads what is out of date. A text is
/// kept from its second reading on: a pass over many objects that reads each once makes and keeps nothing more for it.
struct KeptTexts: ~Copyable {
    private struct Place {
        /// The address that was read last of those that share the place.
        var address: UInt = 0
        var text = ""
    }

    /// The lengths in bytes of the texts that are kept. Shorter ones are in the string's own words; longer ones take longer to
    /// compare, and more memory.
    private static let lengths = 16...255
    /// Together with the longest texts the bound of what is kept: 300 kB for a context.
    private static let count = 1024

    private let places: UnsafeMutablePointer<Place>

    init() {
        places = .allocate(capacity: Self.count)
        places.initialize(repeating: Place(), count: Self.count)
    }

    deinit {
        places.deinitialize(count: Self.count)
        places.deallocate()
    }

    /// Returns whether a text of so many bytes is kept.
    @inline(__always)
    static func keeps(length: Int) -> Bool { lengths.contains(length) }

    /// The string of a text whose length is one that is kept.
    @inline(__always)
    func text(_ bytes: UnsafeRawBufferPointer) -> String {
        let address = UInt(bitPattern: bytes.baseAddress)
        // Texts of a slab follow each other, each longer than 16 bytes: no two neighbours share a place.
        let place = places + Int(truncatingIfNeeded: address >> 4) & (Self.count - 1)
        if place.pointee.address == address, Self.isText(place.pointee.text, bytes: bytes) {
            return place.pointee.text
        }
        return Self.made(bytes, address: address, place: place)
    }

    @inline(never)
    private static func made(
        _ bytes: UnsafeRawBufferPointer, address: UInt, place: UnsafeMutablePointer<Place>
    ) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        if place.pointee.address == address {
            place.pointee.text = text
        } else {
            place.pointee.address = address
        }
        return text
    }

    /// Returns whether a string's bytes are these.
    @inline(__always)
    private static func isText(_ text: String, bytes: UnsafeRawBufferPointer) -> Bool {
        text.utf8.count == bytes.count
            && text.utf8.withContiguousStorageIfAvailable { kept in
                guard let kept = UnsafeRawPointer(kept.baseAddress), let start = bytes.baseAddress else {
                    return false
                }
                return areEqual(kept, start, count: bytes.count)
            } ?? false
    }

    /// Compares 16 bytes or more, eight at a time: a call of `memcmp` would take longer for most texts.
    @inline(__always)
    private static func areEqual(_ one: UnsafeRawPointer, _ other: UnsafeRawPointer, count: Int) -> Bool {
        func differ(_ offset: Int) -> UInt64 {
            one.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                ^ other.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        }
        // The last eight may have been compared in part.
        if differ(count - 8) != 0 { return false }
        var offset = 0
        while offset < count - 8 {
            if differ(offset) != 0 { return false }
            offset += 8
        }
        return true
    }
}
