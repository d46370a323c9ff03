// Carries out edits on a model's XML.

import CoreDataSupport

/// A model under edit. An edit that throws may be half done: throw the value away.
package struct ModelEditor {
    package private(set) var root: ModelNode
    package private(set) var numbers: ModelNumbers
    /// The numbers of what the edits made.
    package private(set) var made: [Int] = []
    /// The last edit's name, for the undo button.
    package private(set) var label = ""

    static let elementLimit = 20_000

    package init(_ root: ModelNode, numbers: ModelNumbers) {
        self.root = root
        self.numbers = numbers
    }

    package mutating func apply(_ command: ModelCommand) throws {
        switch command {
        case .set(let ids, let field, let value): try set(ids, key: field, value: value)
        case .add(let kind, let parent, let name, let values):
            try add(kind, parent: parent, name: name, values: values)
        case .remove(let ids): try remove(ids)
        case .rename(let id, let name, let keeps): try rename(id, name: name, keepsIdentity: keeps ?? false)
        case .duplicate(let ids): try duplicate(ids)
        case .copy(let ids, let holder): try copy(ids, to: holder)
        case .move(let ids, let holder): try move(ids, to: holder)
        case .relate(let relation): try relate(relation)
        case .place(let places): place(places)
        case .constraints(let id, let lists): try setConstraints(id, lists: lists)
        case .userInfo(let ids, let entries): try setUserInfo(ids, entries: entries)
        case .members(let id, let names): try setMembers(id, names: names)
        }
    }

    // MARK: Fields

    private mutating func set(_ ids: [Int], key: String, value: ModelValue) throws {
        for id in ids {
            let node = try required(id)
            guard let field = ModelField.field(key, of: node.name) else {
                throw ModelEditFailure("\(words(node)) has no field \"\(key)\".")
            }
            guard ids.count == 1 || field.isShared else {
                throw ModelEditFailure("\(field.label) can't be the same for several.")
            }
            if key == "name" {
                try rename(id, name: value.text ?? "", keepsIdentity: false)
            } else {
                try check(value, field: field)
                try write(value, field: field, to: id)
            }
            label = ids.count == 1 ? "\(field.label) of \(words(node))" : "\(field.label) of \(ids.count)"
        }
    }

    private func check(_ value: ModelValue, field: ModelField) throws {
        guard case .text(let text) = value else { return }
        guard text.utf8.count <= 100_000 else { throw ModelEditFailure("The text is too long.") }
        if field.kind == .choice, !field.choices.contains(where: { $0.value == text }) {
            throw ModelEditFailure("\(field.label) can't be \"\(text)\".")
        }
        if field.kind == .number, !text.isEmpty, Int32(text).map({ $0 >= 0 }) != true {
            throw ModelEditFailure("\(field.label) must be a whole number from 0 on.")
        }
    }

    private mutating func write(_ value: ModelValue, field: ModelField, to id: Int) throws {
        switch field.storage {
        case .inverse: try setInverse(of: id, to: value.text)
        case .destination: try setDestination(of: id, to: value.text)
        default: root.update(id) { field.set(value, in: &$0) }
        }
        if field.key == "toMany" || field.key == "maxCount" { orderOnlyToMany(id) }
    }

    private mutating func orderOnlyToMany(_ id: Int) {
        root.update(id) { if !$0.isToMany, $0["ordered"] != nil { $0["ordered"] = nil } }
    }

    // MARK: Relationships

    private mutating func setDestination(of id: Int, to name: String?) throws {
        try setInverse(of: id, to: nil)
        root.update(id) { $0["destinationEntity"] = name }
    }

    /// Sets both sides; a former partner of either loses its inverse.
    mutating func setInverse(of id: Int, to name: String?) throws {
        let node = try required(id)
        guard let owner = root.parent(of: id)?.title else { return }
        let family = ModelFamily(root)
        let destination = node["destinationEntity"] ?? ""
        if let old = node["inverseName"], let partner = family.property(old, of: destination) {
            release(partner, from: node.title)
        }
        guard let name else {
            root.update(id) { ($0["inverseName"], $0["inverseEntity"]) = (nil, nil) }
            return
        }
        guard let partner = family.property(name, of: destination), partner.name == "relationship" else {
            throw ModelEditFailure("\(destination) has no relationship \"\(name)\".")
        }
        // Another destination would change the relationship's meaning, and the database, unasked.
        let back = partner["destinationEntity"] ?? ""
        guard back.isEmpty || family.entity(owner, isKindOf: back) else {
            throw ModelEditFailure(
                "\(destination).\(name) leads to \(back): it can't be the inverse of \(owner).\(node.title).")
        }
        if let old = partner["inverseName"], let entity = partner["destinationEntity"],
            let former = family.property(old, of: entity), former.id != id
        {
            release(former, from: partner.title)
        }
        root.update(id) { ($0["inverseName"], $0["inverseEntity"]) = (name, destination) }
        root.update(partner.id) { other in
            if back.isEmpty { other["destinationEntity"] = owner }
            other["inverseName"] = node.title
            other["inverseEntity"] = other["destinationEntity"]
        }
    }

    private mutating func release(_ node: ModelNode, from name: String) {
        guard node["inverseName"] == name else { return }
        root.update(node.id) { ($0["inverseName"], $0["inverseEntity"]) = (nil, nil) }
    }

    private mutating func relate(_ relation: ModelCommand.Relation) throws {
        let (from, to) = (try required(relation.from), try required(relation.to))
        guard from.name == "entity", to.name == "entity" else {
            throw ModelEditFailure("A relationship leads from an entity to an entity.")
        }
        let first = try addRelationship(relation.name, from: from, to: to, isToMany: relation.toMany)
        guard let inverse = relation.inverse, !inverse.isEmpty else {
            label = "relationship \(from.title).\(relation.name)"
            return
        }
        if from.id == to.id, inverse == relation.name {
            try setInverse(of: first, to: inverse)
        } else {
            try addRelationship(inverse, from: to, to: from, isToMany: relation.inverseToMany ?? false)
            try setInverse(of: first, to: inverse)
        }
        label = "relationships \(from.title).\(relation.name) and \(to.title).\(inverse)"
    }

    @discardableResult
    private mutating func addRelationship(
        _ name: String, from: ModelNode, to: ModelNode, isToMany: Bool
    ) throws -> Int {
        try checkName(name, kind: "relationship", in: from.id, except: nil)
        var node = ModelNode(
            id: numbers.take(), name: "relationship",
            attributes: [
                .init("name", value: name), .init("optional", value: "YES"), .init("maxCount", value: "1"),
                .init("deletionRule", value: "Nullify"), .init("destinationEntity", value: to.title),
            ])
        node.setToMany(isToMany)
        root.update(from.id) { $0.insert(node) }
        made.append(node.id)
        return node.id
    }
}

// The parts that the other files of this type use.
extension ModelEditor {
    func required(_ id: Int) throws -> ModelNode {
        guard let node = root.node(id) else {
            throw ModelEditFailure("The element isn't in the model any more.")
        }
        return node
    }

    /// Returns the element's name in messages.
    func words(_ node: ModelNode) -> String {
        guard let parent = root.parent(of: node.id),
            ["entity", "composite", "fetchIndex"].contains(parent.name)
        else { return node.title.isEmpty ? "the model" : node.title }
        return "\(parent.title).\(node.title)"
    }

    /// The same with numbers of its own.
    mutating func renumbered(_ node: ModelNode) -> ModelNode { node.renumbered(&numbers) }

    mutating func change(_ label: String, body: (inout ModelNode, inout ModelNumbers) throws -> [Int])
        rethrows
    {
        made += try body(&root, &numbers)
        self.label = label
    }
}
