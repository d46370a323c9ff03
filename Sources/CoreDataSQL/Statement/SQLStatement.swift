// SQL with its bindings. Text and values never mix: a value is always a binding.

package import Foundation

/// A value bound to a statement's parameter.
package enum SQLBinding: Sendable, Hashable {
    case null
    case integer(Int64)
    case double(Double)
    case text(String)
    case blob(Data)
}

/// SQL text with one binding for each `?`, in order.
package struct SQLStatement: Sendable, Hashable {
    package var text: String
    package var bindings: [SQLBinding]

    package init(_ text: String, bindings: [SQLBinding] = []) {
        self.text = text
        self.bindings = bindings
    }
}

/// An identifier as SQL text, quotes inside it doubled.
package func quoted(identifier: String) -> String {
    let isPlain = !identifier.utf8.contains(UInt8(ascii: "\""))
    return "\"" + (isPlain ? identifier : identifier.replacing("\"", with: "\"\"")) + "\""
}
