// All versions of a model file as they are being edited.

import CoreDataSupport
import Foundation

/// The state of a document that undo goes back to.
package struct ModelDraft: Sendable, Hashable {
    package struct Version: Sendable, Hashable {
        package var name: String
        package var root: ModelNode
    }

    package var versions: [Version]
    /// The name of the current version, if something says it.
    package var current: String?

    package subscript(version name: String) -> ModelNode? {
        get { versions.first { $0.name == name }?.root }
        set {
            guard let place = versions.firstIndex(where: { $0.name == name }), let newValue else { return }
            versions[place].root = newValue
        }
    }
}

extension ModelDraft {
    /// The other version, the last by name before this one if there is one, that knows an element by its name.
    package func version(knowing id: Int, of version: String, _ root: ModelNode) -> String? {
        guard let node = root.node(id), let parent = root.parent(of: id) else { return nil }
        let kinds = ModelNode.propertyKinds.union(["entity"])
        guard kinds.contains(node.name), parent.name != "composite" else { return nil }
        let others = versions.filter { $0.name != version }
        let ordered = others.filter { $0.name < version }.reversed() + others.filter { $0.name > version }
        return ordered.first { other in
            if node.name == "entity" {
                return other.root.children("entity").contains { $0.title == node.title }
            }
            let names = [parent.title, parent["elementID"] ?? ""]
            return other.root.children("entity").contains { entity in
                names.contains(entity.title) && entity.properties.contains { $0.title == node.title }
            }
        }?.name
    }

    /// A renaming that leaves open whether the element keeps its identity, decided.
    func decided(_ command: ModelCommand, version: String, root: ModelNode) -> ModelCommand {
        guard case .rename(let id, let name, nil) = command else { return command }
        let isKnown = self.version(knowing: id, of: version, root) != nil
        return .rename(id: id, name: name, keepsIdentity: isKnown)
    }
}

/// The bytes of a version's file, and what writing it must keep.
struct ModelText: Sendable, Hashable {
    let data: Data
    let root: ModelNode
    /// Indicates whether writing the unchanged model gives the same bytes.
    let isReproducible: Bool

    init(_ data: Data, numbers: inout ModelNumbers) throws {
        let tree = try XMLTreeReader.read(data)
        guard tree.name == "model" else {
            throw ArchiveFailure("the root element is <\(tree.name)>, not <model>")
        }
        self.data = data
        root = ModelNode(tree, numbers: &numbers)
        isReproducible = try Self.bytes(of: root, like: data) == data
    }

    /// A model's file with the line ends of the old file, and ended by one if that was: Xcode leaves it out, other programs don't.
    static func bytes(of root: ModelNode, like old: Data?) throws -> Data {
        var data = try XMLTreeWriter.data(for: root.tree)
        let hasLineFeed = old?.last == UInt8(ascii: "\n")
        if !hasLineFeed, data.last == UInt8(ascii: "\n") { data.removeLast() }
        return LineEnds.restored(in: data, of: old)
    }
}
