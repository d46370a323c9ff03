// The reason why a format could not be read, and the place.

/// An error in a predicate or expression format.
package struct ParseFailure: Error, Equatable, Sendable, CustomStringConvertible {
    /// One sentence for the person who typed the format.
    package let reason: String
    /// Offset in characters from the start of the format.
    package let position: Int
    /// Number of characters that the failure covers; 0 at the end of the format.
    package let length: Int

    package init(reason: String, position: Int, length: Int) {
        self.reason = reason
        self.position = position
        self.length = length
    }

    package var description: String { "\(reason) (at character \(position))" }
}

/// The limits of the parser, so that no text can exhaust memory or stack.
package enum ParseLimits {
    /// UTF-8 bytes of one format.
    package static let formatLength = 1 << 20
    /// Levels of one tree. A chain such as `a + b + c` has a level for each operator.
    package static let depth = 200
    /// Levels of parentheses, calls and prefixes, each of which costs the reader stack: up to 20 KB in debug.
    package static let nesting = 100
    /// Arguments of one format.
    package static let arguments = 100_000
}
