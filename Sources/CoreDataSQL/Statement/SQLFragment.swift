// SQL under construction: text, names and values as separate segments, so that a value can never become text, and each
// database spells names and parameters in its own way once the statement is whole.

import CoreDataSupport
import Foundation

/// A piece of a statement. In an interpolated literal the literal parts are SQL that every database takes;
/// `\(fragment)` splices a fragment, `\(name:)` an identifier, `\(number:)` a number of the model or the layout,
/// `\(binding:)` a value, and `\(slot:)` a parameter whose value comes when the statement runs.
package struct SQLFragment: Sendable, Hashable, ExpressibleByStringInterpolation {
    enum Segment: Sendable, Hashable {
        case text(String)
        case name(String)
        /// A name in quotes, whatever it is.
        case quotedName(String)
        /// `nil` for a parameter whose value comes when the statement runs.
        case parameter(SQLBinding?, SQLParameterType)
    }

    private(set) var segments: [Segment]

    init(segments: [Segment]) {
        self.segments = segments
    }

    package init(stringLiteral value: String) {
        segments = value.isEmpty ? [] : [.text(value)]
    }

    package init(stringInterpolation: Interpolation) {
        segments = stringInterpolation.segments
    }

    package init(binding: SQLBinding, as type: SQLParameterType = .ofValue) {
        segments = [.parameter(binding, type)]
    }

    package init(name: String) {
        segments = [.name(name)]
    }

    package struct Interpolation: StringInterpolationProtocol {
        var segments: [Segment] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            segments.reserveCapacity(interpolationCount * 2 + 1)
        }

        package mutating func appendLiteral(_ literal: String) {
            segments.add(.text(literal))
        }

        package mutating func appendInterpolation(_ fragment: SQLFragment) {
            segments.add(fragment.segments)
        }

        package mutating func appendInterpolation(name: String) {
            segments.append(.name(name))
        }

        package mutating func appendInterpolation(quoted name: String) {
            segments.append(.quotedName(name))
        }

        package mutating func appendInterpolation(names: some Sequence<String>) {
            appendInterpolation(names.map(SQLFragment.init(name:)).joined(separator: ", "))
        }

        package mutating func appendInterpolation(number: some BinaryInteger) {
            segments.add(.text(String(number)))
        }

        package mutating func appendInterpolation(numbers: some Sequence<Int>) {
            segments.add(.text(numbers.map(String.init).joined(separator: ", ")))
        }

        package mutating func appendInterpolation(binding: SQLBinding, as type: SQLParameterType = .ofValue) {
            segments.append(.parameter(binding, type))
        }

        package mutating func appendInterpolation(slot type: SQLParameterType) {
            segments.append(.parameter(nil, type))
        }

        /// Text that is SQL already: an alias, a type, an operator.
        package mutating func appendInterpolation(sql: String) {
            segments.add(.text(sql))
        }
    }
}

/// The words that a database is told about a parameter's type, where it wants to know.
package enum SQLParameterType: Sendable, Hashable {
    /// The type of the value itself.
    case ofValue
    /// The type that the place asks for: the column that is assigned to.
    case ofPlace
    /// One of the database's own types.
    case named(String)
}

extension [SQLFragment.Segment] {
    /// Texts that follow each other are one, so that fragments with the same SQL are equal.
    fileprivate mutating func add(_ segment: SQLFragment.Segment) {
        guard case .text(let text) = segment else { return append(segment) }
        if text.isEmpty { return }
        if case .text(let before)? = last {
            self[count - 1] = .text(before + text)
        } else {
            append(segment)
        }
    }

    fileprivate mutating func add(_ segments: [SQLFragment.Segment]) {
        guard let first = segments.first else { return }
        add(first)
        append(contentsOf: segments.dropFirst())
    }
}

extension SQLFragment {
    package static func + (left: SQLFragment, right: SQLFragment) -> SQLFragment {
        var result = left
        result += right
        return result
    }

    package static func += (left: inout SQLFragment, right: SQLFragment) {
        left.segments.add(right.segments)
    }

    package var isEmpty: Bool { segments.isEmpty }

    /// The statement in a database's spelling, with the values that are known.
    package func statement(in dialect: any Dialect) -> SQLStatement {
        var text = ""
        var bindings: [SQLBinding] = []
        var number = 0
        for segment in segments {
            switch segment {
            case .text(let part): text += part
            case .name(let name): text += dialect.name(name)
            case .quotedName(let name): text += quoted(identifier: name)
            case .parameter(let value, let type):
                number += 1
                text += dialect.parameter(number, for: value, as: type)
                if let value { bindings.append(value) }
            }
        }
        return SQLStatement(text, bindings: bindings)
    }

    /// The text of a statement whose values come when it runs.
    package func text(in dialect: any Dialect) -> String { statement(in: dialect).text }

    /// The text with values as literals, for the places where SQL takes no parameters (an index's condition).
    package func inlined(in dialect: any Dialect) -> String {
        segments.map { segment in
            switch segment {
            case .text(let part): part
            case .name(let name): dialect.name(name)
            case .quotedName(let name): quoted(identifier: name)
            case .parameter(let value, let type): dialect.literal(value ?? .null, as: type)
            }
        }
        .joined()
    }

    /// A column's bare name, as the left side of SET wants it.
    func unqualified(by alias: String) -> SQLFragment {
        segments.first == .text(alias + ".") ? SQLFragment(segments: Array(segments.dropFirst())) : self
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
