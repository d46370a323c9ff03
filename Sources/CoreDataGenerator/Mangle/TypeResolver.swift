// Finds out which types written names mean, as Swift's own look-up would.

/// The reason why a type can't be known.
package struct ResolutionProblem: Error, CustomStringConvertible {
    package let description: String
}

/// Resolves types of one module's sources.
package struct TypeResolver {
    /// Aliases that name each other in a circle end here.
    private static let depthLimit = 64

    let index: ModuleIndex
    let moduleName: String

    init(index: ModuleIndex, moduleName: String) {
        self.index = index
        self.moduleName = moduleName
    }

    /// Resolves types of a scanned module that may come from others.
    package init(_ scan: SourceScan, dependencies: [SourceScan] = []) {
        self.init(index: ModuleIndex([scan] + dependencies), moduleName: scan.moduleName)
    }

    /// The type that a written one means at a place: a module and the names of the types around it.
    package func resolve(_ syntax: TypeSyntax, in scope: [String]) throws(ResolutionProblem) -> ResolvedType {
        try resolve(syntax, in: scope, depth: 0)
    }

    /// A type that has members.
    package func nominal(_ syntax: TypeSyntax, in scope: [String]) throws(ResolutionProblem) -> NominalType {
        // Not a `switch` over the result itself: Swift 6.3 releases that before it copies what a case holds, which the
        // address sanitizer tells.
        let type = try resolve(syntax, in: scope)
        if case .nominal(let nominal, _) = type { return nominal }
        if case .existential(let existential) = type, existential.protocols.count == 1,
            existential.superclass == nil
        {
            return existential.protocols[0]
        }
        throw ResolutionProblem(description: "\(syntax.spelling) has no members")
    }

    /// The type that a declaration or an extension of it is about, which may be private to its file.
    func declared(_ syntax: TypeSyntax, in scope: [String]) throws(ResolutionProblem) -> NominalType {
        if case .named(let components) = syntax, components.allSatisfy({ $0.arguments.isEmpty }),
            case .type(let nominal, isGeneric: false)? = index.entries[scope + components.map(\.name)]?
                .meaning
        {
            return nominal
        }
        return try nominal(syntax, in: scope)
    }

    private func resolve(
        _ syntax: TypeSyntax, in scope: [String], depth: Int
    ) throws(ResolutionProblem) -> ResolvedType {
        guard depth < Self.depthLimit else {
            throw ResolutionProblem(description: "the type \(syntax.spelling) refers to itself")
        }
        switch syntax {
        case .named(let components): return try resolve(components, in: scope, depth: depth + 1)
        case .optional(let type), .implicitlyUnwrapped(let type):
            return .optional(try resolve(type, in: scope, depth: depth + 1))
        case .array(let element):
            return .nominal(Self.swift("Array"), [try resolve(element, in: scope, depth: depth + 1)])
        case .dictionary(let key, let value):
            return .nominal(
                Self.swift("Dictionary"),
                [
                    try resolve(key, in: scope, depth: depth + 1),
                    try resolve(value, in: scope, depth: depth + 1),
                ])
        case .composition(let types): return try composition(types, in: scope, depth: depth + 1)
        case .existential(let type): return try resolve(type, in: scope, depth: depth + 1)
        case .tuple(let members):
            var resolved: [ResolvedType] = []
            for member in members { resolved.append(try resolve(member, in: scope, depth: depth + 1)) }
            return .tuple(resolved)
        case .inOut, .unsupported:
            throw ResolutionProblem(description: "\(syntax.spelling) can't be the type of a managed property")
        }
    }

    private static func swift(_ name: String) -> NominalType {
        NominalType(module: "Swift", name: name, kind: .structure)
    }

    private func composition(
        _ types: [TypeSyntax], in scope: [String], depth: Int
    ) throws(ResolutionProblem) -> ResolvedType {
        var protocols: [NominalType] = []
        var superclass: NominalType?
        var isAnyObject = false
        for type in types {
            switch try resolve(type, in: scope, depth: depth) {
            case .existential(let existential):
                protocols += existential.protocols
                superclass = superclass ?? existential.superclass
                isAnyObject = isAnyObject || existential.isAnyObject
            case .nominal(let nominal, let arguments) where nominal.kind == .class && arguments.isEmpty:
                superclass = nominal
            default: throw ResolutionProblem(description: "\(type.spelling) can't be part of a composition")
            }
        }
        return .existential(
            ExistentialType(protocols: protocols, superclass: superclass, isAnyObject: isAnyObject))
    }

    // MARK: Names

    private func resolve(
        _ components: [TypeSyntax.Component], in scope: [String], depth: Int
    ) throws(ResolutionProblem) -> ResolvedType {
        guard let first = components.first else { throw ResolutionProblem(description: "a type has no name") }
        if let found = find(first.name, in: scope) {
            return try continued(
                try meaning(of: found, first, in: scope, depth: depth), components: components, position: 1,
                scope: scope, depth: depth)
        }
        if components.count > 1, let type = try qualified(components, in: scope, depth: depth) { return type }
        if let type = try special(first, in: scope, depth: depth) {
            return try continued(type, components: components, position: 1, scope: scope, depth: depth)
        }
        throw ResolutionProblem(
            description:
                "the type \(first.name) is declared neither in this target, nor in one that it depends on, "
                + "nor is it one of Swift's or Foundation's that properties of managed objects can have")
    }

    /// A type that this or another scanned module declares, from the innermost place outwards.
    private func find(_ name: String, in scope: [String]) -> [String]? {
        for count in stride(from: scope.count, through: 1, by: -1) {
            if let path = member(name, of: Array(scope.prefix(count)), depth: 0) { return path }
        }
        if index.entries[[moduleName, name]] != nil { return [moduleName, name] }
        if KnownTypes.type(named: name) != nil { return nil }
        return index.moduleNames.lazy.map { [$0, name] }.first { index.entries[$0] != nil }
    }

    /// Types inside a type may come from its superclass.
    private func member(_ name: String, of path: [String], depth: Int) -> [String]? {
        if index.entries[path + [name]] != nil { return path + [name] }
        guard depth < Self.depthLimit, path.count > 1, let entry = index.entries[path] else { return nil }
        // The superclass stands first. Its name is looked up outside the class, so this ends.
        guard case .named(let components)? = entry.inherited.first,
            components.allSatisfy({ $0.arguments.isEmpty }),
            let parent = find(components[0].name, in: entry.scope)
        else { return nil }
        return member(name, of: parent + components.dropFirst().map(\.name), depth: depth + 1)
    }

    private func meaning(
        of path: [String], _ component: TypeSyntax.Component, in scope: [String], depth: Int
    ) throws(ResolutionProblem) -> ResolvedType {
        guard let entry = index.entries[path] else {
            throw ResolutionProblem(description: "there is no type \(path.joined(separator: "."))")
        }
        switch entry.meaning {
        case .type(let nominal, let isGeneric):
            if isGeneric == component.arguments.isEmpty {
                throw ResolutionProblem(
                    description: "\(component.name) \(isGeneric ? "needs" : "has no") generic arguments")
            }
            if entry.access <= .fileprivate {
                throw ResolutionProblem(
                    description:
                        "\(component.name) is \(entry.access.spelling): the accessors are supplied from "
                        + "another file and can't name it")
            }
            return try applied(nominal, arguments: component.arguments, in: scope, depth: depth)
        case .alias(let type?, isGeneric: false): return try resolve(type, in: entry.scope, depth: depth)
        case .alias:
            throw ResolutionProblem(description: "the generic typealias \(component.name) isn't followed")
        }
    }

    private func applied(
        _ nominal: NominalType, arguments: [TypeSyntax], in scope: [String], depth: Int
    ) throws(ResolutionProblem) -> ResolvedType {
        if nominal.kind == .protocol { return .existential(ExistentialType(protocols: [nominal])) }
        var resolved: [ResolvedType] = []
        for argument in arguments { resolved.append(try resolve(argument, in: scope, depth: depth)) }
        return .nominal(nominal, resolved)
    }

    /// `Hero.Kind`: the rest of a dotted name.
    private func continued(
        _ type: ResolvedType, components: [TypeSyntax.Component], position: Int, scope: [String],
        depth: Int
    ) throws(ResolutionProblem) -> ResolvedType {
        guard position < components.count else { return type }
        let component = components[position]
        guard case .nominal(let nominal, let arguments) = type, arguments.isEmpty,
            let path = member(component.name, of: nominal.qualifiedPath, depth: 0)
        else {
            let name = components.prefix(position + 1).map(\.name).joined(separator: ".")
            throw ResolutionProblem(description: "the type \(name) isn't known")
        }
        let next = try meaning(of: path, component, in: scope, depth: depth)
        return try continued(next, components: components, position: position + 1, scope: scope, depth: depth)
    }

    /// `Foundation.Date`, `App.Hero`: a name that begins with its module's.
    private func qualified(
        _ components: [TypeSyntax.Component], in scope: [String], depth: Int
    ) throws(ResolutionProblem) -> ResolvedType? {
        let (module, second) = (components[0].name, components[1])
        let type: ResolvedType
        if index.entries[[module, second.name]] != nil {
            type = try meaning(of: [module, second.name], second, in: scope, depth: depth)
        } else if let known = KnownTypes.type(named: second.name, in: module) {
            type = try applied(known, arguments: second.arguments, in: scope, depth: depth)
        } else if KnownTypes.isModule(module), let special = try special(second, in: scope, depth: depth) {
            type = special
        } else {
            return nil
        }
        return try continued(type, components: components, position: 2, scope: scope, depth: depth)
    }

    private func special(
        _ component: TypeSyntax.Component, in scope: [String], depth: Int
    ) throws(ResolutionProblem) -> ResolvedType? {
        switch component.name {
        case "Any": return .existential(ExistentialType())
        case "AnyObject": return .existential(ExistentialType(isAnyObject: true))
        case "Void": return .tuple([])
        case "Optional":
            guard component.arguments.count == 1 else { return nil }
            return .optional(try resolve(component.arguments[0], in: scope, depth: depth))
        default: break
        }
        if let alias = KnownTypes.aliases[component.name] {
            return try resolve(alias, in: scope, depth: depth)
        }
        guard let known = KnownTypes.type(named: component.name) else { return nil }
        return try applied(known, arguments: component.arguments, in: scope, depth: depth)
    }
}
