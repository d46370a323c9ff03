// SQL under construction: text and bindings as separate segments, so that a value can never become text.

import CoreDataSupport
import Foundation

/// A piece of a statement. In an interpolated literal the literal parts are SQL; `\(fragment)` splices a
/// fragment, `\(name:)` an identifier, `\(number:)` a number of the model or the layout, `\(binding:)` a value.
package struct SQLFragment: Sendable, Hashable, ExpressibleByStringInterpolation {
    enum Segment: Sendable, Hashable {
        case text(String)
        case binding(SQLBinding)
    }

    private(set) var segments: [Segment]

    init(segments: [Segment]) {
        self.segments = segments
    }

    package init(stringLiteral value: String) {
        segments = [.text(value)]
    }

    package init(stringInterpolation: Interpolation) {
        segments = stringInterpolation.segments
    }

    package init(binding: SQLBinding) {
        segments = [.binding(binding)]
    }

    package struct Interpolation: StringInterpolationProtocol {
        var segments: [Segment] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            segments.reserveCapacity(interpolationCount * 2 + 1)
        }

        package mutating func appendLiteral(_ literal: String) {
            if !literal.isEmpty { segments.append(.text(literal)) }
        }

        package mutating func appendInterpolation(_ fragment: SQLFragment) {
            segments.append(contentsOf: fragment.segments)
        }

        package mutating func appendInterpolation(name: String) {
            segments.append(.text(safeIdentifier(name)))
        }

        package mutating func appendInterpolation(number: some BinaryInteger) {
            segments.append(.text(String(number)))
        }

        package mutating func appendInterpolation(binding: SQLBinding) {
            segments.append(.binding(binding))
        }
    }
}

extension SQLFragment {
    package static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
        SQLFragment(segments: left.segments + right.segments)
    }

    package static func += (left: inout SQLFragment, right: SQLFragment) {
        left.segments.append(contentsOf: right.segments)
    }

    /// The statement with a `?` for each binding.
    package var statement: SQLStatement {
        var text = ""
        var bindings: [SQLBinding] = []
        for segment in segments {
            switch segment {
            case .text(let part): text += part
            case .binding(let value):
                text += "?"
                bindings.append(value)
            }
        }
        return SQLStatement(text, bindings)
    }

    /// The text with values as literals, for the places where SQL takes no parameters (an index's condition).
    package var inlined: String {
        segments.map { segment in
            switch segment {
            case .text(let part): part
            case .binding(let value): value.literal
            }
        }
        .joined()
    }
}

extension [SQLFragment] {
    package func joined(separator: SQLFragment) -> SQLFragment {
        var result = SQLFragment(segments: [])
        for (index, fragment) in enumerated() {
            if index > 0 { result += separator }
            result += fragment
        }
        return result
    }
}

/// Apple's own names are upper-case letters, digits and underscores and need no quotes; all else gets them.
func safeIdentifier(_ name: String) -> String {
    let isPlain =
        name.utf8.first == UInt8(ascii: "Z")
        && name.utf8.allSatisfy {
            (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "_")
        }
    return isPlain ? name : quoted(identifier: name)
}

extension SQLBinding {
    /// As SQL spells it.
    package var literal: String {
        switch self {
        case .null: return "NULL"
        case .integer(let number): return String(number)
        case .double(let number):
            if number.isNaN { return "NULL" }
            if number.isInfinite { return number < 0 ? "-9e999" : "9e999" }
            return String(number)
        case .text(let text): return "'" + text.replacing("'", with: "''") + "'"
        case .blob(let bytes): return "X'" + bytes.hexadecimal.uppercased() + "'"
        }
    }
}
