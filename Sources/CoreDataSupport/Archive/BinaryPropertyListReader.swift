// Reads binary property lists. Every offset, count and reference is checked: the bytes may come from anybody.

package import Foundation

/// A reader of the `bplist00` form.
package struct BinaryPropertyListReader {
    /// Bounds on what a file may ask for.
    package struct Limits: Sendable {
        package var objects = 2_000_000
        /// Nodes after shared objects have been written out, which a small file can make very many.
        package var nodes = 4_000_000
        package var depth = 128

        package init() {}
    }

    private enum Raw {
        case leaf(PropertyList)
        case array([Int])
        case set([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private let bytes: [UInt8]
    private let limits: Limits
    private var offsetsStart = 0
    private var offsetSize = 0
    private var referenceSize = 0
    private var count = 0
    private var objects: [Raw] = []
    private var budget: Int

    private init(_ data: Data, limits: Limits) {
        bytes = [UInt8](data)
        self.limits = limits
        budget = limits.nodes
    }

    /// Returns whether the bytes start as a binary property list does.
    package static func accepts(_ data: Data) -> Bool { data.starts(with: Array("bplist0".utf8)) }

    /// Reads a whole file. Throws `ArchiveFailure`.
    package static func read(_ data: Data, limits: Limits = Limits()) throws -> PropertyList {
        guard accepts(data) else { throw ArchiveFailure("not a binary property list") }
        var reader = BinaryPropertyListReader(data, limits: limits)
        let root = try reader.readTrailer()
        reader.objects.reserveCapacity(reader.count)
        for index in 0..<reader.count { try reader.objects.append(reader.readObject(index)) }
        return try reader.node(root, depth: 0)
    }

    // MARK: Table

    private mutating func readTrailer() throws -> Int {
        guard bytes.count >= 8 + 32 else { throw ArchiveFailure("binary property list is truncated") }
        let trailer = bytes.count - 32
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
            throw ArchiveFailure("binary property list has a broken trailer")
        }
        count = try integer(at: trailer + 8, size: 8)
        let root = try integer(at: trailer + 16, size: 8)
        offsetsStart = try integer(at: trailer + 24, size: 8)
        guard count > 0, count <= limits.objects, root < count, offsetsStart >= 8, offsetsStart <= trailer,
            count <= (trailer - offsetsStart) / offsetSize
        else { throw ArchiveFailure("binary property list has a broken offset table") }
        return root
    }

    /// A big-endian unsigned number that fits an `Int`.
    private func integer(at position: Int, size: Int) throws -> Int {
        guard position >= 0, size > 0, position <= bytes.count - size else {
            throw ArchiveFailure("binary property list points outside of itself")
        }
        var (value, place): (UInt64, Int) = (0, position)
        while place < position + size {
            guard value &>> 56 == 0 else {
                throw ArchiveFailure("binary property list holds too large a number")
            }
            value = value &<< 8 | UInt64(bytes[place])
            place += 1
        }
        guard let result = Int(exactly: value) else {
            throw ArchiveFailure("binary property list holds too large a number")
        }
        return result
    }

    private func readObject(_ index: Int) throws -> Raw {
        let position = try integer(at: offsetsStart + index * offsetSize, size: offsetSize)
        guard position >= 8, position < offsetsStart else {
            throw ArchiveFailure("object \(index) of the binary property list lies outside of it")
        }
        let marker = bytes[position]
        let low = Int(marker & 0x0F)
        switch marker >> 4 {
        case 0x0: return try .leaf(simple(marker))
        case 0x1: return try .leaf(number(position + 1, power: low))
        case 0x2: return try .leaf(real(position + 1, power: low))
        case 0x3: return try .leaf(date(position + 1, power: low))
        case 0x8: return try .leaf(uid(position + 1, size: low + 1))
        default: return try readCounted(marker >> 4, position: position, low: low)
        }
    }

    private func readCounted(_ kind: UInt8, position: Int, low: Int) throws -> Raw {
        var start = position + 1
        var length = low
        if low == 0x0F {
            guard start < offsetsStart, bytes[start] >> 4 == 1, bytes[start] & 0x0F <= 3 else {
                throw ArchiveFailure("binary property list has a broken count")
            }
            let size = 1 << Int(bytes[start] & 0x0F)
            length = try integer(at: start + 1, size: size)
            start += 1 + size
        }
        switch kind {
        case 0x4: return try .leaf(.data(Data(range(start, length: length))))
        case 0x5: return try .leaf(.string(ascii(range(start, length: length))))
        case 0x6: return try .leaf(.string(utf16(start, length: length)))
        case 0xA: return try .array(references(start, length: length))
        case 0xC: return try .set(references(start, length: length))
        case 0xD:
            let keys = try references(start, length: length)
            return try .dictionary(
                keys: keys, values: references(start + length * referenceSize, length: length))
        default: throw ArchiveFailure("binary property list holds an object of unknown kind \(kind)")
        }
    }

    private func range(_ start: Int, length: Int) throws -> ArraySlice<UInt8> {
        guard start <= offsetsStart, length <= offsetsStart - start else {
            throw ArchiveFailure("binary property list is truncated")
        }
        return bytes[start..<start + length]
    }

    private func references(_ start: Int, length: Int) throws -> [Int] {
        guard start <= offsetsStart, length <= (offsetsStart - start) / referenceSize else {
            throw ArchiveFailure("binary property list is truncated")
        }
        return try (0..<length).map {
            let reference = try integer(at: start + $0 * referenceSize, size: referenceSize)
            guard reference < count else {
                throw ArchiveFailure("binary property list has a dangling reference")
            }
            return reference
        }
    }

    // MARK: Leaves

    private func simple(_ marker: UInt8) throws -> PropertyList {
        switch marker {
        case 0x00: return .null
        case 0x08: return .bool(false)
        case 0x09: return .bool(true)
        default: throw ArchiveFailure("binary property list holds an object of unknown kind \(marker)")
        }
    }

    private func number(_ start: Int, power: Int) throws -> PropertyList {
        guard power <= 4 else { throw ArchiveFailure("binary property list holds too large a number") }
        let slice = try range(start, length: 1 << power)
        // Sixteen bytes hold an unsigned number above Int64.max, or a sign extension.
        let value = slice.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        if power == 4 {
            let high = slice.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            let signed = Int64(bitPattern: value)
            guard high == (signed < 0 ? UInt64.max : 0) else {
                throw ArchiveFailure("binary property list holds too large a number")
            }
        }
        return .integer(Int64(bitPattern: value))
    }

    private func real(_ start: Int, power: Int) throws -> PropertyList {
        guard power == 2 || power == 3 else {
            throw ArchiveFailure("binary property list holds a real number of unknown size")
        }
        let bits = try range(start, length: 1 << power).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return .real(
            power == 3
                ? Double(bitPattern: bits) : Double(Float(bitPattern: UInt32(truncatingIfNeeded: bits))))
    }

    private func date(_ start: Int, power: Int) throws -> PropertyList {
        guard power == 3, case .real(let seconds) = try real(start, power: power) else {
            throw ArchiveFailure("binary property list holds a date of unknown size")
        }
        return .date(Date(timeIntervalSinceReferenceDate: seconds))
    }

    private func uid(_ start: Int, size: Int) throws -> PropertyList {
        _ = try range(start, length: size)
        guard size <= 8, let value = try UInt32(exactly: integer(at: start, size: size)) else {
            throw ArchiveFailure("binary property list holds too large a UID")
        }
        return .uid(value)
    }

    private func ascii(_ slice: ArraySlice<UInt8>) throws -> String {
        guard slice.allSatisfy({ $0 < 0x80 }) else {
            throw ArchiveFailure("binary property list holds a broken string")
        }
        return String(decoding: slice, as: UTF8.self)
    }

    private func utf16(_ start: Int, length: Int) throws -> String {
        guard length <= bytes.count / 2 else { throw ArchiveFailure("binary property list is truncated") }
        let slice = try range(start, length: length * 2)
        let units = (0..<length).map {
            UInt16(slice[slice.startIndex + 2 * $0]) << 8 | UInt16(slice[slice.startIndex + 2 * $0 + 1])
        }
        return String(decoding: units, as: UTF16.self)
    }

    // MARK: Tree

    private mutating func node(_ index: Int, depth: Int) throws -> PropertyList {
        guard depth <= limits.depth else {
            throw ArchiveFailure("property list is nested too deep, or in a circle")
        }
        budget -= 1
        guard budget >= 0 else { throw ArchiveFailure("property list is too large") }
        switch objects[index] {
        case .leaf(let leaf): return leaf
        case .array(let elements): return try .array(elements.map { try node($0, depth: depth + 1) })
        case .set(let elements): return try .set(elements.map { try node($0, depth: depth + 1) })
        case .dictionary(let keys, let values):
            return try .dictionary(
                zip(keys, values).map { key, value in
                    guard case .leaf(.string(let name)) = objects[key] else {
                        throw ArchiveFailure("a dictionary of the property list has a key that is no string")
                    }
                    return try PropertyList.Entry(name, value: node(value, depth: depth + 1))
                })
        }
    }
}
