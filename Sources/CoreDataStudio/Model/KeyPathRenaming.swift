// Key paths in predicates and expressions, spelled anew where a property on their way was renamed.

import CoreDataPredicate
import Foundation

/// One renamed property, in the model as it was before.
struct KeyPathRenaming {
    /// The owner of properties.
    enum Owner: Hashable {
        case entity(String)
        case composite(String)
    }

    /// The start of key paths in a text.
    struct Start {
        var object: Owner?
        var variables: [String: Owner] = [:]
    }

    let old: String
    let name: String
    let owner: Owner
    let family: ModelFamily
    /// The number of places of a name that are tried in all combinations.
    private static let placeLimit = 8

    // MARK: Texts

    /// The predicate's text with the new name; nil where nothing changes.
    func predicate(_ text: String, start: Start) -> String? {
        guard text.contains(old), let tree = try? PredicateParser.predicate(text) else { return nil }
        let wanted = rewritten(tree, start: start)
        if wanted == tree { return nil }
        return respelled(text) { (try? PredicateParser.predicate($0)) == wanted } ?? wanted.format
    }

    /// The expression's text with the new name; nil where nothing changes.
    func expression(_ text: String, start: Start) -> String? {
        guard text.contains(old), let tree = try? PredicateParser.expression(text) else { return nil }
        let wanted = rewritten(tree, start: start)
        if wanted == tree { return nil }
        return respelled(text) { (try? PredicateParser.expression($0)) == wanted } ?? wanted.format
    }

    /// Names and key paths between commas, each perhaps behind a minus sign, as the user info has them.
    func list(_ text: String, start: Start) -> String? {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false).map { part -> String in
            let begin = part.firstIndex { !$0.isWhitespace && $0 != "-" } ?? part.endIndex
            let end = part[begin...].lastIndex { !$0.isWhitespace }.map(part.index(after:)) ?? begin
            let path = self.path(String(part[begin..<end]), from: start.object).path
            return String(part[..<begin]) + path + String(part[end...])
        }
        let changed = parts.joined(separator: ",")
        return changed == text ? nil : changed
    }

    /// The text as it was written, but for the name, if that can be had.
    private func respelled(_ text: String, isRight: (String) -> Bool) -> String? {
        let places = wordPlaces(in: text)
        guard !places.isEmpty, places.count <= Self.placeLimit else { return nil }
        let all = 1 << places.count
        for choice in (1..<all).sorted(by: { $0.nonzeroBitCount > $1.nonzeroBitCount }) {
            // A name that is a word of the language needs a sign before it.
            for spelling in [name, "#" + name] {
                var changed = text
                for (number, place) in places.enumerated().reversed() where choice & (1 << number) != 0 {
                    changed.replaceSubrange(place, with: spelling)
                }
                if isRight(changed) { return changed }
            }
        }
        return nil
    }

    /// Returns the places of the old name as a word, outside of quotes.
    private func wordPlaces(in text: String) -> [Range<String.Index>] {
        var places: [Range<String.Index>] = []
        var (quote, index, before): (Character?, String.Index, Character?) = (nil, text.startIndex, nil)
        func isPart(_ character: Character) -> Bool {
            character.isLetter || character.isNumber || character == "_"
        }
        while index < text.endIndex {
            let character = text[index]
            if let open = quote {
                if character == "\\" { index = text.index(after: index) }
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if isPart(character) {
                let end = text[index...].firstIndex { !isPart($0) } ?? text.endIndex
                if text[index..<end] == old, before != "$", before != "@" { places.append(index..<end) }
                (before, index) = (text[text.index(before: end)], end)
                continue
            }
            before = character
            if index < text.endIndex { index = text.index(after: index) }
        }
        return places
    }

    // MARK: Trees

    private func rewritten(_ tree: PredicateTree, start: Start) -> PredicateTree {
        tree.rewriting { (part, _) throws(Never) in changed(part, start: start) }
    }

    private func rewritten(_ tree: ExpressionTree, start: Start) -> ExpressionTree {
        tree.rewriting { (part, _) throws(Never) in changed(part, start: start) }
    }

    private func changed(_ tree: ExpressionTree, start: Start) -> ExpressionTree? {
        switch tree {
        case .keyPath(let operand, let text):
            let operandNow = operand == .evaluatedObject ? operand : rewritten(operand, start: start)
            return .keyPath(operandNow, path(text, from: end(of: operand, start)).path)
        case .subquery(let collection, let variable, let predicate):
            var inner = start
            inner.variables[variable] = end(of: collection, start)
            return .subquery(
                collection: rewritten(collection, start: start), variable: variable,
                predicate: rewritten(predicate, start: inner))
        default: return nil
        }
    }

    /// Returns the owner that an expression leads to.
    func end(of tree: ExpressionTree, _ start: Start) -> Owner? {
        switch tree {
        case .evaluatedObject: start.object
        case .variable(let name): start.variables[name]
        case .keyPath(let operand, let text): path(text, from: end(of: operand, start)).end
        case .subquery(let collection, _, _): end(of: collection, start)
        default: nil
        }
    }

    // MARK: Key paths

    /// A key path with the new name, and what it leads to.
    func path(_ text: String, from start: Owner?) -> (path: String, end: Owner?) {
        var scope = start
        var parts: [String] = []
        for part in text.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
            guard let current = scope, !part.hasPrefix("@"), part.lowercased() != "self" else {
                parts.append(part)
                continue
            }
            parts.append(isRenamed(part, in: current) ? name : part)
            scope = property(part, of: current).flatMap(destination)
        }
        return (parts.joined(separator: "."), scope)
    }

    private func isRenamed(_ key: String, in scope: Owner) -> Bool {
        guard key == old else { return false }
        guard case .entity(let here) = scope, case .entity(let declaring) = owner else {
            return scope == owner
        }
        if family.entity(here, isKindOf: declaring) { return true }
        // A subentity's property, asked of objects of the superentity.
        return family.entity(declaring, isKindOf: here) && family.property(key, of: here) == nil
    }

    private func property(_ key: String, of scope: Owner) -> ModelNode? {
        switch scope {
        case .composite(let name): return family.composite(name)?.children.first { $0.title == key }
        case .entity(let name):
            if let own = family.property(key, of: name) { return own }
            return family.entities.lazy.filter { family.entity($0.title, isKindOf: name) }
                .flatMap(\.properties).first { $0.title == key }
        }
    }

    private func destination(of property: ModelNode) -> Owner? {
        switch property.name {
        case "relationship": property["destinationEntity"].map { .entity($0) }
        case "fetchedProperty": property.child("fetchRequest")?["entity"].map { .entity($0) }
        default: property["composite"].map { .composite($0) }
        }
    }
}
