// Renaming: what refers to an element by its name is renamed with it, key paths in texts included.

extension ModelEditor {
    mutating func rename(_ id: Int, name: String, keepsIdentity: Bool) throws {
        let node = try required(id)
        let old = node.title
        guard name != old else { return }
        guard let parent = root.parent(of: id), node["name"] != nil else {
            throw ModelEditFailure("\(words(node)) has no name.")
        }
        try checkName(name, kind: node.name, in: parent.id, except: id)
        let family = ModelFamily(root)
        change("renaming of \(words(node))") { root, _ in
            root.update(parent.id) { holder in
                holder.renameChild(id) { element in
                    element["name"] = name
                    if keepsIdentity, element["elementID"] == nil { element["elementID"] = old }
                    if element["elementID"] == name { element["elementID"] = nil }
                }
            }
            switch node.name {
            case "entity": root.renameEntity(old, name: name)
            case "composite":
                root.updateAll { if $0["composite"] == old { $0["composite"] = name } }
            case "attribute" where parent.name == "composite":
                KeyPathRenaming(
                    old: old, name: name, owner: .composite(parent.title), family: family
                ).apply(to: &root)
            case _ where parent.name == "entity" && ModelNode.propertyKinds.contains(node.name):
                root.renameProperty(old, name: name, of: parent.title, family: family)
                KeyPathRenaming(old: old, name: name, owner: .entity(parent.title), family: family)
                    .apply(to: &root)
            default: break
            }
            return []
        }
    }
}

extension ModelNode {
    /// Renames what refers to an entity. Its class goes with it where it is generated.
    fileprivate mutating func renameEntity(_ old: String, name: String) {
        updateAll { node in
            for attribute in ["parentEntity", "destinationEntity", "inverseEntity"]
            where node[attribute] == old {
                node[attribute] = name
            }
            switch node.name {
            case "fetchRequest": if node["entity"] == old { node["entity"] = name }
            case "memberEntity", "element": if node["name"] == old { node["name"] = name }
            case "entity":
                let isGenerated = !(node["codeGenerationType"] ?? "").isEmpty
                if node.title == name, isGenerated, node.classParts.name == old {
                    node.setClass(name, module: node.classParts.module)
                }
            default: break
            }
        }
    }

    /// Renames what refers to a property of an entity, also by way of what inherits it.
    fileprivate mutating func renameProperty(
        _ old: String, name: String, of owner: String, family: ModelFamily
    ) {
        for place in children.indices where children[place].name == "entity" {
            let inherits = family.entity(children[place].title, isKindOf: owner)
            children[place].updateAll { node in
                switch node.name {
                case "relationship":
                    if node["inverseName"] == old,
                        family.entity(node["destinationEntity"] ?? "", isKindOf: owner)
                    {
                        node["inverseName"] = name
                    }
                case "constraint", "index": if inherits, node["value"] == old { node["value"] = name }
                case "fetchIndexElement": if inherits, node["property"] == old { node["property"] = name }
                default: break
                }
            }
        }
    }
}
