// The faults and doubtful points of a model, each with the place to mend it.

import CoreDataFiles
import CoreDataPredicate
import CoreDataSchema
import CoreDataSupport
import Foundation

/// A finding.
package struct ModelCheck: Sendable, Hashable, Encodable {
    package enum Severity: String, Sendable, Hashable, Encodable {
        /// The model can't be used.
        case error
        case warning
        /// Worth a thought.
        case note
    }

    package let severity: Severity
    package let message: String
    /// The element, and the field of it that says so.
    package let id: Int
    package let field: String?
    /// The element's name, with its entity's.
    package let place: String
    /// In predicates and expressions the characters that are wrong.
    package var position: Int?
    package var length: Int?
}

/// Goes over a model. Faults that the model's own validator finds are taken from it; those that it can't see,
/// because a broken model is none, are found here.
package struct ModelChecker {
    let root: ModelNode
    let family: ModelFamily
    var found: [ModelCheck] = []

    private init(_ root: ModelNode) {
        self.root = root
        family = ModelFamily(root)
    }

    /// All findings, errors first.
    package static func checks(of root: ModelNode) -> [ModelCheck] {
        var checker = ModelChecker(root)
        for node in root.children { checker.check(node) }
        checker.checkConventions()
        checker.checkCloudKit()
        checker.checkSchema()
        let order: [ModelCheck.Severity] = [.error, .warning, .note]
        return order.flatMap { severity in checker.found.filter { $0.severity == severity } }
    }

    mutating func add(
        _ severity: ModelCheck.Severity, node: ModelNode, field: String?, message: String,
        in owner: ModelNode? = nil, at failure: ParseFailure? = nil
    ) {
        let place = [owner?.title, node.title].compactMap(\.self).filter { !$0.isEmpty }
        found.append(
            ModelCheck(
                severity: severity, message: message, id: node.id, field: field,
                place: place.joined(separator: "."), position: failure?.position, length: failure?.length))
    }

    private mutating func check(_ node: ModelNode) {
        checkReferences(of: node, in: nil)
        switch node.name {
        case "entity": checkEntity(node)
        case "composite":
            for child in node.children { checkProperty(child, in: node) }
            if node.children.isEmpty {
                add(.error, node: node, field: nil, message: "The composite type has no attributes.")
            }
            if composites(in: node).contains(node.title) {
                add(.error, node: node, field: nil, message: "The composite type contains itself.")
            }
        case "fetchRequest": checkPredicate(node, attribute: "predicateString", of: node["entity"])
        case "configuration":
            if node.children.isEmpty {
                add(.note, node: node, field: nil, message: "The configuration has no entities.")
            }
        default: break
        }
    }

    /// The composite types that one contains, directly or by way of others.
    private func composites(in node: ModelNode) -> Set<String> {
        var found: Set<String> = []
        var open = node.children.compactMap { $0["composite"] }
        while let name = open.popLast() {
            guard found.insert(name).inserted,
                let inner = root.children("composite").first(where: { $0.title == name })
            else { continue }
            open += inner.children.compactMap { $0["composite"] }
        }
        return found
    }

    private mutating func checkEntity(_ entity: ModelNode) {
        if family.isCircular(entity.title) {
            add(.error, node: entity, field: "parentEntity", message: "The entity inherits from itself.")
        }
        if let text = entity["coreSpotlightDisplayNameExpression"] {
            checkExpression(text, node: entity, field: "coreSpotlightDisplayNameExpression", in: nil)
        }
        let isGenerated = !(entity["codeGenerationType"] ?? "").isEmpty
        if isGenerated, entity.classParts.name == nil || entity.classParts.name == "NSManagedObject" {
            add(
                .warning, node: entity, field: "className",
                message: "Code is to be generated, but the entity has no class of its own.")
        }
        for property in entity.properties { checkProperty(property, in: entity) }
        for index in entity.children("fetchIndex") { checkIndex(index, in: entity) }
        checkDeleteRules(of: entity)
    }

    // MARK: With the model's validator

    /// Reads the model as the framework does. Problems found already aren't told a second time.
    private mutating func checkSchema() {
        let schema: ModelSchema
        do {
            schema = try ModelSourceReader.read(root.tree, from: "")
        } catch let error as ModelFileError {
            if !found.contains(where: { $0.severity == .error }) {
                let node = place(error.entity, property: error.property)
                add(.error, node: node, field: nil, message: sentence(error.reason), in: owner(of: node))
            }
            return
        } catch {
            return add(.error, node: root, field: nil, message: "\(error)")
        }
        for problem in ModelValidator.problems(in: schema) {
            let node = place(problem.entity, property: problem.property)
            let severity: ModelCheck.Severity = problem.severity == .error ? .error : .warning
            guard let field = Self.field(of: problem.message) else { continue }
            if found.contains(where: { $0.id == node.id && $0.field == field && $0.severity == severity }) {
                continue
            }
            add(
                severity, node: node, field: field.isEmpty ? nil : field, message: sentence(problem.message),
                in: owner(of: node))
        }
        if !found.contains(where: { $0.severity == .error }), let flaw = ModelSoundness.flaw(in: schema) {
            let node = place(flaw.entity, property: flaw.property)
            add(.error, node: node, field: nil, message: sentence(flaw.reason), in: owner(of: node))
        }
    }

    /// The field that a validator's message is about: empty for none, nil for what is checked here in more
    /// detail.
    private static func field(of message: String) -> String? {
        let fields: [(String, String?)] = [
            ("has no inverse", "inverseName"), ("the inverse ", "inverseName"), ("same name", "name"),
            ("no name for", "name"), ("fetched property names", "destinationEntity"),
            ("fetch request template \"", nil), ("member of the same name", "name"),
            ("inherits from itself", nil),
            ("superentity", "parentEntity"), ("destination entity", "destinationEntity"),
            ("default value", "defaultValue"), ("undefined type", "attributeType"),
            ("value transformer", "valueTransformerName"),
            ("stored externally", "allowsExternalBinaryDataStorage"),
            ("can't be ordered", "ordered"), ("count is above", "minCount"),
            ("derivation expression", "derivationExpression"),
            ("can't be transient", "transient"), ("uniqueness constraint", "constraints"),
            ("renaming identifier", "elementID"), ("has no predicate", "predicateString"),
        ]
        return fields.first { message.contains($0.0) }.map(\.1) ?? ""
    }

    private func place(_ entity: String?, property: String?) -> ModelNode {
        guard let entity, let owner = family.entity(entity) else {
            return root.children.first { $0.title == property } ?? root
        }
        let name = property?.split(separator: ".").first.map(String.init)
        return owner.properties.first { $0.title == name } ?? owner
    }

    private func owner(of node: ModelNode) -> ModelNode? {
        ModelNode.propertyKinds.contains(node.name) ? root.parent(of: node.id) : nil
    }

    private func sentence(_ text: String) -> String {
        text.prefix(1).uppercased() + text.dropFirst() + (text.hasSuffix(".") ? "" : ".")
    }
}
