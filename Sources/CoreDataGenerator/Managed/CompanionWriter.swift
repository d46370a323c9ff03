// Writes a class's companion: what its accessors were made for and what it offers under keys.

/// Writes `final class Hero__Keys: ManagedKeys`, which the library finds by its name. A class in another type has its
/// companion at the top level, under the types' names: `Model_Hero__Keys`.
package struct CompanionWriter {
    /// The place that an accessor of the class carries, and the type that it gives the property.
    package struct Slot: Hashable, Sendable {
        package let key: String
        package let place: PropertyPlace
        package let type: String

        package init(key: String, place: PropertyPlace, type: String) {
            self.key = key
            self.place = place
            self.type = type
        }
    }

    private let className: String
    private let access: AccessLevel
    private let slots: [Slot]
    private let custom: CustomKeys?
    private let keyPaths: [String]

    /// The class is named from its module on, without it. `access` is the class's. Slots are those of the class's own
    /// accessors; superclasses have companions of their own. `keyPaths` are the properties whose key paths it states.
    package init(
        className: String, access: AccessLevel, slots: [Slot], custom: CustomKeys?, keyPaths: [String] = []
    ) {
        self.className = className
        self.access = access
        self.slots = slots
        self.custom = custom
        self.keyPaths = keyPaths
    }

    /// The declaration, without a trailing newline.
    package var text: String {
        let isDeprecated = custom?.hasDeprecated == true
        let functions =
            function("register", lines: slotLines + call("members", customLines), isDeprecated: isDeprecated)
            + function("registerKeyPaths", lines: call("keyPaths", keyPathLines))
        let named =
            list("members", lines: customLines, isDeprecated: isDeprecated)
            + list("keyPaths", lines: keyPathLines)
        let parts =
            ["\(prefix)final class \(companionName): ManagedKeys {"] + functions + ["}"]
            + (named.isEmpty ? [] : ["", "extension \(companionName) {"] + named + ["}"])
        return parts.joined(separator: "\n")
    }

    private func function(_ name: String, lines: [String], isDeprecated: Bool = false) -> [String] {
        declaration("\(prefix)override class", name, lines, isDeprecated)
    }

    /// The lines that name members of the class, in a function of an extension: like those of the class's extensions it has the target's
    /// isolation where that is the main actor, and so may name them.
    private func list(_ name: String, lines: [String], isDeprecated: Bool = false) -> [String] {
        declaration("private static", name, lines, isDeprecated)
    }

    private func call(_ name: String, _ lines: [String]) -> [String] {
        lines.isEmpty ? [] : ["keys.register(\(name))"]
    }

    private func declaration(_ modifiers: String, _ name: String, _ lines: [String], _ isDeprecated: Bool)
        -> [String]
    {
        if lines.isEmpty { return [] }
        let attributes = isDeprecated ? ["    @available(*, deprecated)"] : []
        let head = "    \(modifiers) func \(name)(in keys: inout KeyRegistry) {"
        return attributes + [head] + lines.map { "        " + $0 } + ["    }"]
    }

    /// After a class's name `Type` and `Protocol` are metatypes, in backticks too: nobody can write such a key path.
    private var keyPathLines: [String] {
        keyPaths.filter { $0 != "Type" && $0 != "Protocol" }.map {
            "keys.keyPath(\"\($0)\", \\\(TypeNames.escaped(className)).\(member($0)))"
        }
    }

    package var companionName: String { Self.companionName(of: className) }

    /// The name of a class's companion, which stands at the top level.
    static func companionName(of className: String) -> String {
        className.replacing(".", with: "_") + "__Keys"
    }

    /// As public as the class, so that the import of the library in a file of public accessors has a use.
    private var prefix: String { access >= .public ? "public " : "" }

    private var slotLines: [String] {
        slots.sorted { $0.key < $1.key }.map { slot in
            switch slot.place {
            case .attribute(let word, let index):
                "keys.attribute(\"\(slot.key)\", word: \(word), index: \(index), of: \(metatype(slot.type)))"
            case .relationship(let number): "keys.relationship(\"\(slot.key)\", number: \(number))"
            }
        }
    }

    private func metatype(_ type: String) -> String {
        let isPlain = type.allSatisfy { $0.isLetter || $0.isNumber || "_.?<>[]: ".contains($0) }
        return isPlain && !type.hasPrefix("any ") ? type + ".self" : "(\(type)).self"
    }

    private var customLines: [String] {
        guard let custom else { return [] }
        return custom.getters.map { key in
            "keys.getter(\"\(key)\", \\\(className).\(member(key)))"
        }
            + custom.setters.map { key in
                "keys.setter(\"\(key)\", \\\(className).\(member(key)))"
            } + custom.validators.map(line)
            + custom.dependencies.map { dependency in
                "keys.dependency(\"\(dependency.key)\", on: \(className).\(dependency.member))"
            }
    }

    private func line(_ validator: CustomKeys.Validator) -> String {
        let call = "try object.\(validator.method)(\(validator.takesInOut ? "&value" : "value"))"
        let type = validator.takesInOut ? "inout Any?" : "AutoreleasingUnsafeMutablePointer<AnyObject?>"
        return "keys.validator(\"\(validator.key)\") { (object: \(className), value: \(type)) in \(call) }"
    }

    private func member(_ name: String) -> String { Keywords.escaped(name) }
}

/// Words that a member may only have as its name in backticks.
enum Keywords {
    private static let words: Set<String> = [
        "Protocol", "Self", "Type", "as", "associatedtype", "break", "case", "catch", "class", "continue",
        "default",
        "defer", "deinit", "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for",
        "func",
        "guard", "if", "import", "in", "init", "inout", "internal", "is", "let", "nil", "operator",
        "precedencegroup", "private",
        "protocol", "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript",
        "super",
        "switch", "throw", "throws", "true", "try", "typealias", "var", "where", "while",
    ]

    static func escaped(_ name: String) -> String { words.contains(name) ? "`\(name)`" : name }
}
