// A type as it is written in a source.

/// A written type. Types that Core Data properties can't have (functions, `some`, packs) are kept as text.
package indirect enum TypeSyntax: Hashable, Sendable {
    /// A part of a dotted name with its generic arguments: `Foundation`, `Set<Hero>`.
    package struct Component: Hashable, Sendable {
        package let name: String
        package let arguments: [TypeSyntax]

        package init(_ name: String, arguments: [TypeSyntax] = []) {
            self.name = name
            self.arguments = arguments
        }
    }

    case named([Component])
    case optional(TypeSyntax)
    case implicitlyUnwrapped(TypeSyntax)
    case array(TypeSyntax)
    case dictionary(key: TypeSyntax, value: TypeSyntax)
    case composition([TypeSyntax])
    case existential(TypeSyntax)
    case tuple([TypeSyntax])
    case inOut(TypeSyntax)
    case unsupported(String)

    package static func simple(_ name: String) -> TypeSyntax { .named([Component(name)]) }

    /// The type as Swift writes it, on one line.
    package var spelling: String {
        switch self {
        case .named(let components): components.map(\.spelling).joined(separator: ".")
        case .optional(let type): type.operandSpelling + "?"
        case .implicitlyUnwrapped(let type): type.operandSpelling + "!"
        case .array(let type): "[\(type.spelling)]"
        case .dictionary(let key, let value): "[\(key.spelling): \(value.spelling)]"
        case .composition(let types): types.map(\.spelling).joined(separator: " & ")
        case .existential(let type): "any " + type.spelling
        case .tuple(let types): "(" + types.map(\.spelling).joined(separator: ", ") + ")"
        case .inOut(let type): "inout " + type.spelling
        case .unsupported(let text): text
        }
    }

    private var operandSpelling: String {
        switch self {
        case .composition, .existential, .unsupported: "(\(spelling))"
        default: spelling
        }
    }

    /// The type without its optionality, and whether it had one.
    package var unwrapped: (type: TypeSyntax, isOptional: Bool) {
        switch self {
        case .optional(let type), .implicitlyUnwrapped(let type): (type, true)
        case .named(let components) where components.last?.name == "Optional":
            components.last?.arguments.first.map { ($0, true) } ?? (self, false)
        default: (self, false)
        }
    }
}

extension TypeSyntax.Component {
    fileprivate var spelling: String {
        arguments.isEmpty ? name : name + "<" + arguments.map(\.spelling).joined(separator: ", ") + ">"
    }
}
