// The places in which a model has key paths.

import CoreDataPredicate

extension KeyPathRenaming {
    /// Spells the key paths of the whole model anew.
    func apply(to root: inout ModelNode) {
        for place in root.children.indices {
            let child = root.children[place]
            switch child.name {
            case "entity": apply(toEntity: &root.children[place])
            case "fetchRequest":
                let start = Start(object: child["entity"].map { .entity($0) })
                spell("predicateString", node: &root.children[place]) { predicate($0, start: start) }
            default: break
            }
        }
    }

    private func apply(toEntity entity: inout ModelNode) {
        let start = Start(object: .entity(entity.title))
        let title = entity.title
        spell("coreSpotlightDisplayNameExpression", node: &entity) { expression($0, start: start) }
        spellUserInfo(of: &entity, start)
        for place in entity.children.indices {
            switch entity.children[place].name {
            case "attribute": spellDerivation(of: &entity.children[place], start)
            case "relationship":
                let destination = entity.children[place]["destinationEntity"]
                spellUserInfo(of: &entity.children[place], Start(object: destination.map { .entity($0) }))
            case "fetchedProperty": spellRequest(of: &entity.children[place], from: title)
            case "fetchIndex":
                spell("partialIndexPredicate", node: &entity.children[place]) { predicate($0, start: start) }
                for element in entity.children[place].children.indices {
                    spell("expression", node: &entity.children[place].children[element]) {
                        expression($0, start: start)
                    }
                }
            default: break
            }
        }
    }

    private func spell(_ attribute: String, node: inout ModelNode, body: (String) -> String?) {
        if let text = node[attribute], let changed = body(text) { node[attribute] = changed }
    }

    private func spellRequest(of property: inout ModelNode, from owner: String) {
        for place in property.children.indices where property.children[place].name == "fetchRequest" {
            let entity = property.children[place]["entity"]
            let start = Start(
                object: entity.map { .entity($0) }, variables: ["FETCH_SOURCE": .entity(owner)])
            spell("predicateString", node: &property.children[place]) { predicate($0, start: start) }
        }
    }

    /// A derivation's filter is about the objects that are counted.
    private func spellDerivation(of attribute: inout ModelNode, _ start: Start) {
        var counted: Owner?
        if let text = attribute["derivationExpression"], let tree = try? PredicateParser.expression(text) {
            _ = tree.rewriting { (part, _) throws(Never) -> ExpressionTree? in
                guard case .keyPath(.evaluatedObject, let path) = part else { return nil }
                let way = path.split(separator: ".").prefix { !$0.hasPrefix("@") }.joined(separator: ".")
                counted = counted ?? self.path(way, from: start.object).end
                return part
            }
        }
        spell("derivationExpression", node: &attribute) { expression($0, start: start) }
        spell("filteringPredicate", node: &attribute) { predicate($0, start: Start(object: counted)) }
    }

    /// The studio's own keys: what objects are called by, the columns and the order of rows.
    private func spellUserInfo(of node: inout ModelNode, _ start: Start) {
        let keys: Set = ["studio.title", "studio.columns", "studio.sort"]
        for list in node.children.indices where node.children[list].name == "userInfo" {
            for entry in node.children[list].children.indices
            where keys.contains(node.children[list].children[entry]["key"] ?? "") {
                spell("value", node: &node.children[list].children[entry]) { self.list($0, start: start) }
            }
        }
    }
}
