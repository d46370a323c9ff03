// Reads XML documents that hold a long list of elements, without keeping the list.

package import Foundation

/// A reader of the children of a document's root element, one after the other.
package struct XMLChildReader {
    private var scanner: XMLScanner
    private let root: String

    /// Throws `ArchiveFailure`.
    package init(_ data: Data, root: String) throws {
        scanner = try XMLTreeReader.scanner(of: data)
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
