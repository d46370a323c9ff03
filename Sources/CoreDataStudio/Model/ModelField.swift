// The fields that the inspectors show: each field with its place in the file, its
// label and what it applies to.

/// One line of an inspector.
package struct ModelField: Sendable, Encodable {
    /// The way in which the field is edited.
    package enum Kind: String, Sendable, Encodable {
        case text, name, flag, choice, number, predicate, expression, pattern
        /// The name of an entity, of a relationship of the destination, of an attribute, of a composite type.
        case entity, inverse, property, composite
    }

    package struct Choice: Sendable, Encodable {
        package let value: String
        package let label: String
    }

    /// The place of the value.
    package enum Storage: Sendable {
        case attribute(String)
        /// YES or NO; what equals `absent` isn't written.
        case flag(String, absent: Bool, yes: String = "YES", no: String = "NO")
        /// A flag of which both values are written.
        case stated(String)
        /// An attribute that is called otherwise where the type is Date.
        case dated(String, String)
        case className, module, customClass, customModule, type, toMany, derived, inverse, destination
        /// An attribute of the fetch request in a fetched property.
        case request(String)
    }

    package let key: String
    package let label: String
    package let kind: Kind
    package let section: String
    package var choices: [Choice] = []
    /// The attribute types that the field is for; empty for all.
    package var types: [String] = []
    package var help = ""
    /// Indicates whether several elements can sensibly be given the same value.
    package var isShared = true
    let storage: Storage

    private enum CodingKeys: String, CodingKey {
        case key, label, kind, section, choices, types, help, isShared
    }

    init(
        _ key: String, label: String, kind: Kind, section: String, storage: Storage? = nil,
        choices: [(String, String)] = [], types: [String] = [], help: String = "", isShared: Bool = true
    ) {
        self.key = key
        self.label = label
        self.kind = kind
        self.section = section
        self.storage = storage ?? (kind == .flag ? .flag(key, absent: false) : .attribute(key))
        self.choices = choices.map { Choice(value: $0.0, label: $0.1) }
        self.types = types
        self.help = help
        self.isShared = isShared
    }

    package static func field(_ key: String, of kind: String) -> ModelField? {
        all[kind]?.first { $0.key == key }
    }

    /// Returns whether the field is for this element, given its type.
    package func applies(to node: ModelNode) -> Bool {
        types.isEmpty || types.contains(node.attributeType)
    }
}

/// A field's value as JSON says it.
package enum ModelValue: Sendable, Hashable, Codable {
    case none
    case flag(Bool)
    case text(String)

    package init(from decoder: any Decoder) throws {
        let box = try decoder.singleValueContainer()
        if box.decodeNil() {
            self = .none
        } else if let flag = try? box.decode(Bool.self) {
            self = .flag(flag)
        } else if let number = try? box.decode(Int.self) {
            self = .text("\(number)")
        } else {
            self = .text(try box.decode(String.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var box = encoder.singleValueContainer()
        switch self {
        case .none: try box.encodeNil()
        case .flag(let flag): try box.encode(flag)
        case .text(let text): try box.encode(text)
        }
    }

    package var text: String? {
        switch self {
        case .none: nil
        case .flag(let flag): flag ? "YES" : "NO"
        case .text(let text): text.isEmpty ? nil : text
        }
    }

    package var isTrue: Bool { self == .flag(true) || self == .text("YES") }
}
