// The text of classes for SwiftData.

/// Writes classes and structures, and puts them into files.
struct ModelClassWriter {
    let modelName: String
    let access: AccessLevel
    let names: TypeNames

    func files(_ classes: [ModelClass], structures: [ModelStructure], isOneFile: Bool) -> [GeneratedFile] {
        let parts =
            structures.map {
                (name: $0.name, text: text($0), types: $0.properties.map(\.type), isModel: false)
            }
            + classes.map { (name: $0.name, text: text($0), types: $0.properties.map(\.type), isModel: true) }
        if isOneFile {
            let text = parts.map(\.text).joined(separator: "\n\n")
            return [file(modelName, text: text, types: parts.flatMap(\.types), imports: true)]
        }
        return parts.map { file($0.name, text: $0.text, types: $0.types, imports: $0.isModel) }.sorted {
            $0.name < $1.name
        }
    }

    private func file(_ name: String, text: String, types: [String], imports: Bool) -> GeneratedFile {
        let word = access >= .public ? "public import" : "import"
        let needed =
            (Self.needFoundation(types) ? ["\(word) Foundation"] : [])
            + (imports ? ["\(word) SwiftData"] : [])
        let head = "// \(name).swift\n// Made from the model \(modelName). Yours to edit.\n\n"
        let lines = needed.isEmpty ? "" : needed.joined(separator: "\n") + "\n\n"
        return GeneratedFile(name: name + ".swift", text: head + lines + text + "\n", isForEditing: true)
    }

    /// Returns whether one of the types is Foundation's; an import that is wider than its use gets a warning.
    private static func needFoundation(_ types: [String]) -> Bool {
        types.contains { type in
            let name = type.prefix { $0 != "?" }
            return name.hasPrefix("NS") || name.hasPrefix("Foundation.")
                || ["Date", "Data", "UUID", "URL", "Decimal"].contains(String(name))
        }
    }

    // MARK: Classes

    private func text(_ model: ModelClass) -> String {
        var lines = model.documentation
        if model.superclass != nil {
            lines.append("@available(macOS 26, iOS 26, tvOS 26, watchOS 26, visionOS 26, *)")
        }
        lines.append("@" + macro("Model"))
        let word = model.isInherited || access == .open ? "class" : "final class"
        let parent = model.superclass.map { ": " + Keywords.escaped($0) } ?? ""
        lines.append("\(level(access))\(word) \(Keywords.escaped(model.name))\(parent) {")
        let members =
            [model.declarations.map { "    #" + $0 }] + members(model.properties, macros: true) + [
                initialiser(model)
            ]
        lines += members.filter { !$0.isEmpty }.joined(separator: [""])
        return (lines + ["}"]).joined(separator: "\n")
    }

    /// The variables, those with a macro or a comment apart.
    private func members(_ properties: [ModelClassProperty], macros: Bool) -> [[String]] {
        var groups: [[String]] = []
        var isPlain = false
        for property in properties {
            let initial = property.initial.map { " = " + $0 } ?? ""
            let line =
                "    \(level(access == .open ? .public : access))var \(property.spelling): \(property.type)\(initial)"
            let before = property.documentation + (property.macro.map { ["@" + $0] } ?? [])
            if before.isEmpty, isPlain {
                groups[groups.count - 1].append(line)
            } else {
                groups.append(before.map { "    " + $0 } + [line])
            }
            isPlain = before.isEmpty
        }
        return groups
    }

    private func initialiser(_ model: ModelClass) -> [String] {
        let all = model.inherited + model.required
        let parameters = all.map { "\($0.spelling): \($0.type)" }.joined(separator: ", ")
        let overrides = model.superclass != nil && model.required.isEmpty ? "override " : ""
        let head = "    \(level(access == .open ? .public : access))\(overrides)init(\(parameters)) {"
        var body = model.required.map { "        self.\($0.name) = \($0.spelling)" }
        if model.superclass != nil {
            let arguments = model.inherited.map { "\($0.name): \($0.spelling)" }.joined(separator: ", ")
            body.append("        super.init(\(arguments))")
        }
        return body.isEmpty ? [head + "}"] : [head] + body + ["    }"]
    }

    // MARK: Structures

    private func text(_ structure: ModelStructure) -> String {
        let head =
            "\(level(min(access, .public)))struct \(Keywords.escaped(structure.name)): Codable, Hashable, Sendable {"
        let parameters = structure.properties.map { property in
            let initial = property.initial ?? (property.type.hasSuffix("?") ? "nil" : nil)
            return "\(property.spelling): \(property.type)" + (initial.map { " = " + $0 } ?? "")
        }
        let assignments = structure.properties.map { "        self.\($0.name) = \($0.spelling)" }
        let make =
            ["    \(level(min(access, .public)))init(\(parameters.joined(separator: ", "))) {"] + assignments
            + ["    }"]
        let plain = structure.properties.map { property in
            var property = property
            property.initial = nil
            return property
        }
        let lines = (members(plain, macros: false) + [make]).joined(separator: [""])
        return ([head] + lines + ["}"]).joined(separator: "\n")
    }

    // MARK: Words

    /// A macro of SwiftData, with its module where a class has its name.
    private func macro(_ name: String) -> String { names.taken.contains(name) ? "SwiftData." + name : name }

    private func level(_ access: AccessLevel) -> String { access == .internal ? "" : access.spelling + " " }
}
