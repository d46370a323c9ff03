// Binary store files. Numbers have their lowest byte first; a length has 8 bytes.
//
//   8 bytes    mark "OCDB\r\n" 0x1A "\n"
//   4 bytes    version of the form: 1
//   section    head: a binary property list with UUID and metadata
//   section    rows (BinaryForm+Rows.swift)
//
// A section is its length, its bytes and their checksum (8 bytes). Nothing follows the second one.

package import CoreDataSQL
import CoreDataSchema
import CoreDataSupport
package import Foundation

/// The form of `NSBinaryStoreType`: our own, since Apple's isn't known.
package enum BinaryForm: StoreFileForm {
    package static let type = StoreTypeName.binary
    package static let keepsVersions = true
    package static let sharesKeys = false
    package static let firstKey: Int64 = 1

    package static let mark = Data("OCDB\r\n\u{1A}\n".utf8)
    private static let version: UInt32 = 1

    /// A binary store of Apple's can't be read, but is best refused as what it is.
    package static func recognizes(_ start: Data) -> Bool {
        start.starts(with: mark) || start.prefix(64).range(of: Data("bplist".utf8)) != nil
    }

    package static func metadata(_ data: Data) throws -> StoreMetadata {
        var reader = try opened(data)
        return try head(section(&reader))
    }

    package static func read(_ data: Data, into rows: MemoryRows) throws -> StoreMetadata {
        var reader = try opened(data)
        let metadata = try head(section(&reader))
        let body = try section(&reader)
        guard reader.remaining == 0 else { throw StoreFileFailure("there are bytes behind the end") }
        var rowReader = BinaryRowReader(body, rows: rows)
        try rowReader.read()
        return metadata
    }

    package static func data(_ rows: MemoryRows, metadata: StoreMetadata) throws -> Data {
        var writer = BinaryRowWriter(rows)
        try writer.write()
        return file(metadata, body: writer.bytes)
    }

    package static func data(_ data: Data, renewing metadata: StoreMetadata) throws -> Data {
        var reader = try opened(data)
        _ = try section(&reader)
        return file(metadata, body: try section(&reader))
    }

    // MARK: Sections

    private static func file(_ metadata: StoreMetadata, body: Data) -> Data {
        var writer = ByteWriter()
        writer.append(mark)
        writer.write(version)
        let head = PropertyList.dictionary([
            PropertyList.Entry("UUID", value: .string(metadata.uuid)),
            PropertyList.Entry("metadata", value: .dictionary(metadata.entries)),
        ])
        for section in [BinaryPropertyListWriter.data(for: head), body] {
            writer.write(section)
            writer.write(checksum(section))
        }
        return writer.bytes
    }

    private static func opened(_ data: Data) throws -> ByteReader {
        guard data.starts(with: mark) else { throw other(data) }
        var reader = ByteReader(data)
        _ = try reader.take(mark.count)
        let version: UInt32 = try reader.number()
        guard version == Self.version else {
            throw StoreFileFailure("the file is in version \(version) of the binary form", kind: .mismatch)
        }
        return reader
    }

    /// Returns the failure for a file that isn't one of ours.
    private static func other(_ data: Data) -> StoreFileFailure {
        if data.prefix(64).range(of: Data("bplist".utf8)) != nil {
            return StoreFileFailure(
                "the file seems to be a binary store of Apple's framework, whose form isn't known: "
                    + "there, migrate it to an SQLite store", kind: .mismatch)
        }
        if data.starts(with: Data("SQLite format 3\0".utf8)) {
            return StoreFileFailure("the file is an SQLite database", kind: .mismatch)
        }
        if data.starts(with: Data("<?xml".utf8)) {
            return StoreFileFailure("the file is an XML document", kind: .mismatch)
        }
        return StoreFileFailure("the file isn't a binary store", kind: .foreign)
    }

    private static func section(_ reader: inout ByteReader) throws -> Data {
        let bytes = try reader.data()
        let sum: UInt64 = try reader.number()
        guard checksum(bytes) == sum else { throw StoreFileFailure("the checksum is wrong") }
        return bytes
    }

    private static func head(_ bytes: Data) throws -> StoreMetadata {
        do {
            let list = try BinaryPropertyListReader.read(Data(bytes))
            guard let uuid = list["UUID"]?.string, !uuid.isEmpty,
                case .dictionary(let entries)? = list["metadata"]
            else { throw StoreFileFailure("the store has no UUID or no metadata") }
            let metadata = StoreMetadata(uuid: uuid, entries: entries)
            _ = try metadata.versionHashes()
            return metadata
        } catch let failure as ArchiveFailure {
            throw StoreFileFailure("the metadata can't be read: \(failure)")
        }
    }
}
