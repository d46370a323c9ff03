// Elements of source models with their place. Text that isn't what its attribute asks for is remarked, not refused,
// as Xcode reads it.

import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport

/// Gathers remarks while one source model is read.
final class SourceReading {
    private static let remarkLimit = 10_000

    private(set) var remarks: [ModelProblem] = []
    /// The number of elements that composite attributes may still unfold to, as types
    /// that contain types multiply.
    var elementBudget = 100_000

    func add(_ remark: ModelProblem) {
        if remarks.count < Self.remarkLimit { remarks.append(remark) }
    }
}

/// An element of a source model.
struct SourceElement {
    let tree: XMLTree
    let reading: SourceReading
    /// The place of the element, for remarks.
    var entity: String?
    var property: String?
    /// The place among the elements of its kind, counted from 1.
    var number = 1

    init(_ tree: XMLTree, reading: SourceReading) {
        self.tree = tree
        self.reading = reading
    }

    var name: String { tree.name }

    /// The elements inside, at the same place of the model.
    var children: [SourceElement] {
        var counts: [String: Int] = [:]
        return tree.children.map { child in
            counts[child.name, default: 0] += 1
            var element = SourceElement(child, reading: reading)
            (element.entity, element.property) = (entity, property)
            element.number = counts[child.name] ?? 1
            return element
        }
    }

    func remark(_ text: String) {
        reading.add(ModelProblem(.warning, message: text, entity: entity, property: property))
    }

    /// Remarks on an attribute whose text is taken for something else.
    func remark(_ attribute: String, text: String, meaning: String) {
        remark("\"\(attribute)\" is \"\(text)\", \(meaning)")
    }

    // MARK: Attributes

    /// An attribute's text; `nil` if there is none, or only white space.
    func text(_ attribute: String) -> String? {
        guard let text = tree[attribute], text.contains(where: { !$0.isWhitespace }) else { return nil }
        return text
    }

    /// Throws `ArchiveFailure` without a text.
    func required(_ attribute: String) throws -> String {
        guard let text = text(attribute) else {
            throw ArchiveFailure("<\(name)> number \(number) has no \"\(attribute)\"")
        }
        return text
    }

    func bool(_ attribute: String, absent: Bool = false) -> Bool {
        guard let text = text(attribute) else { return absent }
        if let value = SourceText.bool(text) { return value }
        remark(attribute, text: text, meaning: "which is no Boolean: \(absent ? "YES" : "NO") is assumed")
        return absent
    }

    /// A number that is not negative and fits 31 bits; `nil` for what is none.
    func count(_ attribute: String) -> Int? {
        guard let text = text(attribute) else { return nil }
        guard let number = SourceText.number(text), case .integer(let whole) = number.value else {
            remark(attribute, text: text, meaning: "which is no whole number: it is left out")
            return nil
        }
        guard (0...Int64(Int32.max)).contains(whole) else {
            remark(attribute, text: text, meaning: "which is out of range: it is left out")
            return nil
        }
        if !number.isPlain { remark(attribute, text: text, meaning: "which is taken for \(whole)") }
        return Int(whole)
    }

    /// The case that an attribute names; `nil` if it has no text or one that isn't known.
    func word<Word>(_ attribute: String, words: [(String, Word)], unknown: String) -> Word? {
        guard let text = text(attribute) else { return nil }
        if let exact = words.first(where: { $0.0 == text }) { return exact.1 }
        let key = SourceText.folded(text)
        if let near = words.first(where: { SourceText.folded($0.0) == key }) {
            remark(attribute, text: text, meaning: "which is taken for \"\(near.0)\"")
            return near.1
        }
        remark(attribute, text: text, meaning: "which isn't known: \(unknown) is assumed")
        return nil
    }

    /// Throws `ArchiveFailure` for a text that isn't a predicate.
    func predicate(_ attribute: String) throws -> PredicateTree? {
        try parsed(attribute, as: "predicate") { try PredicateParser.predicate($0) }
    }

    /// Throws `ArchiveFailure` for a text that isn't an expression.
    func expression(_ attribute: String) throws -> ExpressionTree? {
        try parsed(attribute, as: "expression") { try PredicateParser.expression($0) }
    }

    private func parsed<Tree>(
        _ attribute: String, as kind: String, parse: (String) throws -> Tree
    ) throws -> Tree? {
        guard let text = text(attribute) else { return nil }
        do {
            return try parse(text)
        } catch {
            throw ArchiveFailure("\"\(attribute)\": the \(kind) \"\(text)\" does not parse: \(error)")
        }
    }

    // MARK: Unknown contents

    /// Remarks on attributes that no version of Xcode known here writes. They are kept for the writer.
    func remarkUnknownAttributes() {
        let known = SourceVocabulary.attributes[name] ?? []
        for attribute in tree.attributes where !known.contains(attribute.name) {
            remark("<\(name)> has \"\(attribute.name)\", which isn't known: it is kept and not used")
        }
    }

    func remarkUnknown() {
        remark("<\(name)> isn't known here: it is kept and not used")
    }
}
