// Writes a model into the document that it was read from: what the model has no place for stays as it was.

import CoreDataSupport

/// Three documents of one model: as it was read, what the writer makes of what was read, and what it makes of the model
/// now. Only what differs between the last two is changed in the first.
enum SourceMerge {
    static func merged(_ original: XMLTree, before: XMLTree, after: XMLTree) -> XMLTree {
        var root = element(original, before: before, after: after)
        // The places of entities in Xcode's old diagrams.
        let names = Set(after.children.compactMap { $0["name"] })
        let gone = Set(before.children.compactMap { $0["name"] }).subtracting(names)
        for index in root.children.indices where root.children[index].name == "elements" {
            root.children[index].children.removeAll { gone.contains($0["name"] ?? "") }
        }
        return root
    }

    private static func element(_ original: XMLTree, before: XMLTree, after: XMLTree) -> XMLTree {
        var result = XMLTree(original.name, attributes: attributes(original, before: before, after: after))
        result.text = text(of: original)
        let (old, new) = (keyed(before), keyed(after))
        let (before, after) = (lookUp(old), lookUp(new))
        var kept: [(Key, XMLTree)] = []
        for (key, child) in keyed(original) {
            if let now = after[key] {
                kept.append((key, before[key].map { element(child, before: $0, after: now) } ?? now))
            } else if before[key] == nil {
                kept.append((key, cleaned(child)))
            }
        }
        // A new element stands behind the one that precedes it in the writer's document.
        let present = Set(kept.map(\.0))
        var additions: [Key?: [XMLTree]] = [:]
        var last: Key?
        for (key, child) in new {
            if present.contains(key) {
                last = key
            } else if before[key] != child {
                additions[last, default: []].append(child)
            }
        }
        result.children = additions[nil] ?? []
        for (key, child) in kept { result.children += [child] + (additions[key] ?? []) }
        return result
    }

    private static func attributes(
        _ original: XMLTree, before: XMLTree, after: XMLTree
    ) -> [XMLTree.Attribute] {
        var result: [XMLTree.Attribute] = []
        for attribute in original.attributes {
            let now = after[attribute.name]
            if now == before[attribute.name] {
                result.append(attribute)
            } else if let now {
                result.append(.init(attribute.name, value: now))
            }
        }
        result += after.attributes.filter { original[$0.name] == nil && before[$0.name] != $0.value }
        return result
    }

    // MARK: Elements

    /// By what an element is found again: its kind, its name, and its place among those of the same.
    private struct Key: Hashable {
        var kind: String
        var name: String?
        var occurrence = 0
    }

    private static func keyed(_ element: XMLTree) -> [(Key, XMLTree)] {
        var counts: [Key: Int] = [:]
        return element.children.map { child in
            let name = child["name"] ?? child["key"] ?? child["value"] ?? child["property"]
            var key = Key(kind: child.name, name: name)
            let count = counts[key] ?? 0
            counts[key] = count + 1
            key.occurrence = count
            return (key, child)
        }
    }

    private static func lookUp(_ children: [(Key, XMLTree)]) -> [Key: XMLTree] {
        Dictionary(children, uniquingKeysWith: { first, _ in first })
    }

    /// Without the line breaks between elements, which the writer makes itself.
    private static func text(of element: XMLTree) -> String {
        element.text.allSatisfy(\.isWhitespace) ? "" : element.text
    }

    static func cleaned(_ element: XMLTree) -> XMLTree {
        XMLTree(
            element.name, attributes: element.attributes, children: element.children.map(cleaned),
            text: element.children.isEmpty ? element.text : text(of: element))
    }
}
