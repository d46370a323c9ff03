// Types that a class's members name without the class, because they are nested in it.

extension TypeSyntax {
    /// The type as code outside of a class names it: what is nested in the class, in those around it or in its superclasses
    /// gets their names in front.
    ///
    /// - Parameters:
    ///   - path: The class, from the module on, without it.
    ///   - scan: The module's sources.
    func qualified(in path: [String], _ scan: SourceScan) -> TypeSyntax {
        func inner(_ type: TypeSyntax) -> TypeSyntax { type.qualified(in: path, scan) }
        switch self {
        case .named(let components): return .named(Self.qualified(components, in: path, scan))
        case .optional(let type): return .optional(inner(type))
        case .implicitlyUnwrapped(let type): return .implicitlyUnwrapped(inner(type))
        case .array(let type): return .array(inner(type))
        case .dictionary(let key, let value): return .dictionary(key: inner(key), value: inner(value))
        case .composition(let types): return .composition(types.map(inner))
        case .existential(let type): return .existential(inner(type))
        case .tuple(let types): return .tuple(types.map(inner))
        case .inOut(let type): return .inOut(inner(type))
        case .unsupported: return self
        }
    }

    private static func qualified(
        _ components: [Component], in path: [String], _ scan: SourceScan
    ) -> [Component] {
        let components = components.map { component in
            Component(component.name, component.arguments.map { $0.qualified(in: path, scan) })
        }
        guard let first = components.first else { return components }
        // The innermost declaration counts.
        let owner = path.indices.reversed().lazy.map { Array(path[...$0]) }
            .first { scan.hasType(first.name, in: $0) }
        return (owner ?? []).map { Component($0) } + components
    }
}

extension SourceScan {
    /// Whether a type or a typealias is nested in a class, in one of its extensions or in a superclass of the same module.
    fileprivate func hasType(_ name: String, in path: [String]) -> Bool {
        var current: [String]? = path
        var seen: Set<[String]> = []
        while let owner = current, seen.insert(owner).inserted {
            let isThere = members(of: owner.joined(separator: ".")).contains { members, _ in
                members.types.contains { $0.name == name } || members.typealiases.contains { $0.name == name }
            }
            if isThere { return true }
            current = superclass(of: owner)
        }
        return false
    }

    private func superclass(of path: [String]) -> [String]? {
        guard case .named(let components)? = type(path)?.inherited.first else { return nil }
        return components.map(\.name)
    }
}
