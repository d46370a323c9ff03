// The text of a class: for Apple's systems with attributes of Objective-C, for others with accessors of ours.

import CoreDataSchema

/// Writes the parts of one class.
struct ClassWriter {
    let plan: ClassPlan
    let names: TypeNames

    /// The class itself, with what its extensions can't override off Apple's systems.
    func declaration(_ overrides: [ExtensionOverride]) -> String {
        let documentation = Documentation.lines(Documentation.text(plan.entity.userInfo))
        let members = overrides.map { "    \(plan.access.spelling) \($0.declaration)" }
        return
            (documentation + [
                "#if canImport(ObjectiveC)", "@objc(\(plan.baseName))", "#endif",
                "\(plan.access.spelling) class \(plan.type): \(TypeNames.escaped(plan.superclass)) {",
            ] + (members.isEmpty ? [] : ["    #if !canImport(ObjectiveC)"] + members + ["    #endif"]) + ["}"])
            .joined(separator: "\n")
    }

    /// Everything else, part by part.
    func extensions(custom: CustomKeys?, keyPaths: [String]) -> [String] {
        var parts = [requests, properties]
        parts += plan.properties.compactMap(members)
        parts.append(
            companion(custom, keyPaths: keyPaths).map { "#if !canImport(ObjectiveC)\n\($0)\n#endif" } ?? "")
        if plan.isIdentifiable {
            parts.append("nonisolated extension \(plan.type): \(names("Identifiable")) {\n}")
        }
        return parts.filter { !$0.isEmpty }
    }

    /// As seen from outside: an extension can't make anything `open`.
    private func word(_ access: AccessLevel) -> String { min(access, .public).spelling }

    // MARK: Requests

    private var requests: String {
        let access = word(plan.access)
        let lines = [
            "@nonobjc \(access) class func fetchRequest() -> NSFetchRequest<\(plan.type)> {",
            "    return NSFetchRequest<\(plan.type)>(entityName: \"\(plan.entity.name)\")", "}",
        ]
        let functions = [lines] + plan.templates.map(function)
        return block("nonisolated extension \(plan.type) {", members: functions)
    }

    private func function(_ template: TemplatePlan) -> [String] {
        let parameters = template.parameters.map { "\(Keywords.escaped($0.name)): \($0.type)" }
        let type = "NSFetchRequest<\(template.resultType)>"
        let name = Keywords.escaped(template.name)
        var lines = [
            "/// The fetch request template \(template.templateName).",
            "@nonobjc \(word(plan.access)) class func \(name)(\(parameters.joined(separator: ", "))) -> \(type) {",
            "    let request = \(type)(entityName: \"\(template.entityName)\")",
        ]
        for line in template.lines {
            lines += line.split(separator: "\n").map { "    " + $0 }
        }
        return lines + ["    return request", "}"]
    }

    // MARK: Properties

    private var properties: String {
        guard !plan.properties.isEmpty else { return "" }
        let apple = plan.properties.map { Documentation.lines($0.documentation) + managed($0) }
        let ours = plan.properties.map { Documentation.lines($0.documentation) + accessor($0) }
        let head = "nonisolated extension \(plan.type) {"
        return
            "#if canImport(ObjectiveC)\n\(lines(head, members: apple))\n#else\n\(block(head, members: ours))\n#endif"
    }

    /// The property on Apple's systems.
    private func managed(_ property: PropertyPlan) -> [String] {
        let access = word(property.access)
        let head =
            "\(access)\(property.isReadOnly ? " private(set)" : "") var \(property.spelling): \(property.type)"
        guard let unpacking = property.unpacking else { return ["@NSManaged " + head] }
        let key = "\"\(property.name)\""
        let (value, packed) = Self.boxed(property, unpacking: unpacking)
        let getter = [
            "    get {", "        willAccessValue(forKey: \(key))",
            "        defer { didAccessValue(forKey: \(key)) }",
            "        return \(value)", "    }",
        ]
        let setter = [
            "    set {", "        willChangeValue(forKey: \(key))",
            "        defer { didChangeValue(forKey: \(key)) }",
            "        setPrimitiveValue(\(packed), forKey: \(key))", "    }",
        ]
        let name = "\(access) var \(property.spelling): \(property.type) {"
        return [name] + getter + (property.isReadOnly ? [] : setter) + ["}"]
    }

    /// Returns the expressions that read an optional scalar of the stored object and make such
    /// an object of `newValue`.
    private static func boxed(_ property: PropertyPlan, unpacking: String) -> (String, String) {
        let isDate = if case .interval = property.kind { true } else { false }
        let box = isDate ? "Date" : "NSNumber"
        let packed =
            isDate
            ? "newValue.map { Date(timeIntervalSinceReferenceDate: $0) }"
            : "newValue.map { NSNumber(value: $0) }"
        return ("(primitiveValue(forKey: \"\(property.name)\") as? \(box))?.\(unpacking)", packed)
    }

    /// The property elsewhere.
    private func accessor(_ property: PropertyPlan) -> [String] {
        let head = "\(word(property.access)) var \(property.spelling): \(property.type) {"
        let place = self.place(property)
        var (get, set) = ("self[\(place)]", "self[\(place)] = newValue")
        if case .interval = property.kind {
            let date = names("Date")
            if property.type.hasSuffix("?") {
                get = "(self[\(place)] as \(date)?)?.timeIntervalSinceReferenceDate"
                set = "self[\(place)] = newValue.map { \(date)(timeIntervalSinceReferenceDate: $0) }"
            } else {
                get = "(self[\(place)] as \(date)).timeIntervalSinceReferenceDate"
                set = "self[\(place)] = \(date)(timeIntervalSinceReferenceDate: newValue)"
            }
        }
        if property.isReadOnly { return [head, "    \(get)", "}"] }
        return [head, "    get { \(get) }", "    set { \(set) }", "}"]
    }

    func place(_ property: PropertyPlan) -> String {
        let key = "\"\(property.name)\""
        switch (property.kind, property.place) {
        case (.attribute, .attribute(let word, let index)), (.interval, .attribute(let word, let index)):
            return "ManagedAttribute(\(key), word: \(word), index: \(index))"
        case (.attribute, _), (.interval, _): return "ManagedAttribute(\(key))"
        case (_, .relationship(let number)): return "ManagedRelationship(\(key), number: \(number))"
        case (.toOne, .attribute), (.toMany, .attribute), (.fetched, .attribute), (_, nil):
            return "ManagedRelationship(\(key))"
        }
    }

    // MARK: Companion

    private func companion(_ custom: CustomKeys?, keyPaths: [String]) -> String? {
        let slots = plan.properties.compactMap { property -> CompanionWriter.Slot? in
            guard let place = property.place else { return nil }
            var type = property.type
            if case .interval = property.kind { type = names("Date") + (type.hasSuffix("?") ? "?" : "") }
            return CompanionWriter.Slot(key: property.name, place: place, type: type)
        }
        guard !slots.isEmpty || custom?.isEmpty == false || !keyPaths.isEmpty else { return nil }
        return CompanionWriter(
            className: plan.name, access: plan.access, slots: slots, custom: custom, keyPaths: keyPaths
        ).text
    }

    // MARK: Text

    /// Members one after the other, with an empty line between those of several lines.
    func block(_ head: String, members: [[String]]) -> String {
        let bodies = members.map { $0.map { $0.isEmpty ? "" : "    " + $0 }.joined(separator: "\n") }
        return "\(head)\n" + bodies.joined(separator: "\n\n") + "\n}"
    }

    func lines(_ head: String, members: [[String]]) -> String {
        "\(head)\n" + members.joined().map { "    " + $0 }.joined(separator: "\n") + "\n}"
    }
}
