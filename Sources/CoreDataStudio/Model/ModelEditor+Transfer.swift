// Properties that are copied or moved from one entity to another.

import CoreDataSupport

extension ModelEditor {
    /// Copies elements into another one. Copies have a name that is free there, and no inverse, which has one partner.
    mutating func copy(_ ids: [Int], to holder: Int) throws {
        let target = try required(holder)
        for id in ids {
            let node = try required(id)
            try checkHolds(target, node: node)
            guard root.count < Self.elementLimit else { throw ModelEditFailure("The model is too large.") }
            let name = try freeName(node.title, kind: node.name, in: holder)
            var copy = renumbered(node)
            copy["name"] = name
            copy["elementID"] = nil
            copy.updateAll { ($0["inverseName"], $0["inverseEntity"]) = (nil, nil) }
            change("copy of \(words(node))") { root, _ in
                root.update(holder) { $0.insert(copy) }
                return [copy.id]
            }
        }
        relabel(ids, word: "copies", to: target)
    }

    /// Moves elements into another one, with their names and numbers. The inverse of a relationship leads to where it is then.
    mutating func move(_ ids: [Int], to holder: Int) throws {
        let target = try required(holder)
        for id in ids {
            let node = try required(id)
            try checkHolds(target, node: node)
            guard let old = root.parent(of: id), old.id != holder else { continue }
            try checkName(node.title, kind: node.name, in: holder, except: id)
            let partner = node["inverseName"].flatMap {
                ModelFamily(root).property($0, of: node["destinationEntity"] ?? "")
            }
            change("move of \(words(node))") { root, _ in
                root.remove([id])
                root.update(holder) { $0.insert(node) }
                return []
            }
            guard let partner, partner["inverseName"] == node.title, partner["inverseEntity"] == old.title
            else { continue }
            change("move of \(old.title).\(node.title)") { root, _ in
                root.update(partner.id) {
                    ($0["destinationEntity"], $0["inverseEntity"]) = (target.title, target.title)
                }
                return []
            }
        }
        relabel(ids, word: "move", to: target)
    }

    private func checkHolds(_ target: ModelNode, node: ModelNode) throws {
        let isProperty = ModelNode.propertyKinds.contains(node.name)
        guard isProperty, Self.holders[target.name]?.contains(node.name) == true else {
            throw ModelEditFailure("\(words(target)) can't hold \(words(node)).")
        }
    }

    private mutating func relabel(_ ids: [Int], word: String, to target: ModelNode) {
        guard ids.count > 1 else { return }
        change("\(word) of \(ids.count) properties to \(target.title)") { _, _ in [] }
    }
}
