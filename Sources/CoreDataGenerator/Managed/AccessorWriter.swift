// The methods that stand for the accessors of one managed property or method.

/// Writes accessors of one class.
struct AccessorWriter {
    struct Function {
        let symbol: String
        let access: AccessLevel
        let name: String
        /// Parameters and result.
        let signature: String
        let body: String
    }

    struct Output {
        let functions: [Function]
        /// The modules whose types the functions name.
        let modules: Set<String>
        /// The slot that the class's companion must state, if the body carries a place.
        let slot: CompanionWriter.Slot?
        let className: String
        /// The doubt about the declaration.
        var warning: String?
    }

    let sources: ManagedSources
    let type: NominalType

    private var symbols: AccessorSymbols { AccessorSymbols(moduleName: sources.scan.moduleName, type: type) }
    private var scope: [String] { type.qualifiedPath }
    private var className: String { type.path.joined(separator: ".") }
    private var prefix: String { "_" + type.path.joined(separator: "_") }

    /// The type that the accessors are methods of. A class that is private to its file can't be named in
    /// another one, and need not be: a symbol doesn't tell whose method it is.
    var extended: String { isPrivate ? "NSManagedObject" : className }

    private var isPrivate: Bool { type.isPrivate }

    // MARK: Properties

    func accessors(_ property: ScannedProperty) throws(ResolutionProblem) -> Output {
        try check()
        guard let syntax = property.type else {
            throw ResolutionProblem(description: "the managed property \(property.name) needs a type")
        }
        if property.isStatic {
            throw ResolutionProblem(description: "a managed property can't belong to the class itself")
        }
        let type = try sources.resolver.resolve(syntax, in: scope)
        let value = value(of: property, type)
        let getter = Function(
            symbol: symbols.getter(property, propertyType: type), access: supplied(property.access),
            name: "\(prefix)_get_\(property.name)", signature: "() -> \(type.spelling)", body: value.text)
        let setter = Function(
            symbol: symbols.setter(property, propertyType: type), access: supplied(property.setterAccess),
            name: "\(prefix)_set_\(property.name)", signature: "(_ value: consuming \(type.spelling))",
            body: value.text + " = value")
        return Output(
            functions: [getter, setter], modules: modules([type]), slot: value.slot, className: className,
            warning: DeclarationCheck(sources: sources).problem(property.name, type: type, of: className))
    }

    private func check() throws(ResolutionProblem) {
        if type.kind != .class {
            throw ResolutionProblem(description: "\(className) is no class: it can't have managed properties")
        }
    }

    /// The expression that reads the property and can be assigned to.
    private func value(
        of property: ScannedProperty, _ type: ResolvedType
    ) -> (text: String, slot: CompanionWriter.Slot?) {
        let name = property.name
        if let key = primitiveKey(name) { return ("self[primitive: \"\(key)\"]", nil) }
        // A private class has no companion that could state places.
        let place = isPrivate ? nil : sources.places.place(of: name, in: className)
        let slot = place.map { CompanionWriter.Slot(key: name, place: $0, type: type.spelling) }
        switch slot?.place {
        case .attribute(let word, let index):
            return ("self[ManagedAttribute(\"\(name)\", word: \(word), index: \(index))]", slot)
        case .relationship(let number) where isRelated(type):
            return ("self[ManagedRelationship(\"\(name)\", number: \(number))]", slot)
        case .relationship: return ("self[ManagedAttribute(\"\(name)\")]", nil)
        case nil:
            // Foundation's sets may be a transformable attribute's as well, which the key tells.
            let isRelationship = isRelated(type) && !isFoundationSet(type)
            return ("self[\(isRelationship ? "ManagedRelationship" : "ManagedAttribute")(\"\(name)\")]", nil)
        }
    }

    /// `primitiveName` reads `name` past its accessors, unless the entity has a property of that very name.
    private func primitiveKey(_ name: String) -> String? {
        guard let rest = Self.primitivePart(name) else { return nil }
        // Without a model the object's own decides when it runs.
        guard let keys = sources.places.keys[className] else { return name }
        return keys.contains(name) ? nil : key(String(rest))
    }

    /// `Name` of `primitiveName`.
    static func primitivePart(_ name: String) -> Substring? {
        let rest = name.dropFirst("primitive".count)
        return name.hasPrefix("primitive") && rest.first?.isUppercase == true ? rest : nil
    }

    /// `Friends` in a method's name means `friends`, `URL` may mean `URL`.
    private func key(_ name: String) -> String {
        let lowered = name.prefix(1).lowercased() + name.dropFirst()
        guard let keys = sources.places.keys[className] else { return lowered }
        return keys.contains(name) && !keys.contains(lowered) ? name : lowered
    }

    // MARK: Methods

    func accessor(_ method: ScannedMethod) throws(ResolutionProblem) -> Output {
        try check()
        guard !method.isGeneric, !method.isThrowing, !method.isAsynchronous, !method.isStatic else {
            throw ResolutionProblem(
                description: "the managed method \(method.name) must be an ordinary method")
        }
        var types: [ResolvedType] = []
        for parameter in method.parameters {
            types.append(try sources.resolver.resolve(parameter.type, in: scope))
        }
        if let result = method.result, try sources.resolver.resolve(result, in: scope) != .tuple([]) {
            throw ResolutionProblem(description: "the managed method \(method.name) can't return a value")
        }
        let body = try body(of: method, types)
        let parameters = zip(method.parameters, types).enumerated().map { number, parameter in
            "\(parameter.0.label.isEmpty ? "_" : parameter.0.label) value\(number): \(parameter.1.spelling)"
        }
        let function = Function(
            symbol: symbols.method(method, parameters: types, result: nil), access: supplied(method.access),
            name: "\(prefix)_\(method.name)", signature: "(\(parameters.joined(separator: ", ")))", body: body
        )
        return Output(functions: [function], modules: modules(types), slot: nil, className: className)
    }

    /// The one line of `addToFriends(_:)`, `insertIntoFriends(_:at:)` and the like.
    private func body(of method: ScannedMethod, _ types: [ResolvedType]) throws(ResolutionProblem) -> String {
        let labels = method.parameters.map(\.label)
        let kinds = types.map(kind)
        for (verb, forms) in Self.forms {
            guard let name = Self.name(in: method.name, after: verb) else { continue }
            for form in forms where form.labels == labels && form.kinds == kinds {
                return form.body(relationship(name))
            }
        }
        if let (verb, name) = method.selector.flatMap(Self.parts),
            let form = Self.forms.first(where: { $0.verb == verb })?.forms.first(where: { $0.kinds == kinds })
        {
            return form.body(relationship(name))
        }
        throw ResolutionProblem(
            description:
                "\(method.name)(\(labels.map { ($0.isEmpty ? "_" : $0) + ":" }.joined())) isn't one of the "
                + "methods that managed objects have for relationships, with these types")
    }

    /// The relationship's part of a method's name: `Friends` of `addToFriends` and of `addFriendsObject`, whose verb is
    /// `add…Object`.
    private static func name(in method: String, after verb: String) -> String? {
        let parts = verb.split(separator: "…").map(String.init)
        guard method.hasPrefix(parts[0]), method.hasSuffix(parts.dropFirst().first ?? "") else { return nil }
        let name = method.dropFirst(parts[0].count).dropLast(parts.dropFirst().first?.count ?? 0)
        return name.first?.isUppercase == true ? String(name) : nil
    }

    /// The verb of `forms` and the relationship's part of a name for the Objective-C runtime.
    private static func parts(of selector: String) -> (verb: String, name: String)? {
        for (pattern, verb) in selectors {
            if let name = name(in: selector, after: pattern) { return (verb, name) }
        }
        return nil
    }

    /// The names by which the Objective-C runtime knows the methods, those first that others are part of.
    private static let selectors = [
        ("add…Object:", "addTo"), ("remove…Object:", "removeFrom"),
        ("insertObject:in…AtIndex:", "insertInto"),
        ("removeObjectFrom…AtIndex:", "removeFrom"), ("insert…:atIndexes:", "insertInto"),
        ("remove…AtIndexes:", "removeFrom"), ("replaceObjectIn…AtIndex:withObject:", "replace"),
        ("add…:", "addTo"), ("remove…:", "removeFrom"),
    ]

    private func relationship(_ name: String) -> String {
        let key = key(name)
        guard !isPrivate, case .relationship(let number) = sources.places.place(of: key, in: className) else {
            return "ManagedRelationship(\"\(key)\")"
        }
        return "ManagedRelationship(\"\(key)\", number: \(number))"
    }

    private enum ParameterKind: Sendable {
        case object, objects, index, indexes, other
    }

    private struct Form: Sendable {
        let labels: [String]
        let kinds: [ParameterKind]
        let body: @Sendable (String) -> String
    }

    private static let forms: [(verb: String, forms: [Form])] = [
        (
            "addTo",
            [
                Form(labels: [""], kinds: [.object]) { "add(value0, to: \($0))" },
                Form(labels: [""], kinds: [.objects]) { "add(value0, to: \($0))" },
            ]
        ),
        (
            "removeFrom",
            [
                Form(labels: [""], kinds: [.object]) { "remove(value0, from: \($0))" },
                Form(labels: [""], kinds: [.objects]) { "remove(value0, from: \($0))" },
                Form(labels: ["at"], kinds: [.index]) { "removeObject(at: value0, from: \($0))" },
                Form(labels: ["at"], kinds: [.indexes]) {
                    "removeObjects(at: IndexSet(value0), from: \($0))"
                },
            ]
        ),
        (
            "insertInto",
            [
                Form(labels: ["", "at"], kinds: [.object, .index]) {
                    "insert(value0, into: \($0), at: value1)"
                },
                Form(labels: ["", "at"], kinds: [.objects, .indexes]) {
                    "insert(Array(value0), into: \($0), at: IndexSet(value1))"
                },
            ]
        ),
        (
            "replace",
            [
                Form(labels: ["at", "with"], kinds: [.index, .object]) {
                    "replaceObject(at: value0, in: \($0), with: value1)"
                },
                Form(labels: ["at", "with"], kinds: [.indexes, .objects]) {
                    "replaceObjects(at: IndexSet(value0), in: \($0), with: Array(value1))"
                },
            ]
        ),
        // The names that the Objective-C runtime knows the first two by, as code writes them that was there before Xcode's.
        ("add…Object", [Form(labels: [""], kinds: [.object]) { "add(value0, to: \($0))" }]),
        ("remove…Object", [Form(labels: [""], kinds: [.object]) { "remove(value0, from: \($0))" }]),
        ("add", [Form(labels: [""], kinds: [.objects]) { "add(value0, to: \($0))" }]),
        ("remove", [Form(labels: [""], kinds: [.objects]) { "remove(value0, from: \($0))" }]),
    ]

    private func kind(_ type: ResolvedType) -> ParameterKind {
        guard case .nominal(let nominal, let arguments) = type else { return .other }
        switch (nominal.module, nominal.name) {
        case ("Swift", "Int"): return .index
        case ("Foundation", "NSIndexSet"), ("Foundation", "IndexSet"): return .indexes
        case ("Foundation", "NSSet"), ("Foundation", "NSOrderedSet"), ("Foundation", "NSMutableSet"),
            ("Foundation", "NSMutableOrderedSet"):
            return .objects
        case ("Swift", "Set"), ("Swift", "Array"):
            return arguments.first.map(kind) == .object ? .objects : .other
        default: return sources.isManaged(nominal) ? .object : .other
        }
    }

    // MARK: Types

    private func isRelated(_ type: ResolvedType) -> Bool {
        if case .optional(let wrapped) = type { return isRelated(wrapped) }
        let kind = kind(type)
        return kind == .object || kind == .objects
    }

    private func isFoundationSet(_ type: ResolvedType) -> Bool {
        type.nominals.first?.module == "Foundation"
    }

    /// Other modules than the ones that every file of Core Data code imports.
    private func modules(_ types: [ResolvedType]) -> Set<String> {
        let ours = [sources.scan.moduleName, "Swift", "Foundation", "FoundationEssentials", "CoreData"]
        return Set((types.flatMap(\.nominals) + [type]).map(\.home)).subtracting(ours)
    }

    /// The linker wants the symbol as visible as the property is; what is private is internal for it.
    private func supplied(_ access: AccessLevel) -> AccessLevel {
        switch access {
        case .open, .public: .public
        case .package: .package
        case .internal, .fileprivate, .private: .internal
        }
    }
}

extension ResolvedType {
    /// The type as generated code in its module names it.
    var spelling: String {
        switch self {
        case .nominal(let nominal, let arguments):
            nominal.path.joined(separator: ".")
                + (arguments.isEmpty ? "" : "<\(arguments.map(\.spelling).joined(separator: ", "))>")
        case .optional(let wrapped): wrapped.isPlain ? wrapped.spelling + "?" : "(\(wrapped.spelling))?"
        case .existential(let existential): existential.spelling
        case .tuple(let members): "(\(members.map(\.spelling).joined(separator: ", ")))"
        }
    }

    private var isPlain: Bool {
        guard case .existential(let existential) = self else { return true }
        return existential.protocols.isEmpty
    }
}

extension ExistentialType {
    fileprivate var spelling: String {
        let parts = (superclass.map { [$0] } ?? []) + protocols
        if isAnyObject, protocols.isEmpty { return "AnyObject" }
        if parts.isEmpty { return "Any" }
        let names = parts.map { $0.path.joined(separator: ".") } + (isAnyObject ? ["AnyObject"] : [])
        return "any " + names.joined(separator: " & ")
    }
}
