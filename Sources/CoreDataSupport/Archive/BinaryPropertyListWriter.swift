// Writes binary property lists, with UIDs. Equal leaves are stored once.

package import Foundation

/// A writer of the `bplist00` form.
package struct BinaryPropertyListWriter {
    private enum Raw {
        case leaf(PropertyList)
        case array([Int])
        case set([Int])
        case dictionary(keys: [Int], values: [Int])
    }

    private var objects: [Raw] = []
    private var leaves: [PropertyList: Int] = [:]

    /// The bytes of a property list. It must not be nested deeper than the reader allows.
    package static func data(for list: PropertyList) -> Data {
        var writer = BinaryPropertyListWriter()
        _ = writer.add(list)
        return writer.bytes()
    }

    private mutating func add(_ list: PropertyList) -> Int {
        switch list {
        case .array(let elements):
            let index = reserve()
            objects[index] = .array(elements.map { add($0) })
            return index
        case .set(let elements):
            let index = reserve()
            objects[index] = .set(elements.map { add($0) })
            return index
        case .dictionary(let entries):
            let index = reserve()
            let keys = entries.map { add(.string($0.key)) }
            objects[index] = .dictionary(keys: keys, values: entries.map { add($0.value) })
            return index
        default:
            if let index = leaves[list] { return index }
            objects.append(.leaf(list))
            leaves[list] = objects.count - 1
            return objects.count - 1
        }
    }

    private mutating func reserve() -> Int {
        objects.append(.leaf(.null))
        return objects.count - 1
    }

    private func bytes() -> Data {
        var bytes = Array("bplist00".utf8)
        let referenceSize = Self.size(of: objects.count)
        var offsets: [Int] = []
        for object in objects {
            offsets.append(bytes.count)
            Self.append(object, referenceSize: referenceSize, to: &bytes)
        }
        let table = bytes.count
        let offsetSize = Self.size(of: table)
        for offset in offsets { Self.append(UInt64(offset), size: offsetSize, to: &bytes) }
        bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
        Self.append(UInt64(objects.count), size: 8, to: &bytes)
        Self.append(0, size: 8, to: &bytes)
        Self.append(UInt64(table), size: 8, to: &bytes)
        return Data(bytes)
    }

    private static func size(of value: Int) -> Int {
        value < 1 << 8 ? 1 : value < 1 << 16 ? 2 : value < 1 << 32 ? 4 : 8
    }

    private static func append(_ value: UInt64, size: Int, to bytes: inout [UInt8]) {
        for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(shift)))
        }
    }

    private static func appendCount(_ kind: UInt8, count: Int, to bytes: inout [UInt8]) {
        if count < 15 {
            bytes.append(kind << 4 | UInt8(count))
        } else {
            bytes.append(kind << 4 | 0x0F)
            let size = size(of: count)
            bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
            append(UInt64(count), size: size, to: &bytes)
        }
    }

    private static func append(_ object: Raw, referenceSize: Int, to bytes: inout [UInt8]) {
        switch object {
        case .leaf(let leaf): append(leaf, to: &bytes)
        case .array(let elements):
            appendCount(0xA, count: elements.count, to: &bytes)
            for element in elements { append(UInt64(element), size: referenceSize, to: &bytes) }
        case .set(let elements):
            appendCount(0xC, count: elements.count, to: &bytes)
            for element in elements { append(UInt64(element), size: referenceSize, to: &bytes) }
        case .dictionary(let keys, let values):
            appendCount(0xD, count: keys.count, to: &bytes)
            for element in keys + values { append(UInt64(element), size: referenceSize, to: &bytes) }
        }
    }

    private static func append(_ leaf: PropertyList, to bytes: inout [UInt8]) {
        switch leaf {
        case .bool(let value): bytes.append(value ? 0x09 : 0x08)
        case .integer(let value): append(value, to: &bytes)
        case .real(let value):
            bytes.append(0x23)
            append(value.bitPattern, size: 8, to: &bytes)
        case .date(let value):
            bytes.append(0x33)
            append(value.timeIntervalSinceReferenceDate.bitPattern, size: 8, to: &bytes)
        case .data(let value):
            appendCount(0x4, count: value.count, to: &bytes)
            bytes += value
        case .string(let value): append(value, to: &bytes)
        case .uid(let value):
            let size = size(of: Int(value))
            bytes.append(0x80 | UInt8(size - 1))
            append(UInt64(value), size: size, to: &bytes)
        case .null, .array, .set, .dictionary: bytes.append(0x00)
        }
    }

    private static func append(_ value: Int64, to bytes: inout [UInt8]) {
        let size = value < 0 ? 8 : size(of: Int(value))
        bytes.append(0x10 | UInt8(size.trailingZeroBitCount))
        append(UInt64(bitPattern: value), size: size, to: &bytes)
    }

    private static func append(_ text: String, to bytes: inout [UInt8]) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            appendCount(0x5, count: text.utf8.count, to: &bytes)
            bytes += text.utf8
        } else {
            appendCount(0x6, count: text.utf16.count, to: &bytes)
            for unit in text.utf16 { append(UInt64(unit), size: 2, to: &bytes) }
        }
    }
}
