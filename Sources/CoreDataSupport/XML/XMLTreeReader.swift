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
        try refuseDeclarations(data)
        guard String(validating: data, as: UTF8.self) != nil else {
            throw ArchiveFailure("the XML document is not UTF-8")
        }
        var scanner = XMLScanner(data)
        do {
            return try scanner.document()
        } catch {
            throw ArchiveFailure("\(error.reason), in line \(scanner.line)")
        }
    }

    /// Refuses what could hide or define entities: other encodings than UTF-8 and a document type with a body.
    static func refuseDeclarations(_ data: Data) throws {
        guard !data.contains(0) else { throw ArchiveFailure("the XML document is not UTF-8") }
        let head = String(decoding: data.prefix(200), as: UTF8.self)
        if head.hasPrefix("<?xml"), let end = head.range(of: "?>") {
            let declaration = head[..<end.lowerBound].lowercased()
            if declaration.contains("encoding"), !declaration.contains("utf-8"),
                !declaration.contains("us-ascii")
            {
                throw ArchiveFailure("the XML document is not UTF-8")
            }
        }
        guard data.range(of: Data("<!ENTITY".utf8)) == nil else {
            throw ArchiveFailure("the XML document declares entities")
        }
        var start = data.startIndex
        while let type = data.range(of: Data("<!DOCTYPE".utf8), in: start..<data.endIndex) {
            let close = data[type.upperBound...].firstIndex {
                $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "[")
            }
            guard let close, data[close] == UInt8(ascii: ">") else {
                throw ArchiveFailure("the XML document's type has a body")
            }
            start = close
        }
    }
}
