// The types that Objective-C can represent: key-value coding reaches only accessors of such types on Apple's systems.

extension SourceScan {
    /// Indicates whether Objective-C could represent a property of the type, as far as the sources tell: types of
    /// other modules count as classes. `className` is the class in which the type is named.
    func isRepresentable(_ type: TypeSyntax, in className: String) -> Bool {
        let (wrapped, isOptional) = type.unwrapped
        if case .named(let components) = wrapped {
            if NumberTypes.names.contains(components.last?.name ?? "") { return !isOptional }
            if let kind = kind(of: components, in: className) {
                return kind == .object || (kind == .number && !isOptional)
            }
        }
        return isObject(wrapped, in: className)
    }

    /// Indicates whether values of the type are objects in Objective-C, or become such, as numbers in an array do.
    private func isObject(_ type: TypeSyntax, in className: String) -> Bool {
        switch type {
        case .named(let components):
            // Elements may be numbers, but no enumerations.
            components.allSatisfy { $0.arguments.allSatisfy { isObject($0, in: className) } }
                && kind(of: components, in: className) ?? .object == .object
        case .array(let element): isObject(element, in: className)
        case .dictionary(let key, let value): isObject(key, in: className) && isObject(value, in: className)
        case .composition, .existential, .unsupported: true
        case .optional, .implicitlyUnwrapped, .tuple, .inOut: false
        }
    }

    private enum Kind { case object, number, unknown }

    /// The kind of a type that the sources declare; nil if they don't. A name is looked for in the class that it stands
    /// in, in the types round that, and in the module.
    private func kind(of components: [TypeSyntax.Component], in className: String) -> Kind? {
        var outer = className.split(separator: ".").map(String.init)
        let names = components.map(\.name)
        while true {
            if let found = type(outer + names) { return Self.kind(of: found) }
            if outer.isEmpty { break }
            outer.removeLast()
        }
        return nil
    }

    private static func kind(of type: ScannedType) -> Kind {
        switch type.kind {
        case .class, .protocol: .object
        case .structure: .unknown
        case .enumeration:
            // Only one of whole numbers can be marked `@objc`, a mark that sources for this system don't have.
            type.inherited.contains { NumberTypes.integers.contains($0.spelling) } ? .number : .unknown
        }
    }
}

private enum NumberTypes {
    static let integers: Set<String> = [
        "Int", "Int8", "Int16", "Int32", "Int64", "UInt", "UInt8", "UInt16", "UInt32", "UInt64",
    ]
    static let names = integers.union(["Bool", "Float", "Double", "CGFloat"])
}
