// A model with every kind of property whose changes can be undone, and graphs of it as plain values.

import CoreData
import CoreDataTestSupport
import Foundation

/// One entity that is related to itself in every way.
enum UndoModel {
    static func make() -> NSManagedObjectModel {
        let node = NSEntityDescription()
        node.name = "Node"
        node.managedObjectClassName = "CoreDataTests.Node"
        node.properties = [
            NSAttributeDescription("label", .stringAttributeType),
            NSAttributeDescription("number", .integer32AttributeType),
            NSAttributeDescription("height", .doubleAttributeType),
            NSAttributeDescription("price", .decimalAttributeType),
            NSAttributeDescription("tags", .transformableAttributeType),
            NSAttributeDescription("blob", .binaryDataAttributeType),
            NSAttributeDescription("scratch", .stringAttributeType),
        ]
        node.attributesByName["blob"]?.allowsExternalBinaryDataStorage = true
        node.attributesByName["scratch"]?.isTransient = true
        let place = NSCompositeAttributeDescription()
        place.name = "place"
        place.elements = [
            NSAttributeDescription("city", .stringAttributeType),
            NSAttributeDescription("floor", .integer16AttributeType),
        ]
        place.isOptional = true
        node.properties.append(place)
        NSRelationshipDescription.connect(
            node, "parts", .ordered, node, "whole", .one, rule: .cascadeDeleteRule)
        NSRelationshipDescription.connect(node, "members", .many, node, "group", .one)
        NSRelationshipDescription.connect(node, "partner", .one, node, "partnerOf", .one)
        NSRelationshipDescription.connect(node, "friends", .many, node, "friendOf", .many)
        NSRelationshipDescription.connect(node, "list", .ordered, node, "listedIn", .ordered)
        let peers = NSRelationshipDescription("peers", to: node, .many)
        peers.inverseRelationship = peers
        let loose = NSRelationshipDescription("loose", to: node, .many)
        node.properties += [peers, loose]
        let model = NSManagedObjectModel()
        model.entities = [node]
        return model
    }
}

/// Notes what undo did to it.
final class Node: NSManagedObject {
    var events: [NSSnapshotEventType] = []

    override func awake(fromSnapshotEvents flags: NSSnapshotEventType) {
        super.awake(fromSnapshotEvents: flags)
        events.append(flags)
    }

    var label: String { value(forKey: "label") as? String ?? "-" }
    var isThere: Bool { managedObjectContext != nil && !isDeleted }

    func labels(_ key: String) -> [String] {
        switch value(forKey: key) {
        case let set as NSOrderedSet: set.compactMap { ($0 as? Node)?.label }
        case let set as NSSet: set.compactMap { ($0 as? Node)?.label }.sorted()
        case let node as Node: [node.label]
        default: []
        }
    }

    /// Everything but the transient attribute, which neither a store nor a refresh keeps.
    var summary: String {
        let values = ["number", "height", "price"].map { key in
            "\(key)=\(value(forKey: key).map { "\($0)" } ?? "nil")"
        }
        let place = (value(forKey: "place") as? [String: Any])?.sorted { $0.key < $1.key }
        let tags = (value(forKey: "tags") as? [String])?.joined(separator: "+") ?? "nil"
        let blob = (value(forKey: "blob") as? Data).map { "\($0.count)/\($0.first ?? 0)" } ?? "nil"
        let related = Self.relationships.map { "\($0)=\(labels($0).joined(separator: ","))" }
        return
            (values + ["place=\(place.map { "\($0)" } ?? "nil")", "tags=\(tags)", "blob=\(blob)"] + related)
            .joined(separator: " ")
    }

    static let relationships = [
        "parts", "whole", "members", "group", "partner", "partnerOf", "friends", "friendOf", "list",
        "listedIn", "peers",
    ]
}

extension NSManagedObjectContext {
    func node(_ label: String) -> Node {
        let node = Node(context: self)
        node.setValue(label, forKey: "label")
        return node
    }

    /// All nodes by label, with what they hold and what they are related to.
    func graph() throws -> [String: String] {
        let nodes = try fetch(NSFetchRequest<Node>(entityName: "Node"))
        return Dictionary(nodes.map { ($0.label, $0.summary) }, uniquingKeysWith: { $0 + " twice " + $1 })
    }
}

/// Returns the differences between two graphs, for messages.
func difference(_ graph: [String: String], _ expected: [String: String]) -> [String] {
    Set(graph.keys).union(expected.keys).sorted().compactMap { label in
        graph[label] == expected[label]
            ? nil : "\(label): \(graph[label] ?? "missing") instead of \(expected[label] ?? "nothing")"
    }
}

/// A store with nodes, a context, and the undo manager of the context.
struct UndoStack {
    let container: StoreContainer
    let context: NSManagedObjectContext
    let manager = UndoManager()

    /// Without events: groups are opened and closed by hand.
    init(_ kind: StoreKind = .inMemory, _ model: NSManagedObjectModel = UndoModel.make()) throws {
        container = try kind.makeContainer(model)
        context = container.newBackgroundContext()
        manager.groupsByEvent = false
        context.undoManager = manager
    }

    func group(_ body: () throws -> Void) rethrows {
        manager.beginUndoGrouping()
        try body()
        manager.endUndoGrouping()
    }

    /// The graph as the store has it.
    func storedGraph() throws -> [String: String] {
        let context = container.newBackgroundContext()
        return try context.run { try context.graph() }
    }
}
