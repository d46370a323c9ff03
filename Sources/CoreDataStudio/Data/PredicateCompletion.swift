// The possible continuations of a predicate: keys, operators, values.

import CoreData
import CoreDataPredicate
import CoreDataSupport
import StoreTools

/// Suggestions at a place in a predicate.
struct PredicateCompletion {
    private enum Token: Equatable {
        case key(String)
        case op
        case value
        case word
        case open
        case close
    }

    struct Suggestion: Hashable {
        let text: String
        let kind: String
        let help: String
    }

    /// The start of the word that is being typed, in characters.
    let start: Int
    /// The part of it that was typed.
    let typed: String
    let suggestions: [Suggestion]

    private static let words: Set<String> = [
        "AND", "OR", "NOT", "ANY", "ALL", "NONE", "SOME", "&&", "||", "!",
    ]
    private static let textOperators = [
        "CONTAINS[cd]", "BEGINSWITH[cd]", "ENDSWITH[cd]", "LIKE[cd]", "MATCHES",
    ]
    private static let operators: Set<String> = [
        "=", "==", "!=", "<>", "<", ">", "<=", ">=", "=<", "=>", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH",
        "ENDSWITH",
        "LIKE", "MATCHES",
    ]

    init(
        _ text: String, cursor: Int, entity: NSEntityDescription, in workspace: DataWorkspace,
        grants: Grants
    ) {
        let before = String(text.prefix(max(0, min(cursor, text.count))))
        let pieces = Self.pieces(before)
        let isTyping = before.last.map { Self.isWordPart($0) || $0 == "\"" } ?? false
        typed = isTyping ? pieces.last ?? "" : ""
        start = before.count - typed.count
        let tokens = (isTyping ? pieces.dropLast() : pieces[...]).map(Self.token)
        let (typed, fragment) = (typed, typed.lowercased())
        let lastKey = tokens.last { if case .key = $0 { true } else { false } }
        var found: [Suggestion]
        switch tokens.last {
        case nil, .word, .open:
            found = Self.keys(typed, entity: entity, grants: grants) + Self.starters
        case .key(let path): found = Self.operators(for: path, entity)
        case .op:
            var path = ""
            if case .key(let key)? = lastKey { path = key }
            found =
                Self.values(path, typed: typed, entity: entity, workspace: workspace)
                + Self.keys(typed, entity: entity, grants: grants)
        case .value, .close:
            found = [.init(text: "AND", kind: "word", help: ""), .init(text: "OR", kind: "word", help: "")]
        }
        let matching = found.filter { fragment.isEmpty || $0.text.lowercased().hasPrefix(fragment) }
        suggestions = Array(matching.filter { $0.text != typed }.prefix(30))
    }

    var value: StudioValue {
        [
            "start": .integer(start), "length": .integer(typed.count),
            "items": .list(
                suggestions.map { ["text": .text($0.text), "kind": .text($0.kind), "help": .text($0.help)] }),
        ]
    }

    private static let starters = ["NOT", "ANY", "ALL", "NONE", "SUBQUERY(", "TRUEPREDICATE"].map {
        Suggestion(text: $0, kind: "word", help: "")
    }

    // MARK: Words

    private static func isWordPart(_ character: Character) -> Bool {
        character.isLetter || character.isNumber || "._@$".contains(character)
    }

    private static func pieces(_ text: String) -> [String] {
        var pieces: [String] = []
        var quote: Character?
        var current = ""
        func isSign(_ text: String) -> Bool { text.allSatisfy { "=<>!&|".contains($0) } }
        for character in text {
            if let open = quote {
                current.append(character)
                if character == open {
                    pieces.append(current)
                    (current, quote) = ("", nil)
                }
                continue
            }
            let continues =
                current.isEmpty || isWordPart(character) && !isSign(current)
                || isSign(current) && isSign(String(character))
            if character.isWhitespace || !continues || "(){},[]\"'".contains(character) {
                if !current.isEmpty { pieces.append(current) }
                current = ""
            }
            if character.isWhitespace { continue }
            if character == "\"" || character == "'" {
                quote = character
                current = String(character)
            } else if "(){},[]".contains(character) {
                pieces.append(String(character))
            } else {
                current.append(character)
            }
        }
        if !current.isEmpty { pieces.append(current) }
        return options(taken: pieces)
    }

    /// Without `[cd]` behind operators.
    private static func options(taken pieces: [String]) -> [String] {
        var result: [String] = []
        var depth = 0
        for piece in pieces {
            if piece == "[" {
                depth += 1
            } else if piece == "]" {
                depth = max(0, depth - 1)
            } else if depth == 0 {
                result.append(piece)
            }
        }
        return result
    }

    private static func token(_ piece: String) -> Token {
        let upper = piece.uppercased()
        if operators.contains(upper) { return .op }
        if words.contains(upper) || piece == "," { return .word }
        if piece == "(" || piece == "{" { return .open }
        if piece == ")" || piece == "}" { return .close }
        guard let first = piece.first else { return .word }
        if first == "\"" || first == "'" || first.isNumber || first == "$" { return .value }
        if ["NIL", "NULL", "YES", "NO", "TRUE", "FALSE"].contains(upper) { return .value }
        return .key(piece)
    }

    // MARK: Candidates

    private static func keys(_ typed: String, entity: NSEntityDescription, grants: Grants) -> [Suggestion] {
        var current = entity
        var prefix = ""
        let path = typed.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        for key in path.dropLast() {
            guard let next = current.relationshipsByName[key]?.destinationEntity,
                grants.has(.read, entity: next)
            else { return [] }
            current = next
            prefix += key + "."
        }
        var found = current.properties.filter { !($0 is NSFetchedPropertyDescription) && !$0.isTransient }
            .sorted { $0.name < $1.name }.map { property in
                Suggestion(text: prefix + property.name, kind: "key", help: help(property))
            }
        if !prefix.isEmpty { found.append(.init(text: prefix + "@count", kind: "key", help: "How many")) }
        return found
    }

    private static func help(_ property: NSPropertyDescription) -> String {
        if let attribute = property as? NSAttributeDescription { return attribute.attributeType.name }
        guard let relationship = property as? NSRelationshipDescription else { return "" }
        return (relationship.isToMany ? "to many " : "to one ") + (relationship.destinationEntity?.name ?? "")
    }

    private static func attribute(_ path: String, entity: NSEntityDescription) -> NSAttributeDescription? {
        let keys = path.split(separator: ".").map(String.init)
        let owner = keys.dropLast().reduce(Optional(entity)) {
            $0?.relationshipsByName[$1]?.destinationEntity
        }
        return keys.last.flatMap { owner?.attributesByName[$0] }
    }

    private static func operators(for path: String, _ entity: NSEntityDescription) -> [Suggestion] {
        let type = attribute(path, entity: entity)?.attributeType
        var signs = ["==", "!="]
        switch type {
        case .stringAttributeType?: signs += textOperators + ["IN"]
        case .booleanAttributeType?: break
        case nil where !path.hasSuffix("@count"): signs += ["IN"]
        default: signs += [">", ">=", "<", "<=", "BETWEEN", "IN"]
        }
        return signs.map { .init(text: $0, kind: "operator", help: "") }
    }

    private static func values(
        _ path: String, typed: String, entity: NSEntityDescription, workspace: DataWorkspace
    ) -> [Suggestion] {
        let none = Suggestion(text: "nil", kind: "value", help: "No value")
        guard let attribute = attribute(path, entity: entity) else { return [none] }
        var texts: [String] = []
        switch attribute.attributeType {
        case .booleanAttributeType: texts = ["YES", "NO"]
        case .dateAttributeType: texts = [ExpressionTree.constant(.date(Date())).format]
        case .stringAttributeType:
            let choices = attribute.rules.choices.map(\.value)
            texts =
                (choices.isEmpty && !path.contains(".")
                ? stored(attribute, typed: typed, workspace: workspace) : choices)
                .map {
                    ExpressionTree.constant(.string($0)).format
                }
        default: texts = attribute.rules.choices.map(\.value)
        }
        return texts.map { .init(text: $0, kind: "value", help: "") } + [none]
    }

    /// Values that there are, some of them.
    private static func stored(
        _ attribute: NSAttributeDescription, typed: String, workspace: DataWorkspace
    ) -> [String] {
        if attribute.isTransient { return [] }
        let request = NSFetchRequest<NSDictionary>()
        request.entity = attribute.entity
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = [attribute.name]
        request.returnsDistinctResults = true
        request.includesPendingChanges = false
        request.fetchLimit = 12
        let start = typed.trimmingCharacters(in: CharacterSet(charactersIn: "\"'"))
        if !start.isEmpty {
            request.predicate = .make(
                .comparison(
                    .init(
                        .keyPath(attribute.name), op: .beginsWith, right: .constant(.string(start)),
                        options: .caseInsensitive)))
        }
        let rows = (try? workspace.context.fetch(request)) ?? []
        return rows.compactMap { $0[attribute.name] as? String }.filter { $0.count <= 60 }.sorted()
    }
}
