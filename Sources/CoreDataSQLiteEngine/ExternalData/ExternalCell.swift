// The contents of a column of an attribute with external storage.
//
//   0x01 bytes                        the value itself
//   0x02 36 characters of UUID 0x00   the value is a file with that name
//   anything else                     a value from before the attribute allowed external storage

import Foundation

/// The content of such a cell, without a copy of it. `ExternalValue` is the strict form, and what writes cells.
enum ExternalCell {
    case inline(UnsafeRawBufferPointer)
    case file(String)

    private static let referenceLength = 38

    init(_ bytes: UnsafeRawBufferPointer) {
        switch bytes.first {
        case 1: self = .inline(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
        case 2 where Self.name(bytes) != nil: self = .file(Self.name(bytes) ?? "")
        default: self = .inline(bytes)
        }
    }

    /// The file's name, only if it is a UUID: no name from a file can lead out of the folder.
    private static func name(_ bytes: UnsafeRawBufferPointer) -> String? {
        guard bytes.count == referenceLength, bytes[referenceLength - 1] == 0 else { return nil }
        let text = String(decoding: bytes[1..<referenceLength - 1], as: UTF8.self)
        return UUID(uuidString: text) == nil ? nil : text
    }
}
