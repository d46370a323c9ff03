// Overrides that stand in an extension of a generated class. Swift has those for Objective-C's methods only, so that off
// Apple's systems the class itself overrides, and calls the member that the extension has under another name.

/// A member of an extension, `awakeFromInsertOverrideOfHero()`, that is to override `awakeFromInsert()`.
struct ExtensionOverride {
    /// The override in the class: its words, name and what it calls.
    let declaration: String

    /// Takes a method whose name ends with the suffix of the class.
    init?(_ method: ScannedMethod, suffix: String) {
        guard let name = Self.overridden(method.name, suffix: suffix), !method.isGeneric, !method.isManaged
        else { return nil }
        let parameters = method.parameters.map { parameter in
            let label = parameter.label.isEmpty ? "_" : Keywords.escaped(parameter.label)
            let head =
                parameter.label == parameter.name ? label : "\(label) \(Keywords.escaped(parameter.name))"
            return "\(head): \(parameter.type.spelling)"
        }
        let arguments = method.parameters.map { parameter in
            let label = parameter.label.isEmpty ? "" : Keywords.escaped(parameter.label) + ": "
            let isInOut = if case .inOut = parameter.type { true } else { false }
            return label + (isInOut ? "&" : "") + Keywords.escaped(parameter.name)
        }
        let effects = (method.isAsynchronous ? " async" : "") + (method.isThrowing ? " throws" : "")
        let call = (method.isThrowing ? "try " : "") + (method.isAsynchronous ? "await " : "")
        declaration =
            "override \(method.isStatic ? "class " : "")func \(Keywords.escaped(name))"
            + "(\(parameters.joined(separator: ", ")))\(effects)"
            + (method.result.map { " -> " + $0.spelling } ?? "")
            + " { \(call)\(method.name)(\(arguments.joined(separator: ", "))) }"
    }

    /// Takes a calculated property whose name ends with the suffix of the class.
    init?(_ property: ScannedProperty, suffix: String) {
        guard let name = Self.overridden(property.name, suffix: suffix), property.isComputed,
            !property.hasEffects, let type = property.type
        else { return nil }
        let head =
            "override \(property.isStatic ? "class " : "")var \(Keywords.escaped(name)): \(type.spelling)"
        declaration =
            property.hasSetter
            ? "\(head) { get { \(property.name) } set { \(property.name) = newValue } }"
            : "\(head) { \(property.name) }"
    }

    private static func overridden(_ name: String, suffix: String) -> String? {
        name.hasSuffix(suffix) && name.count > suffix.count ? String(name.dropLast(suffix.count)) : nil
    }
}

extension SourceScan {
    /// Returns the overrides of a class that its extensions state, in the order of the sources.
    ///
    /// - Parameter className: The class's name from the module on, without it.
    func extensionOverrides(of className: String) -> [ExtensionOverride] {
        let suffix = "OverrideOf" + (className.split(separator: ".").last.map(String.init) ?? className)
        return members(of: className).flatMap { members, _ in
            members.properties.compactMap { ExtensionOverride($0, suffix: suffix) }
                + members.methods.compactMap { ExtensionOverride($0, suffix: suffix) }
        }
    }
}
