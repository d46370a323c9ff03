// An atomic store in a JSON file, as a client would write it.

import CoreData
import Foundation

final class JSONStore: NSAtomicStore, @unchecked Sendable {  // only the coordinator calls it
    static let type = "JSONStore"

    static func register() {
        NSPersistentStoreCoordinator.registerStoreClass(JSONStore.self, forStoreType: type)
    }

    /// Makes the next save fail.
    var refusesToSave = false
    private(set) var removed = 0

    override var type: String { Self.type }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        (try read(url))["metadata"] as? [String: Any] ?? [:]
    }

    private static func read(_ url: URL) throws -> [String: Any] {
        try JSONSerialization.jsonObject(with: Data(contentsOf: url)) as? [String: Any] ?? [:]
    }

    override func load() throws {
        guard let url, FileManager.default.fileExists(atPath: url.path) else { return }
        let content = try Self.read(url)
        if let known = content["metadata"] as? [String: Any] {
            metadata = (metadata ?? [:]).merging(known) { $1 }
        }
        let objects = content["objects"] as? [[String: Any]] ?? []
        guard let model = persistentStoreCoordinator?.managedObjectModel else { return }
        var nodes: [String: NSAtomicStoreCacheNode] = [:]
        for object in objects {
            guard let name = object["entity"] as? String, let entity = model.entitiesByName[name],
                let reference = object["id"] as? String
            else { throw CocoaError(.fileReadCorruptFile) }
            nodes[reference] = NSAtomicStoreCacheNode(
                objectID: objectID(for: entity, withReferenceObject: reference))
        }
        for object in objects {
            guard let reference = object["id"] as? String, let node = nodes[reference] else { continue }
            let values = object["values"] as? [String: Any] ?? [:]
            for (key, value) in values { node.setValue(decoded(value, key, node, nodes), forKey: key) }
        }
        addCacheNodes(Set(nodes.values))
    }

    private func decoded(
        _ value: Any, _ key: String, _ node: NSAtomicStoreCacheNode, _ nodes: [String: NSAtomicStoreCacheNode]
    ) -> Any? {
        let entity = node.objectID.entity
        if let relationship = entity.relationshipsByName[key] {
            guard let references = value as? [String] else { return (value as? String).flatMap { nodes[$0] } }
            let targets = references.compactMap { nodes[$0] }
            return relationship.isOrdered ? NSOrderedSet(array: targets) : NSSet(array: targets)
        }
        let text = value as? String ?? ""
        switch entity.attributesByName[key]?.attributeType {
        case .dateAttributeType?:
            return (value as? NSNumber).map { Date(timeIntervalSinceReferenceDate: $0.doubleValue) }
        case .decimalAttributeType?: return Decimal(string: text)
        case .UUIDAttributeType?: return UUID(uuidString: text)
        case .URIAttributeType?: return URL(string: text)
        case .binaryDataAttributeType?: return Data(base64Encoded: text)
        default: return value
        }
    }

    override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        removed += cacheNodes.count
    }

    override func save() throws {
        if refusesToSave { throw CocoaError(.fileWriteOutOfSpace) }
        let objects: [[String: Any]] = cacheNodes().map { node in
            var values: [String: Any] = [:]
            for (name, property) in node.objectID.entity.propertiesByName {
                if let value = node.value(forKey: name) { values[name] = encoded(value, property) }
            }
            return ["entity": node.objectID.entity.name ?? "", "id": reference(node), "values": values]
        }
        let plain = (metadata ?? [:]).filter { $0.value is String }
        guard let url else { throw CocoaError(.fileNoSuchFile) }
        try JSONSerialization.data(withJSONObject: ["metadata": plain, "objects": objects]).write(to: url)
    }

    private func reference(_ node: NSAtomicStoreCacheNode) -> String {
        referenceObject(for: node.objectID) as? String ?? ""
    }

    private func encoded(_ value: Any, _ property: NSPropertyDescription) -> Any {
        switch value {
        case let node as NSAtomicStoreCacheNode: reference(node)
        case let nodes as NSOrderedSet:
            nodes.array.compactMap { ($0 as? NSAtomicStoreCacheNode).map(reference) }
        case let nodes as NSSet:
            nodes.allObjects.compactMap { ($0 as? NSAtomicStoreCacheNode).map(reference) }
        case let date as Date: date.timeIntervalSinceReferenceDate
        case let number as NSDecimalNumber: number.stringValue
        case let uuid as UUID: uuid.uuidString
        case let url as URL: url.absoluteString
        case let data as Data: data.base64EncodedString()
        default: value
        }
    }
}
