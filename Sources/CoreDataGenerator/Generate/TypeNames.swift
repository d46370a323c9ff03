// The spelling of types that the model's own classes don't get in the way of.

import CoreDataSchema

/// The names of types in one module's generated code.
struct TypeNames {
    /// Names that the module's own types take.
    let taken: Set<String>

    private static let homes: [String: String] = [
        "String": "Swift", "Int16": "Swift", "Int32": "Swift", "Int64": "Swift", "Bool": "Swift",
        "Double": "Swift", "Float": "Swift", "Set": "Swift", "Int": "Swift", "Identifiable": "Swift",
        "Date": "Foundation", "Data": "Foundation", "UUID": "Foundation", "URL": "Foundation",
        "Decimal": "Foundation", "TimeInterval": "Foundation", "IndexSet": "Foundation",
    ]

    /// A type of the standard library or of Foundation, with its module where a class has its name.
    func callAsFunction(_ name: String) -> String {
        guard taken.contains(name), let home = Self.homes[name] else { return name }
        return home + "." + name
    }

    /// A path of names, in backticks where they are words of the language.
    static func escaped(_ path: String) -> String {
        path.split(separator: ".").map { Keywords.escaped(String($0)) }.joined(separator: ".")
    }

    /// Returns whether a model's text can stand in code as the name of a class: identifiers with dots.
    static func isPath(_ text: String) -> Bool {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        return !parts.isEmpty
            && parts.allSatisfy { part in
                guard let first = part.first, first.isLetter || first == "_" else { return false }
                return part.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
            }
    }

    /// Returns whether a model's text can stand in code as a type: names, brackets,
    /// and the text between them.
    static func isType(_ text: String) -> Bool {
        guard text.contains(where: \.isLetter), text.count < 400 else { return false }
        var open: [Character] = []
        let partners: [Character: Character] = ["]": "[", ">": "<"]
        for character in text {
            switch character {
            case "[", "<": open.append(character)
            case "]", ">": if open.popLast() != partners[character] { return false }
            case ".", ",", ":", " ", "?", "_", "&": continue
            default: if !character.isLetter, !character.isNumber { return false }
            }
        }
        return open.isEmpty
    }
}
