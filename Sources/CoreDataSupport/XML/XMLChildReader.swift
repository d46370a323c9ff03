// Reads XML documents that hold a long list of elements, without keeping the list.

package import Foundation

/// A reader of the children of a document's root element, one after the other.
package struct XMLChildReader {
    private var scanner: XMLScanner
    private let root: String

    /// Throws `ArchiveFailure`.
    package init(_ data: Data, root: String) throws {
        try XMLTreeReader.refuseDeclarations(data)
        guard String(validating: data, as: UTF8.self) != nil else {
            throw ArchiveFailure("the XML document is not UTF-8")
        }
        scanner = XMLScanner(data)
        self.root = root
    }

    /// The next child, `nil` at the end of the document. Throws `ArchiveFailure`.
    package mutating func nextChild() throws -> XMLTree? {
        let child: XMLTree?
        do {
            child = try scanner.nextChild()
        } catch {
            throw ArchiveFailure("\(error.reason), in line \(scanner.line)")
        }
        guard scanner.rootName == root else {
            throw ArchiveFailure("the document's root element isn't <\(root)>")
        }
        return child
    }
}
