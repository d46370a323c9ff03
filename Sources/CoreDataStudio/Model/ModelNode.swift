// A source model's XML as an editor needs it: elements that keep their identity while they are edited.

package import CoreDataSupport

/// An element of a source model. Contents that no inspector knows stay as they are.
package struct ModelNode: Sendable, Hashable {
    /// Stays the same over edits, undo and redo; unique in the document.
    package let id: Int
    package var name: String
    /// In the file's order.
    package var attributes: [XMLTree.Attribute]
    package var children: [ModelNode]
    package var text: String

    package init(
        id: Int, name: String, attributes: [XMLTree.Attribute] = [], children: [ModelNode] = [],
        text: String = ""
    ) {
        self.id = id
        self.name = name
        self.attributes = attributes
        self.children = children
        self.text = text
    }

    /// Takes over an element, numbering it and everything in it. The reader bounds how deep that goes.
    package init(_ tree: XMLTree, numbers: inout ModelNumbers) {
        self.init(id: numbers.take(), name: tree.name, attributes: tree.attributes, text: tree.text)
        children = tree.children.map { ModelNode($0, numbers: &numbers) }
        // Blanks and ends of lines lay a file out and say nothing.
        if text.allSatisfy(\.isWhitespace) { text = "" }
    }

    package var tree: XMLTree {
        XMLTree(name, attributes: attributes, children: children.map(\.tree), text: text)
    }

    /// An attribute's value. One that is new goes where Xcode puts it, nil takes it away.
    package subscript(attribute: String) -> String? {
        get { attributes.first { $0.name == attribute }?.value }
        set {
            let place = attributes.firstIndex { $0.name == attribute }
            switch (place, newValue) {
            case (let place?, let value?): attributes[place] = .init(attribute, value: value)
            case (let place?, nil): attributes.remove(at: place)
            case (nil, let value?):
                let rank = ModelSpelling.rank(of: attribute, in: name)
                let next = attributes.firstIndex {
                    // Unknown attributes give no order.
                    let other = ModelSpelling.rank(of: $0.name, in: name)
                    return other > rank && other != Int.max
                }
                attributes.insert(.init(attribute, value: value), at: next ?? attributes.count)
            case (nil, nil): break
            }
        }
    }

    /// The element's own name, as opposed to that of its kind; empty where it has none.
    package var title: String { self["name"] ?? "" }

    /// Returns whether an attribute is true, in any of the spellings that are found in models.
    package func flag(_ attribute: String, absent: Bool = false) -> Bool {
        self[attribute].map { ["yes", "true", "1"].contains($0.lowercased()) } ?? absent
    }

    package func children(_ kind: String) -> [ModelNode] { children.filter { $0.name == kind } }

    package func child(_ kind: String) -> ModelNode? { children.first { $0.name == kind } }
}

/// Gives out the numbers of nodes.
package struct ModelNumbers: Sendable {
    private var next = 1

    package init() {}

    package mutating func take() -> Int {
        defer { next += 1 }
        return next
    }
}

extension ModelNode {
    /// The node of that number, here or below.
    package func node(_ id: Int) -> ModelNode? {
        if self.id == id { return self }
        for child in children {
            if let found = child.node(id) { return found }
        }
        return nil
    }

    package func parent(of id: Int) -> ModelNode? {
        if children.contains(where: { $0.id == id }) { return self }
        for child in children {
            if let found = child.parent(of: id) { return found }
        }
        return nil
    }

    /// Changes the node of that number. Says whether there is one.
    @discardableResult
    package mutating func update(_ id: Int, body: (inout ModelNode) -> Void) -> Bool {
        if self.id == id {
            body(&self)
            return true
        }
        // Looked for first, so that undo's drafts go on sharing what isn't on the way.
        guard let position = children.firstIndex(where: { $0.node(id) != nil }) else { return false }
        return children[position].update(id, body: body)
    }

    /// Changes every node here and below.
    package mutating func updateAll(_ body: (inout ModelNode) -> Void) {
        body(&self)
        for position in children.indices { children[position].updateAll(body) }
    }

    package mutating func remove(_ ids: Set<Int>) {
        children.removeAll { ids.contains($0.id) }
        for position in children.indices { children[position].remove(ids) }
    }

    /// Adds a child behind those of its kind, or among them where they are in the order of their names.
    package mutating func insert(_ node: ModelNode) {
        let rank = ModelSpelling.rank(ofChild: node.name, in: name)
        let same = children.indices.filter { children[$0].name == node.name }
        let titles = same.map { children[$0].title }
        if node.name != "fetchIndexElement", !titles.isEmpty, titles == titles.sorted(),
            let place = same.first(where: { children[$0].title > node.title })
        {
            return children.insert(node, at: place)
        }
        if let last = same.last { return children.insert(node, at: last + 1) }
        let next = children.firstIndex { ModelSpelling.rank(ofChild: $0.name, in: name) > rank }
        children.insert(node, at: next ?? children.count)
    }

    /// Changes a child and, where those of its kind are in the order of their names, puts it in its place among them.
    package mutating func renameChild(_ id: Int, body: (inout ModelNode) -> Void) {
        guard let place = children.firstIndex(where: { $0.id == id }) else { return }
        let titles = children(children[place].name).map(\.title)
        body(&children[place])
        if titles.count > 1, titles == titles.sorted() { insert(children.remove(at: place)) }
    }

    /// The same with other numbers.
    func renumbered(_ numbers: inout ModelNumbers) -> ModelNode { ModelNode(tree, numbers: &numbers) }
}

/// The order of attributes and elements in the files that Xcode writes.
package enum ModelSpelling {
    private static let attributes: [String: [String]] = [
        "model": [
            "name", "type", "documentVersion", "lastSavedToolsVersion", "systemVersion",
            "minimumToolsVersion",
            "sourceLanguage", "usedWithCloudKit", "usedWithSwiftData", "userDefinedModelVersionIdentifier",
        ],
        "entity": [
            "name", "representedClassName", "isAbstract", "parentEntity", "elementID", "versionHashModifier",
            "syncable", "codeGenerationType", "coreSpotlightDisplayNameExpression",
        ],
        "attribute": [
            "name", "optional", "transient", "attributeType", "composite", "allowsExternalBinaryDataStorage",
            "valueTransformerName", "minDateTimeInterval", "maxDateTimeInterval", "minValueString",
            "maxValueString", "defaultDateTimeInterval", "defaultValueString", "regularExpressionString",
            "customClassName", "derived", "derivationExpression", "filteringPredicate", "usesScalarValueType",
            "indexed",
            "spotlightIndexingEnabled", "storedInTruthFile", "preserveAfterDeletion", "allowsCloudEncryption",
            "versionHashModifier", "elementID", "syncable",
        ],
        "relationship": [
            "name", "optional", "transient", "toMany", "minCount", "maxCount", "deletionRule", "ordered",
            "destinationEntity", "inverseName", "inverseEntity", "indexed", "spotlightIndexingEnabled",
            "storedInTruthFile", "versionHashModifier", "elementID", "syncable",
        ],
        "fetchRequest": [
            "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "resultType",
            "includeSubentities", "includePropertyValues", "includePendingChanges", "returnObjectsAsFaults",
            "returnDistinctResults",
        ],
        "fetchedProperty": ["name", "optional", "transient", "versionHashModifier", "elementID", "syncable"],
        "fetchIndex": ["name", "partialIndexPredicate"],
        "fetchIndexElement": ["property", "name", "expression", "expressionType", "type", "order"],
        "element": ["name", "positionX", "positionY", "width", "height"],
        "configuration": ["name", "usedWithCloudKit"],
    ]

    private static let children: [String: [String]] = [
        "model": ["entity", "fetchRequest", "configuration", "composite", "elements"],
        "entity": [
            "attribute", "relationship", "fetchedProperty", "fetchIndex", "compoundIndexes",
            "uniquenessConstraints", "userInfo",
        ],
        "fetchedProperty": ["fetchRequest", "userInfo"],
    ]

    static func rank(of attribute: String, in kind: String) -> Int {
        attributes[kind]?.firstIndex(of: attribute) ?? Int.max
    }

    static func rank(ofChild child: String, in kind: String) -> Int {
        children[kind]?.firstIndex(of: child) ?? Int.max
    }
}
