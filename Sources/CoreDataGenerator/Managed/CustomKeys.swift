// The members that a class offers under keys: calculated properties, custom accessors and validators. Apple's
// framework finds them by name at run time.

/// The members of a class that are reached by key, as its sources declare them.
package struct CustomKeys: Hashable, Sendable {
    /// `func validateName(_ value: …) throws`.
    package struct Validator: Hashable, Sendable {
        package let key: String
        package let method: String
        /// Its parameter is an `inout Any?`; else it is an `AutoreleasingUnsafeMutablePointer<AnyObject?>`.
        package let takesInOut: Bool
    }

    package struct Dependency: Hashable, Sendable {
        package let key: String
        /// The call of the class method, or the class property: `keyPathsForValuesAffectingFullName()`.
        package let member: String
    }

    package private(set) var getters: [String] = []
    package private(set) var setters: [String] = []
    package private(set) var validators: [Validator] = []
    /// `class func keyPathsForValuesAffectingFullName() -> Set<String>`, or a class property of that name and type.
    package private(set) var dependencies: [Dependency] = []

    /// Indicates whether a property among them is deprecated, which code that isn't may not name without a warning.
    package private(set) var hasDeprecated = false

    package var isEmpty: Bool {
        getters.isEmpty && setters.isEmpty && validators.isEmpty && dependencies.isEmpty
    }

    /// The keys that every object has anyway.
    private static let ordinary: Set<String> = ["description", "debugDescription", "hash", "self"]

    /// Collects the keys that the class's declaration and its extensions in the scanned module offer. The
    /// class is named from the module on, without it: `Hero`, `Model.Hero`. `keys` are the entity's
    /// properties, which tell how a validator's key is spelled. A calculated property that has the name of one of
    /// them and a type that Objective-C can't represent isn't reached by key on Apple's systems: the entity's is.
    package init(of className: String, in scan: SourceScan, keys: some Sequence<String> = []) {
        let known = Set(keys)
        for (members, isolation) in scan.members(of: className) {
            for property in members.properties where (property.isolation ?? isolation) != .globalActor {
                if let dependency = Self.dependency(property, keys: known) { dependencies.append(dependency) }
                if known.contains(property.name), let type = property.type,
                    !scan.isRepresentable(type, in: className)
                {
                    continue
                }
                add(property)
            }
            for method in members.methods where (method.isolation ?? isolation) != .globalActor {
                if let validator = Self.validator(method, keys: known) { validators.append(validator) }
                if let dependency = Self.dependency(method, keys: known) { dependencies.append(dependency) }
            }
        }
        getters.sort()
        setters.sort()
        validators.sort { $0.key < $1.key }
        dependencies.sort { $0.key < $1.key }
    }

    private mutating func add(_ property: ScannedProperty) {
        guard property.isComputed, !property.isManaged, !property.isStatic, !property.hasEffects,
            property.access >= .internal, !Self.ordinary.contains(property.name),
            property.availability != .unavailable
        else { return }
        getters.append(property.name)
        if property.hasSetter, property.setterAccess >= .internal { setters.append(property.name) }
        if property.availability == .deprecated { hasDeprecated = true }
    }

    private static func validator(_ method: ScannedMethod, keys: Set<String>) -> Validator? {
        guard method.parameters.count == 1, method.parameters[0].label.isEmpty,
            method.isThrowing, !method.isAsynchronous, !method.isStatic, !method.isGeneric,
            method.access >= .internal, let takesInOut = takesInOut(method.parameters[0].type),
            let key = key(of: method.name, behind: "validate", keys)
        else { return nil }
        return Validator(key: key, method: method.name, takesInOut: takesInOut)
    }

    private static func dependency(_ method: ScannedMethod, keys: Set<String>) -> Dependency? {
        guard method.isStatic, method.parameters.isEmpty, !method.isThrowing, !method.isAsynchronous,
            !method.isGeneric, method.access >= .internal, isSetOfStrings(method.result),
            let key = key(of: method.name, behind: "keyPathsForValuesAffecting", keys)
        else { return nil }
        return Dependency(key: key, member: method.name + "()")
    }

    private static func dependency(_ property: ScannedProperty, keys: Set<String>) -> Dependency? {
        guard property.isStatic, !property.hasEffects, property.access >= .internal,
            isSetOfStrings(property.type),
            let key = key(of: property.name, behind: "keyPathsForValuesAffecting", keys)
        else { return nil }
        return Dependency(key: key, member: property.name)
    }

    private static func isSetOfStrings(_ type: TypeSyntax?) -> Bool {
        guard case .named(let components)? = type else { return false }
        return components.last?.name == "Set" && components.last?.arguments == [.simple("String")]
    }

    /// The key that a member's name ends with, which begins with a small letter unless the entity's doesn't.
    private static func key(of name: String, behind prefix: String, _ keys: Set<String>) -> String? {
        let rest = String(name.dropFirst(prefix.count))
        guard name.hasPrefix(prefix), let first = rest.first, !first.isLowercase else { return nil }
        let lowered = first.lowercased() + rest.dropFirst()
        return keys.contains(rest) && !keys.contains(lowered) ? rest : lowered
    }

    private static func takesInOut(_ type: TypeSyntax) -> Bool? {
        switch type {
        case .inOut(.optional(.named(let components))) where components.map(\.name) == ["Any"]: true
        case .named(let components)
        where components.last?.name == "AutoreleasingUnsafeMutablePointer"
            && components.last?.arguments == [.optional(.simple("AnyObject"))]:
            false
        default: nil
        }
    }
}

extension SourceScan {
    /// Returns the members of a class's declaration and its extensions, with the isolation that they have
    /// there. The class need not be declared in the sources.
    func members(of className: String) -> [(members: ScannedMembers, isolation: Isolation?)] {
        let path = className.split(separator: ".").map(String.init)
        let declared = type(path)
        let extended = files.flatMap(\.extensions).filter {
            $0.extended == .path(path) || $0.extended == .path([moduleName] + path)
        }
        return (declared.map { [($0.members, $0.isolation)] } ?? [])
            + extended.map { ($0.members, $0.isolation ?? declared?.isolation) }
    }

    /// The type of a path of names.
    func type(_ path: [String]) -> ScannedType? {
        files.lazy.compactMap { Self.type(path[...], in: $0.types) }.first
    }

    private static func type(_ path: ArraySlice<String>, in types: [ScannedType]) -> ScannedType? {
        guard let name = path.first, let found = types.first(where: { $0.name == name }) else { return nil }
        return path.count == 1 ? found : type(path.dropFirst(), in: found.members.types)
    }
}

extension TypeSyntax {
    static func path(_ names: [String]) -> TypeSyntax { .named(names.map { Component($0) }) }
}
