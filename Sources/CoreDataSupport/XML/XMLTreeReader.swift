// Reads XML documents. Entity declarations are refused, nesting and size are bounded. The parser is ours because
// Foundation's stops the process on some malformed documents.

package import Foundation

/// A reader of whole documents.
package enum XMLTreeReader {
    static let sizeLimit = 128 << 20
    static let depthLimit = 100
    static let elementLimit = 2_000_000

    /// The document's root element. Throws `ArchiveFailure`.
    package static func read(_ data: Data) throws -> XMLTree {
        guard data.count <= sizeLimit else { throw ArchiveFailure("the XML document is too large") }
        var scanner = try scanner(of: data)
        do {
            return try scanner.document()
        } catch {
            throw ArchiveFailure("\(error.reason), in line \(scanner.line)")
        }
    }

    /// Returns a scanner of a document whose bytes may all be in one.
    static func scanner(of data: Data) throws -> XMLScanner {
        let bytes = SearchedBytes(data)
        try refuseDeclarations(bytes)
        guard bytes.areText else { throw ArchiveFailure("the XML document is not UTF-8") }
        let places = controls.compactMap { bytes.place(of: $0, in: 0..<bytes.count) }
        if let place = places.min() {
            throw ArchiveFailure("there is a control character, in line \(bytes.line(of: place))")
        }
        return XMLScanner(bytes)
    }

    /// The characters below the space that no document may have.
    private static let controls = (UInt8(1)..<0x20).map(Unicode.Scalar.init).filter {
        !["\t", "\n", "\r"].contains($0)
    }

    /// Refuses what could hide or define entities: other encodings than UTF-8 and a document type with a body.
    private static func refuseDeclarations(_ bytes: SearchedBytes) throws {
        guard bytes.place(of: "\0", in: 0..<bytes.count) == nil else {
            throw ArchiveFailure("the XML document is not UTF-8")
        }
        let head = bytes.text(0..<min(200, bytes.count))
        if head.hasPrefix("<?xml"), let end = head.range(of: "?>") {
            let declaration = head[..<end.lowerBound].lowercased()
            if declaration.contains("encoding"), !declaration.contains("utf-8"),
                !declaration.contains("us-ascii")
            {
                throw ArchiveFailure("the XML document is not UTF-8")
            }
        }
        guard bytes.place(of: "<!ENTITY", from: 0) == nil else {
            throw ArchiveFailure("the XML document declares entities")
        }
        var start = 0
        while let type = bytes.place(of: "<!DOCTYPE", from: start) {
            guard let end = bytes.place(of: ">", in: type..<bytes.count),
                bytes.place(of: "[", in: type..<end) == nil
            else { throw ArchiveFailure("the XML document's type has a body") }
            start = end
        }
    }
}
