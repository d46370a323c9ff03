// Findings about single fields: types, defaults, bounds, predicates, expressions, patterns, references.

import CoreDataFiles
import CoreDataPredicate
import CoreDataSchema
import Foundation

extension ModelChecker {
    mutating func checkProperty(_ node: ModelNode, in owner: ModelNode) {
        checkReferences(of: node, in: owner)
        switch node.name {
        case "attribute": checkAttribute(node, in: owner)
        case "relationship":
            if node["deletionRule"] == "No Action" || node["deletionRule"] == nil {
                add(
                    .warning, node: node, field: "deletionRule",
                    message: "With No Action the other side goes on naming objects that are gone.", in: owner)
            }
        case "fetchedProperty":
            guard let request = node.child("fetchRequest") else {
                return add(
                    .error, node: node, field: nil, message: "The fetched property has no fetch request.",
                    in: owner)
            }
            checkPredicate(
                request, attribute: "predicateString", of: request["entity"], shownAt: node, in: owner)
        default: break
        }
    }

    /// Checks for references to an entity or a composite type that isn't there.
    mutating func checkReferences(of node: ModelNode, in owner: ModelNode?) {
        let fields: [(attribute: String, words: String)] =
            switch node.name {
            case "entity": [("parentEntity", "parent entity")]
            case "relationship": [("destinationEntity", "destination")]
            case "fetchRequest": [("entity", "entity")]
            default: []
            }
        for (attribute, words) in fields {
            let name = node[attribute] ?? ""
            if name.isEmpty, attribute == "parentEntity" { continue }
            if name.isEmpty {
                add(.error, node: node, field: attribute, message: "There is no \(words).", in: owner)
            } else if family.entity(name) == nil {
                add(
                    .error, node: node, field: attribute,
                    message: "The \(words) \"\(name)\" isn't in the model.", in: owner)
            }
        }
    }

    private mutating func checkAttribute(_ node: ModelNode, in owner: ModelNode) {
        let type = node.attributeType
        if !ModelField.typeNames.contains(type) {
            return add(
                .error, node: node, field: "attributeType", message: "The type \"\(type)\" is unknown.",
                in: owner)
        }
        for (key, words) in [
            ("defaultValue", "default value"), ("minimum", "minimum"), ("maximum", "maximum"),
        ] {
            checkValue(key, words: words, node: node, in: owner)
        }
        checkBounds(node, in: owner)
        checkDefault(node, in: owner)
        if type == "Composite" {
            let name = node["composite"] ?? ""
            if !root.children("composite").contains(where: { $0.title == name }) {
                let words =
                    name.isEmpty ? "No composite type is chosen." : "There is no composite type \"\(name)\"."
                add(.error, node: node, field: "composite", message: words, in: owner)
            }
        }
        if let pattern = node["regularExpressionString"], !pattern.isEmpty,
            (try? NSRegularExpression(pattern: pattern)) == nil
        {
            add(
                .error, node: node, field: "regularExpressionString",
                message: "The regular expression can't be read.", in: owner)
        }
        if node.flag("derived") { checkDerivation(node, in: owner) }
    }

    private mutating func checkDerivation(_ node: ModelNode, in owner: ModelNode) {
        let field = "derivationExpression"
        let text = node[field] ?? ""
        if text.isEmpty {
            let message = "The derived attribute has no expression."
            add(.error, node: node, field: field, message: message, in: owner)
        } else {
            checkExpression(text, node: node, field: field, in: owner)
        }
    }

    private mutating func checkValue(_ key: String, words: String, node: ModelNode, in owner: ModelNode) {
        guard let field = ModelField.field(key, of: "attribute"),
            case .text(let text) = field.value(in: node)
        else { return }
        let isLength = node.attributeType == "String" && key != "defaultValue"
        let type = isLength ? AttributeType.integer64.sourceName : node.attributeType
        guard let problem = Self.problem(of: text, type: type) else { return }
        add(.error, node: node, field: key, message: "The \(words) \(problem).", in: owner)
    }

    /// Returns the reason why a text is no value of a type; nil if it is one.
    package static func problem(of text: String, type: String) -> String? {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        func whole(_ range: ClosedRange<Double>) -> String? {
            guard let number = Double(trimmed), number.isFinite, number == number.rounded() else {
                return "\"\(text)\" is no whole number"
            }
            return range.contains(number) ? nil : "\(text) is out of range for \(type)"
        }
        switch AttributeType(sourceName: type) {
        case .integer16: return whole(Double(Int16.min)...Double(Int16.max))
        case .integer32: return whole(Double(Int32.min)...Double(Int32.max))
        // As a Double, 2^63 is the same as the greatest integer.
        case .integer64:
            return whole(-0x1p63...0x1p63)
                ?? (Int64(trimmed) == nil && Double(trimmed).flatMap { Int64(exactly: $0) } == nil
                    ? "\(text) is out of range for \(type)" : nil)
        case .double, .float, .decimal: return Double(trimmed) == nil ? "\"\(text)\" is no number" : nil
        case .date:
            return ModelDate.date(trimmed) == nil
                ? "\"\(text)\" is no date as 2024-05-01 or 2024-05-01T10:20:30Z" : nil
        case .boolean:
            return ["yes", "no", "true", "false", "1", "0"].contains(trimmed.lowercased())
                ? nil : "\"\(text)\" is neither YES nor NO"
        case .uuid: return UUID(uuidString: trimmed) == nil ? "\"\(text)\" is no UUID" : nil
        case .uri: return URL(string: trimmed) == nil ? "\"\(text)\" is no URI" : nil
        case .string: return nil
        default: return "can't be stated for the type \(type)"
        }
    }

    private mutating func checkBounds(_ node: ModelNode, in owner: ModelNode) {
        guard let least = Self.number("minimum", node: node),
            let greatest = Self.number("maximum", node: node),
            least > greatest
        else { return }
        add(.error, node: node, field: "minimum", message: "The minimum is above the maximum.", in: owner)
    }

    /// A field's number; of a date its seconds.
    private static func number(_ key: String, node: ModelNode) -> Double? {
        let text = ModelField.field(key, of: "attribute")?.value(in: node).text
        if node.attributeType == "Date" {
            return text.flatMap(ModelDate.date)?.timeIntervalSinceReferenceDate
        }
        return text.flatMap { Double($0) }
    }

    /// A default value that the attribute's own rules refuse: no new object could be saved as it is.
    private mutating func checkDefault(_ node: ModelNode, in owner: ModelNode) {
        guard let text = ModelField.field("defaultValue", of: "attribute")?.value(in: node).text else {
            return
        }
        let isText = node.attributeType == "String"
        guard let size = isText ? Double(text.count) : Self.number("defaultValue", node: node) else { return }
        let (words, below, above) =
            isText
            ? ("The default value is", "shorter", "longer") : ("The default value is", "below", "above")
        if let least = Self.number("minimum", node: node), size < least {
            let end = isText ? "than the minimum length" : "the minimum"
            add(.warning, node: node, field: "defaultValue", message: "\(words) \(below) \(end).", in: owner)
        }
        if let greatest = Self.number("maximum", node: node), size > greatest {
            let end = isText ? "than the maximum length" : "the maximum"
            add(.warning, node: node, field: "defaultValue", message: "\(words) \(above) \(end).", in: owner)
        }
        if isText, let pattern = node["regularExpressionString"], !pattern.isEmpty,
            let expression = try? NSRegularExpression(pattern: "^(?:\(pattern))$")
        {
            let range = NSRange(text.startIndex..., in: text)
            if expression.firstMatch(in: text, range: range)?.range != range {
                add(
                    .warning, node: node, field: "defaultValue",
                    message: "The default value doesn't match the regular expression.", in: owner)
            }
        }
    }

    // MARK: Predicates and expressions

    mutating func checkPredicate(
        _ node: ModelNode, attribute: String, of entity: String?, shownAt shown: ModelNode? = nil,
        in owner: ModelNode? = nil
    ) {
        guard let text = node[attribute], !text.isEmpty else { return }
        do {
            let tree = try PredicateParser.predicate(text)
            guard let entity, family.entity(entity) != nil else { return }
            let keys = tree.keys
            for key in keys where family.property(key, of: entity) == nil && !Self.isSpecial(key) {
                add(
                    .warning, node: shown ?? node, field: attribute,
                    message: "\(entity) has no property \"\(key)\".", in: owner)
            }
        } catch {
            add(
                .error, node: shown ?? node, field: attribute, message: "\(error.reason).", in: owner,
                at: error)
        }
    }

    mutating func checkExpression(
        _ text: String, node: ModelNode, field: String, in owner: ModelNode?
    ) {
        do {
            let tree = try PredicateParser.expression(text)
            guard let owner, owner.name == "entity" else { return }
            for key in tree.keys where family.property(key, of: owner.title) == nil && !Self.isSpecial(key) {
                add(
                    .error, node: node, field: field, message: "\(owner.title) has no property \"\(key)\".",
                    in: owner)
            }
        } catch {
            add(.error, node: node, field: field, message: "\(error.reason).", in: owner, at: error)
        }
    }

    private static func isSpecial(_ key: String) -> Bool {
        key.hasPrefix("@") || ["self", "SELF", "entity", "objectID"].contains(key)
    }

    // MARK: Indexes and delete rules

    mutating func checkIndex(_ index: ModelNode, in entity: ModelNode) {
        checkPredicate(index, attribute: "partialIndexPredicate", of: entity.title, in: entity)
        for element in index.children {
            if let text = element["expression"], !text.isEmpty {
                checkExpression(text, node: element, field: "expression", in: entity)
            } else if (element["property"] ?? "").isEmpty {
                add(
                    .error, node: index, field: nil,
                    message: "An element of the index has neither property nor expression.",
                    in: entity)
            }
        }
    }

    /// Rules that together make deleting impossible, or delete more than one expects.
    mutating func checkDeleteRules(of entity: ModelNode) {
        for node in entity.children("relationship") {
            guard let inverse = node["inverseName"],
                let other = family.property(inverse, of: node["destinationEntity"] ?? "")
            else { continue }
            switch (node["deletionRule"], other["deletionRule"]) {
            case ("Cascade", "Cascade") where node.id != other.id && !other.isToMany && node.isToMany:
                add(
                    .note, node: other, field: "deletionRule",
                    message:
                        "Deleting one member deletes \(entity.title) and, through its own Cascade, all other members.",
                    in: family.entity(node["destinationEntity"] ?? ""))
            case ("Deny", "Deny") where node.id <= other.id:
                add(
                    .warning, node: node, field: "deletionRule",
                    message: "Both sides say Deny: neither can be deleted while they are connected.",
                    in: entity)
            case ("Nullify", _) where !other.flag("optional") && !other.isToMany:
                add(
                    .warning, node: node, field: "deletionRule",
                    message:
                        "Nullify leaves \(node["destinationEntity"] ?? "").\(inverse) empty, which is required: "
                        + "deleting fails on save. Use Cascade or Deny, or make it optional.", in: entity)
            default: break
            }
        }
    }
}

extension PredicateTree {
    /// The properties that key paths from the object itself begin with; not those in subqueries.
    fileprivate var keys: Set<String> {
        var keys: Set<String> = []
        _ = rewriting { (expression, _) throws(Never) in expression.note(&keys) }
        return keys
    }
}

extension ExpressionTree {
    fileprivate var keys: Set<String> {
        var keys: Set<String> = []
        _ = rewriting { (expression, _) throws(Never) in expression.note(&keys) }
        return keys
    }
}

extension ExpressionTree {
    /// Takes down a key path's first key. Gives the expression itself where nothing further in is to be
    /// looked at.
    fileprivate func note(_ keys: inout Set<String>) -> ExpressionTree? {
        switch self {
        case .keyPath(.evaluatedObject, let path):
            keys.insert(String(path.prefix { $0 != "." }))
            return self
        case .subquery(let collection, _, _):
            keys.formUnion(collection.keys)
            return self
        default: return nil
        }
    }
}
