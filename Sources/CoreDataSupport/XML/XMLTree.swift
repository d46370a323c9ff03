// An XML document as a value.

/// An element with its attributes and contents.
package struct XMLTree: Sendable, Hashable {
    package struct Attribute: Sendable, Hashable {
        package let name: String
        package let value: String

        package init(_ name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package var name: String
    /// In the document's order.
    package var attributes: [Attribute]
    package var children: [XMLTree]
    /// The text directly inside the element, without that of its children.
    package var text: String

    package init(_ name: String, attributes: [Attribute] = [], children: [XMLTree] = [], text: String = "") {
        self.name = name
        self.attributes = attributes
        self.children = children
        self.text = text
    }

    /// The value of an attribute.
    package subscript(attribute: String) -> String? {
        attributes.first { $0.name == attribute }?.value
    }
}
