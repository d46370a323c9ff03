// Writes XML documents, indented by four spaces.

package import Foundation

/// A writer of whole documents.
package enum XMLTreeWriter {
    /// The document's bytes. Throws `ArchiveFailure` for a character that XML can't hold.
    ///
    /// - Parameter documentType: a line such as `<!DOCTYPE plist …>`, already in XML.
    package static func data(for root: XMLTree, standalone: Bool = true, documentType: String? = nil) throws
        -> Data
    {
        var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"\(standalone ? " standalone=\"yes\"" : "")?>\n"
        if let documentType { text += documentType + "\n" }
        try append(root, indent: "", to: &text)
        return Data(text.utf8)
    }

    private static func append(_ element: XMLTree, indent: String, to text: inout String) throws {
        text += indent + "<" + element.name
        for attribute in element.attributes {
            text += " \(attribute.name)=\"\(try escaped(attribute.value))\""
        }
        if element.children.isEmpty, element.text.isEmpty {
            text += "/>\n"
            return
        }
        text += ">" + (try escaped(element.text))
        if !element.children.isEmpty {
            text += "\n"
            for child in element.children { try append(child, indent: indent + "    ", to: &text) }
            text += indent
        }
        text += "</" + element.name + ">\n"
    }

    private static func escaped(_ text: String) throws -> String {
        if let scalar = XMLText.obstacle(in: text) {
            throw ArchiveFailure("XML can't hold the character U+\(String(scalar.value, radix: 16))")
        }
        return XMLText.escaped(text, keepsSpaces: true)
    }
}
