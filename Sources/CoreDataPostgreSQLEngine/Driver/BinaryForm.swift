// The binary form of values, in the order of bytes of the network.
//
//   bigint             8 bytes
//   double precision   8 bytes, IEEE 754
//   timestamptz        8 bytes, microseconds since 2000-01-01 00:00 UTC
//   date               4 bytes, days since 2000-01-01
//   boolean            1 byte
//   uuid               16 bytes
//   text, bytea        the bytes
//   numeric            2 bytes each: digits, weight, sign, digits behind the point; then digits to the base of 10000
//   T[]                4 bytes each: 1, whether there are NULLs, T's number, elements, 1; then for each its length
//                      (-1 for NULL) in 4 bytes, and its bytes

import CoreDataSupport
import Foundation

/// Reads and writes values.
package enum BinaryForm {
    static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64 {
        switch bytes.count {
        case 8: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
        case 4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
        case 2: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
        default: 0
        }
    }

    static func double(_ bytes: UnsafeRawBufferPointer) -> Double {
        switch bytes.count {
        case 8: Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
        case 4: Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
        default: 0
        }
    }

    // MARK: Dates

    /// Seconds since 2001. A day without a time, of 4 bytes, is its first moment.
    static func seconds(_ bytes: UnsafeRawBufferPointer) -> Double {
        bytes.count == 4
            ? Double(integer(bytes) - 366) * 86_400 : Microseconds.seconds(integer(bytes))
    }

    /// The moment as `to_timestamp` rounds it, so that a stored date equals the constant it was made of; `nil` for one that
    /// the database has no place for.
    package static func microseconds(_ seconds: Double) -> Int64? { Microseconds.time(seconds) }

    // MARK: Decimals

    /// `nil` for NaN, infinities, and what isn't of the form.
    static func decimal(_ bytes: UnsafeRawBufferPointer) -> Decimal? {
        guard bytes.count >= 8 else { return nil }
        func word(_ place: Int) -> Int {
            Int(Int16(bigEndian: bytes.loadUnaligned(fromByteOffset: place * 2, as: Int16.self)))
        }
        let (count, weight, sign) = (word(0), word(1), UInt16(truncatingIfNeeded: word(2)))
        guard count >= 0, bytes.count == 8 + count * 2, sign == 0 || sign == 0x4000 else { return nil }
        var text = sign == 0 ? "" : "-"
        for digit in 0..<count {
            let part = String(word(4 + digit))
            text += String(repeating: "0", count: max(0, 4 - part.count)) + part
        }
        if count == 0 { text += "0" }
        return Decimal(string: text + "e\((weight + 1 - count) * 4)")
    }
}
