// Elements that come, go and are copied, and the lists that elements hold.

import CoreDataSupport

extension ModelEditor {
    /// The kinds of elements that each kind can hold.
    static let holders: [String: Set<String>] = [
        "model": ["entity", "fetchRequest", "configuration", "composite"],
        "entity": ["attribute", "relationship", "fetchedProperty", "fetchIndex"],
        "composite": ["attribute"], "fetchIndex": ["fetchIndexElement"],
    ]

    mutating func add(
        _ kind: String, parent: Int?, name: String?, values: [String: ModelValue]
    ) throws {
        let holder = try required(parent ?? root.id)
        guard Self.holders[holder.name]?.contains(kind) == true else {
            throw ModelEditFailure("\(words(holder)) can't hold an element of kind \"\(kind)\".")
        }
        guard root.count < Self.elementLimit else { throw ModelEditFailure("The model is too large.") }
        let title = try name ?? freeName(Self.beginning(of: kind), kind: kind, in: holder.id)
        if kind != "fetchIndexElement" { try checkName(title, kind: kind, in: holder.id, except: nil) }
        let node = fresh(kind, name: title)
        change("new \(Self.words(kind)) \(title)") { root, _ in
            root.update(holder.id) { $0.insert(node) }
            return [node.id]
        }
        let done = label
        for (key, value) in values.sorted(by: { $0.key < $1.key }) {
            try apply(.set(ids: [node.id], field: key, value: value))
        }
        change(done) { _, _ in [] }
    }

    /// A new element as Xcode makes it.
    private mutating func fresh(_ kind: String, name: String) -> ModelNode {
        var node = ModelNode(
            id: 0, name: kind, attributes: kind == "fetchIndexElement" ? [] : [.init("name", value: name)])
        switch kind {
        case "entity":
            (node["representedClassName"], node["syncable"]) = (name, "YES")
            node["codeGenerationType"] = "class"
        case "attribute": (node["optional"], node["attributeType"]) = ("YES", "String")
        case "relationship":
            (node["optional"], node["maxCount"], node["deletionRule"]) = ("YES", "1", "Nullify")
        case "fetchedProperty":
            node["optional"] = "YES"
            let name = "fetchedPropertyFetchRequest"
            let request = ModelNode(
                id: 0, name: "fetchRequest",
                attributes: [.init("name", value: name), .init("entity", value: "")])
            node.children = [request]
        case "fetchRequest": node["entity"] = root.children("entity").first?.title ?? ""
        case "fetchIndexElement": (node["type"], node["order"]) = ("Binary", "ascending")
        default: break
        }
        return renumbered(node)
    }

    mutating func remove(_ ids: [Int]) throws {
        let nodes = try ids.map { try required($0) }
        guard !ids.contains(root.id) else { throw ModelEditFailure("The model itself can't be removed.") }
        for node in nodes where node.name == "relationship" { try setInverse(of: node.id, to: nil) }
        let entities = Set(nodes.filter { $0.name == "entity" }.map(\.title))
        change(nodes.count == 1 ? "removal of \(words(nodes[0]))" : "removal of \(nodes.count)") { root, _ in
            root.remove(Set(ids))
            root.removeReferences(to: entities)
            return []
        }
    }

    mutating func duplicate(_ ids: [Int]) throws {
        for id in ids {
            let node = try required(id)
            guard let parent = root.parent(of: id), node["name"] != nil else {
                throw ModelEditFailure("\(words(node)) can't be duplicated.")
            }
            guard root.count < Self.elementLimit else { throw ModelEditFailure("The model is too large.") }
            let name = try freeName(node.title + "Copy", kind: node.name, in: parent.id)
            var copy = renumbered(node)
            copy["name"] = name
            copy["elementID"] = nil
            // An inverse has one partner: the original.
            copy.updateAll { ($0["inverseName"], $0["inverseEntity"]) = (nil, nil) }
            if node.name == "entity", copy.classParts.name == node.title {
                copy.setClass(name, module: copy.classParts.module)
            }
            change("copy of \(words(node))") { root, _ in
                root.update(parent.id) { $0.insert(copy) }
                return [copy.id]
            }
        }
    }

    // MARK: Lists

    mutating func setConstraints(_ id: Int, lists: [[String]]) throws {
        let node = try required(id)
        guard node.name == "entity" else {
            throw ModelEditFailure("Only entities have uniqueness constraints.")
        }
        let lists = lists.filter { !$0.isEmpty }
        change("constraints of \(node.title)") { root, numbers in
            let parts = lists.map { names in
                XMLTree(
                    "uniquenessConstraint",
                    children: names.map { XMLTree("constraint", attributes: [.init("value", value: $0)]) })
            }
            let list = ModelNode(XMLTree("uniquenessConstraints", children: parts), numbers: &numbers)
            root.update(id) { $0.replace("uniquenessConstraints", with: lists.isEmpty ? nil : list) }
            return []
        }
    }

    mutating func setUserInfo(_ ids: [Int], entries: [ModelCommand.Entry]) throws {
        guard Set(entries.map(\.key)).count == entries.count else {
            throw ModelEditFailure("Two entries of the user info have the same key.")
        }
        for id in ids {
            let node = try required(id)
            guard ModelNode.propertyKinds.contains(node.name) || node.name == "entity" else {
                throw ModelEditFailure("\(words(node)) can't have user info.")
            }
            change("user info of \(words(node))") { root, numbers in
                let parts = entries.map {
                    XMLTree(
                        "entry", attributes: [.init("key", value: $0.key), .init("value", value: $0.value)])
                }
                let list = ModelNode(XMLTree("userInfo", children: parts), numbers: &numbers)
                root.update(id) { $0.replace("userInfo", with: entries.isEmpty ? nil : list) }
                return []
            }
        }
    }

    mutating func setMembers(_ id: Int, names: [String]) throws {
        let node = try required(id)
        guard node.name == "configuration" else {
            throw ModelEditFailure("Only configurations have entities as members.")
        }
        let family = ModelFamily(root)
        guard let missing = names.first(where: { family.entity($0) == nil }) else {
            return change("entities of \(node.title)") { root, numbers in
                let kept = node.children.filter { names.contains($0.title) }
                let added = names.filter { name in !kept.contains { $0.title == name } }.map {
                    ModelNode(
                        XMLTree("memberEntity", attributes: [.init("name", value: $0)]), numbers: &numbers)
                }
                root.update(id) { $0.children = kept + added }
                return []
            }
        }
        throw ModelEditFailure("There is no entity \"\(missing)\".")
    }

    /// The diagram's places are in the model file, as Xcode up to version 13 keeps them.
    mutating func place(_ places: [ModelCommand.Place]) {
        change(places.count == 1 ? "place of \(places[0].name)" : "places in the diagram") { root, numbers in
            if root.child("elements") == nil {
                root.insert(ModelNode(XMLTree("elements"), numbers: &numbers))
            }
            guard let list = root.children.firstIndex(where: { $0.name == "elements" }) else { return [] }
            for place in places {
                let known = root.children[list].children.firstIndex { $0.title == place.name }
                if known == nil {
                    let element = XMLTree("element", attributes: [.init("name", value: place.name)])
                    root.children[list].insert(ModelNode(element, numbers: &numbers))
                }
                guard let number = root.children[list].children.firstIndex(where: { $0.title == place.name })
                else { continue }
                root.children[list].children[number]["positionX"] = "\(place.x)"
                root.children[list].children[number]["positionY"] = "\(place.y)"
                guard known == nil,
                    let entity = root.children("entity").first(where: { $0.title == place.name })
                else { continue }
                root.children[list].children[number]["width"] = "128"
                let lines = entity.properties.count
                root.children[list].children[number]["height"] = "\(44 + 15 * lines)"
            }
            return []
        }
    }

    // MARK: Names

    static func words(_ kind: String) -> String {
        [
            "fetchedProperty": "fetched property", "fetchRequest": "fetch request",
            "composite": "composite type", "fetchIndex": "index", "fetchIndexElement": "index element",
        ][kind] ?? kind
    }

    private static func beginning(of kind: String) -> String {
        [
            "entity": "Entity", "fetchRequest": "FetchRequest", "configuration": "Configuration",
            "composite": "Composite", "fetchIndex": "byProperty", "fetchIndexElement": "",
        ][kind] ?? kind
    }

    func freeName(_ beginning: String, kind: String, in holder: Int) throws -> String {
        let taken = Set(try siblings(of: kind, in: holder).map { $0.title.lowercased() })
        var (name, number) = (beginning, 1)
        while taken.contains(name.lowercased()) {
            number += 1
            name = "\(beginning)\(number)"
        }
        return name
    }

    /// The elements that share a space of names with one of a kind.
    private func siblings(of kind: String, in holder: Int) throws -> [ModelNode] {
        let parent = try required(holder)
        if parent.name == "entity", ModelNode.propertyKinds.contains(kind) {
            return ModelFamily(root).properties(of: parent.title)
        }
        return parent.children(kind)
    }

    func checkName(_ name: String, kind: String, in holder: Int, except id: Int?) throws {
        guard !name.isEmpty else { throw ModelEditFailure("A name is missing.") }
        guard name.utf8.count <= 1000 else { throw ModelEditFailure("The name is too long.") }
        if let scalar = XMLText.obstacle(in: name) {
            throw ModelEditFailure("A name can't contain U+\(String(scalar.value, radix: 16)).")
        }
        if try siblings(of: kind, in: holder).contains(where: { $0.title == name && $0.id != id }) {
            throw ModelEditFailure("There is \"\(name)\" already.")
        }
    }
}

extension ModelNode {
    /// The number of elements, this one among them.
    var count: Int { children.reduce(1) { $0 + $1.count } }

    mutating func replace(_ kind: String, with node: ModelNode?) {
        let place = children.firstIndex { $0.name == kind }
        children.removeAll { $0.name == kind }
        guard let node else { return }
        if let place {
            children.insert(node, at: min(place, children.count))
        } else {
            insert(node)
        }
    }

    /// Removes references to entities that are gone, from elements that can do without them.
    fileprivate mutating func removeReferences(to entities: Set<String>) {
        guard !entities.isEmpty else { return }
        updateAll { node in
            node.children.removeAll {
                ["memberEntity", "element"].contains($0.name) && entities.contains($0.title)
            }
            if node.name == "relationship", entities.contains(node["inverseEntity"] ?? "") {
                (node["inverseName"], node["inverseEntity"]) = (nil, nil)
            }
            if node.name == "entity", entities.contains(node["parentEntity"] ?? "") {
                node["parentEntity"] = nil
            }
        }
    }
}
