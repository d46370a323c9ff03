// Reads XML documents. Entity declarations are refused, nesting and size are bounded.

package import Foundation
import FoundationXML

/// A reader of whole documents.
package enum XMLTreeReader {
    static let sizeLimit = 128 << 20
    static let depthLimit = 100
    static let elementLimit = 2_000_000

    /// The document's root element. Throws `ArchiveFailure`.
    package static func read(_ data: Data) throws -> XMLTree {
        guard data.count <= sizeLimit else { throw ArchiveFailure("the XML document is too large") }
        try refuseDeclarations(data)
        let builder = Builder()
        let parser = XMLParser(data: data)
        parser.shouldResolveExternalEntities = false
        parser.shouldProcessNamespaces = false
        parser.delegate = builder
        let succeeded = parser.parse()
        if let failure = builder.failure { throw failure }
        guard succeeded, let root = builder.root else {
            throw ArchiveFailure("the XML document is broken at line \(parser.lineNumber)")
        }
        return root
    }

    /// Refuses what could hide or define entities: other encodings than UTF-8 and a document type with a body.
    private static func refuseDeclarations(_ data: Data) throws {
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

    private final class Builder: NSObject, XMLParserDelegate {
        private(set) var root: XMLTree?
        private(set) var failure: ArchiveFailure?
        private var stack: [XMLTree] = []
        private var count = 0

        private func stop(_ parser: XMLParser, _ reason: String) {
            if failure == nil { failure = ArchiveFailure(reason) }
            parser.abortParsing()
        }

        func parser(
            _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
            attributes: [String: String]
        ) {
            guard failure == nil else { return }
            count += 1
            guard stack.count < XMLTreeReader.depthLimit else {
                return stop(parser, "the XML document is nested too deep")
            }
            guard count <= XMLTreeReader.elementLimit else {
                return stop(parser, "the XML document has too many elements")
            }
            let sorted = attributes.sorted { $0.key < $1.key }
            stack.append(XMLTree(name, sorted.map { XMLTree.Attribute($0.key, $0.value) }))
        }

        func parser(
            _ parser: XMLParser, didEndElement name: String, namespaceURI: String?, qualifiedName: String?
        ) {
            guard failure == nil, let element = stack.popLast() else { return }
            if stack.isEmpty {
                root = element
            } else {
                stack[stack.count - 1].children.append(element)
            }
        }

        func parser(_ parser: XMLParser, foundCharacters string: String) {
            guard failure == nil, !stack.isEmpty else { return }
            stack[stack.count - 1].text += string
        }

        func parser(_ parser: XMLParser, foundCDATA block: Data) {
            guard failure == nil, !stack.isEmpty else { return }
            stack[stack.count - 1].text += String(decoding: block, as: UTF8.self)
        }

        func parser(
            _ parser: XMLParser, foundInternalEntityDeclarationWithName name: String, value: String?
        ) {
            stop(parser, "the XML document declares entities")
        }
    }
}
