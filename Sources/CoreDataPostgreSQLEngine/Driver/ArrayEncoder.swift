// Columns of many rows as arrays in binary form: one parameter for each column, however many rows there are.

import CoreDataSchema
import CoreDataSQL
import CoreDataSupport
import Foundation

/// An array in the making. Decimals are in it as texts, which the statement makes numbers of.
struct ArrayEncoder {
    private(set) var bytes: [UInt8] = []

    /// The types of elements with the server's numbers for them.
    enum Element: UInt32 {
        case bigint = 20
        case boolean = 16
        case real = 701
        case date = 1184
        case text = 25
        case uuid = 2950
        case bytes = 17

        init(_ kind: SlotKind) {
            switch kind {
            case .integer16, .integer32, .integer64, .toOne, .toOneOfSeveral: self = .bigint
            case .boolean: self = .boolean
            case .double, .float: self = .real
            case .date: self = .date
            case .string, .uri, .decimal: self = .text
            case .uuid: self = .uuid
            case .data, .externalData, .transformable, .object: self = .bytes
            }
        }
    }

    init(_ element: Element, count: Int) {
        for number in [1, 0, element.rawValue, UInt32(count), 1] { append(number) }
    }

    static func integers(_ numbers: some Collection<Int64>) -> [UInt8] {
        words(numbers.lazy.map { UInt64(bitPattern: $0) as UInt64? }, of: .bigint)
    }

    /// An array of elements of eight bytes, `nil` for NULL.
    static func words(_ words: some Collection<UInt64?>, of element: Element) -> [UInt8] {
        let head = ArrayEncoder(element, count: words.count).bytes
        return [UInt8](unsafeUninitializedCapacity: head.count + words.count * 12) { buffer, used in
            _ = buffer.initialize(fromContentsOf: head)
            let bytes = UnsafeMutableRawBufferPointer(buffer)
            used = head.count
            for word in words {
                guard let word else {
                    bytes[7] = 1
                    bytes.storeBytes(of: .max, toByteOffset: used, as: UInt32.self)
                    used += 4
                    continue
                }
                bytes.storeBytes(of: (8 as UInt32).bigEndian, toByteOffset: used, as: UInt32.self)
                bytes.storeBytes(of: word.bigEndian, toByteOffset: used + 4, as: UInt64.self)
                used += 12
            }
        }
    }

    private mutating func append<Number: FixedWidthInteger>(_ number: Number) where Number: UnsignedInteger {
        withUnsafeBytes(of: number.bigEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func appendNull() {
        bytes[7] = 1
        append(UInt32.max)
    }

    mutating func append(_ number: Int64) {
        append(8 as UInt32)
        append(UInt64(bitPattern: number))
    }

    mutating func append(_ value: some Collection<UInt8>) {
        append(UInt32(truncatingIfNeeded: value.count))
        bytes.append(contentsOf: value)
    }

    mutating func append(_ text: String) throws {
        if text.utf8.contains(0) {
            throw ServerFailure(.value, message: "A text with a zero character can't be stored.")
        }
        append(text.utf8)
    }
}
