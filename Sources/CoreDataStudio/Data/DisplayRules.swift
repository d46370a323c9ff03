// The rules in a model's user info for its display in the studio. Docs/Studio.md lists the keys.

import CoreData
import CoreDataSchema
import StoreTools

/// The rules for showing a property.
struct DisplayRules {
    private let info: [AnyHashable: Any]

    init(_ info: [AnyHashable: Any]?) { self.info = info ?? [:] }

    private func text(_ key: String) -> String? {
        guard let text = info["studio." + key] as? String else { return nil }
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        return trimmed.isEmpty ? nil : trimmed
    }

    var title: String? { text("title") }
    var subtitle: String? { text("subtitle") }
    var label: String? { text("label") }
    var section: String? { text("section") }
    var help: String? { text("help") ?? (info["documentation"] as? String) }
    var order: Int? { text("order").flatMap { Int($0) } }
    var kind: FieldKind? { text("kind").flatMap { FieldKind(rawValue: $0) } }
    var isReadOnly: Bool { ["yes", "true", "1"].contains(text("readOnly")?.lowercased()) }
    var isHidden: Bool { ["yes", "true", "1"].contains(text("hidden")?.lowercased()) }
    /// The key by which members of a to-many relationship, or an entity's rows, are ordered; `-key` descends.
    var sort: String? { text("sort") }
    /// Keys of the grid's columns.
    var columns: [String]? {
        text("columns")?.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    /// The values to choose from, each with its label: `1=Low, 2=High`, or `red, green`.
    var choices: [(value: String, label: String)] { pairs("choices") }

    /// Keys that the class calculates from the attribute, each with its label: `age=Age in years`, or `age`.
    var calculated: [(value: String, label: String)] { pairs("calculated") }

    private func pairs(_ key: String) -> [(value: String, label: String)] {
        (text(key) ?? "").split(whereSeparator: { $0 == "," || $0.isNewline }).compactMap { part in
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard let value = sides.first, !value.isEmpty else { return nil }
            return (value, sides.count > 1 ? sides[1] : value)
        }
    }
}

/// The editors that there are for attributes.
enum FieldKind: String, Sendable {
    case text, longText, number, decimal, date, boolean, choice, color, image, binary, uuid, uri, composite,
        tree
    case other
}

extension NSPropertyDescription {
    var rules: DisplayRules { DisplayRules(userInfo) }

    /// `birthDate` as a person reads it: `Birth date`.
    var label: String {
        if let label = rules.label { return label }
        let letters = Array(name)
        var words = ""
        for (place, character) in letters.enumerated() {
            if character == "_" || character == "-" {
                words += " "
                continue
            }
            let before = place > 0 ? letters[place - 1] : nil
            if character.isUppercase, before.map({ $0.isLowercase || $0.isNumber }) == true {
                // Abbreviations stay as they are: the ID of `externalID`.
                let next = place + 1 < letters.count ? letters[place + 1] : nil
                words +=
                    " " + (next.map { !$0.isUppercase } ?? true ? character.lowercased() : "\(character)")
            } else {
                words.append(character)
            }
        }
        let trimmed = words.trimmingCharacters(in: .whitespaces)
        return trimmed.prefix(1).uppercased() + trimmed.dropFirst()
    }

    /// The reason why a person can't set it; nil if they can.
    var lock: String? {
        if rules.isReadOnly { return "The model says that it isn't edited here." }
        if self is NSDerivedAttributeDescription { return "Derived: the store computes it." }
        if self is NSFetchedPropertyDescription { return "A report: it is fetched." }
        if isTransient { return "Calculated: no store keeps it." }
        return nil
    }
}

extension NSAttributeDescription {
    /// The label of a value that the model lists as one of the attribute's choices.
    func choiceLabel(of value: Any?) -> String? {
        guard kind == .choice, let value else { return nil }
        return rules.choices.first { $0.value == "\(value)" }?.label
    }

    /// The attribute as the layers below know it; nil for an element of a composite one.
    var traits: AttributeTraits? {
        entity.managedObjectModel.index.entity(entity.name ?? "")?.propertiesByName[name]?.attribute
    }

    var kind: FieldKind {
        let rules = rules
        let natural = naturalKind
        switch (rules.kind, natural) {
        case (.longText?, .text), (.color?, .text), (.color?, .tree), (.image?, .binary):
            return rules.kind ?? natural
        case (_, .text), (_, .number): return rules.choices.isEmpty ? natural : .choice
        default: return natural
        }
    }

    private var naturalKind: FieldKind {
        switch attributeType {
        case .stringAttributeType: .text
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType, .doubleAttributeType,
            .floatAttributeType:
            .number
        case .decimalAttributeType: .decimal
        case .booleanAttributeType: .boolean
        case .dateAttributeType: .date
        case .binaryDataAttributeType: .binary
        case .UUIDAttributeType: .uuid
        case .URIAttributeType: .uri
        case .transformableAttributeType: .tree
        case .compositeAttributeType: .composite
        case .undefinedAttributeType, .objectIDAttributeType: .other
        }
    }

    var isInteger: Bool {
        [.integer16AttributeType, .integer32AttributeType, .integer64AttributeType].contains(attributeType)
    }

    /// Indicates whether rows can be in the order of its values.
    var isSortable: Bool {
        !isTransient && ![.tree, .composite, .binary, .image, .other].contains(kind)
            && attributeType != .transformableAttributeType
    }
}

extension NSEntityDescription {
    var rules: DisplayRules { DisplayRules(userInfo) }

    /// The attribute that stands for an object: what the model says, else the likeliest one; nil without a text.
    var titleKey: String? {
        if let stated = rules.title,
            attributesByName[stated.split(separator: ".").first.map(String.init) ?? stated] != nil
        {
            return stated
        }
        let texts = attributesByName.values.filter {
            $0.attributeType == .stringAttributeType && !$0.isTransient
        }
        let names = texts.map(\.name).sorted()
        for likely in ["name", "title", "label", "fullName", "firstName", "itemName", "caption", "text"] {
            if names.contains(likely) { return likely }
        }
        return names.first { $0.lowercased().hasSuffix("name") } ?? names.first {
            $0.lowercased().hasSuffix("title")
        }
            ?? names.first
    }

    /// Properties that are shown, in the order of the model's wishes and then of the alphabet.
    var shownProperties: [NSPropertyDescription] {
        properties.filter { !$0.rules.isHidden }.sorted {
            let left = ($0.rules.order ?? Int.max, $0.name == titleKey ? 0 : 1, $0.name)
            let right = ($1.rules.order ?? Int.max, $1.name == titleKey ? 0 : 1, $1.name)
            return left < right
        }
    }
}

extension NSManagedObject {
    /// The title that a person knows it by.
    var title: String {
        guard let key = entity.titleKey, let first = key.split(separator: ".").first,
            entity.attributesByName[String(first)] != nil,
            let value = self.value(forKey: String(first))
        else { return "" }
        var found: Any? = value
        for part in key.split(separator: ".").dropFirst() { found = (found as? [String: Any])?[String(part)] }
        guard let found, !(found is NSNull) else { return "" }
        let text = found as? String ?? PrintedValue(any: found).cell
        return String(text.prefix(80)).split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
