// The contents of an atomic store: a client's nodes, and rows made of them that fetches are answered from.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// The nodes of an atomic store. The coordinator's lock guards it.
final class AtomicContents: MemoryRowSource {
    struct Key: Hashable {
        let root: Int
        let primaryKey: Int64

        init(_ objectID: NSManagedObjectID) {
            root = objectID.runtime.rootNumber
            primaryKey = objectID.primaryKey
        }
    }

    let rows: MemoryRows
    let references = ReferenceTable()
    private let store: Unowned
    private(set) var nodes: [Key: NSAtomicStoreCacheNode] = [:]
    /// Nodes whose values are not in the rows yet.
    private var unread: [NSAtomicStoreCacheNode] = []

    private struct Unowned { unowned let store: NSAtomicStore }

    init(_ store: NSAtomicStore, model: ModelRuntime) throws {
        self.store = Unowned(store: store)
        rows = try MemoryRows(model: model, host: store)
    }

    var all: Set<NSAtomicStoreCacheNode> { Set(nodes.values) }

    func node(_ objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? { nodes[Key(objectID)] }

    func add(_ added: Set<NSAtomicStoreCacheNode>) {
        for node in added where nodes.updateValue(node, forKey: Key(node.objectID)) !== node {
            unread.append(node)
        }
    }

    func objectID(_ description: NSEntityDescription, reference: Any) -> NSManagedObjectID {
        guard let entity = rows.model.managed.entity(for: description) else {
            raise(.invalidArgument, "entity \"\(description.name ?? "")\" is not in the store's model")
        }
        return NSManagedObjectID(
            entity, primaryKey: references.key(for: reference, entity), store: store.store)
    }

    func reference(_ objectID: NSManagedObjectID) -> Any {
        guard let known = references.reference(objectID.primaryKey, entity: objectID.runtime) else {
            raise(.invalidArgument, "\(objectID) has no reference object in this store")
        }
        return known
    }

    /// The rows of all nodes.
    func memory() throws -> MemoryRows {
        try read()
        return rows
    }

    // MARK: Saving

    /// Nodes of a save: their values are in the rows already.
    func set(_ node: NSAtomicStoreCacheNode, for objectID: NSManagedObjectID) {
        nodes[Key(objectID)] = node
    }

    func remove(_ removed: some Sequence<Key>) {
        for key in removed { nodes[key] = nil }
    }

    func restore(_ earlier: [Key: NSAtomicStoreCacheNode], state: MemoryRows.State) {
        nodes = earlier
        rows.state = state
    }

    // MARK: Loading

    /// Makes rows of the nodes that were added since. Throws for a value that doesn't fit its attribute.
    func read() throws {
        if unread.isEmpty { return }
        let fresh = try unread.map { (node: $0, row: try row($0)) }
        let known = Dictionary(fresh.map { (Key($0.node.objectID), $0.row) }, uniquingKeysWith: { $1 })
        for (node, row) in fresh { relate(node, row: row, known: known) }
        unread.removeAll()
        rows.add(fresh.map(\.row))
    }

    private func row(_ node: NSAtomicStoreCacheNode) throws -> StoredRow {
        let entity = node.objectID.runtime
        let words = OwnedRow.empty(entity.layout)
        let row = StoredRow(entity, primaryKey: node.objectID.primaryKey, owning: words)
        words[0] = 1
        for property in entity.properties where !property.schema.isTransient {
            switch property.kind {
            case .attribute(let slot): try set(node.value(forKey: property.name), slot: slot, row: row)
            case .composite(let slots):
                for slot in slots {
                    var value = node.value(forKey: property.name)
                    for key in slot.name.split(separator: ".").dropFirst() {
                        value = (value as? NSDictionary)?[String(key)]
                    }
                    try set(value, slot: slot, row: row)
                }
            default: break
            }
        }
        return row
    }

    private func set(_ value: Any?, slot: Slot, row: StoredRow) throws {
        guard let value, !(value is NSNull) else { return }
        if SlotValue.store(any: value, slot, in: row.pointer.words) { return }
        throw CoreDataError.make(
            NSFileReadCorruptFileError, description: "The persistent store could not be read.",
            file: store.store.url,
            entity: row.entity.name, property: slot.name,
            reason: "\(row.entity.name).\(slot.name) can't be a \(type(of: value)).")
    }

    /// Reads a node's relationships. A to-many one with a to-one inverse fills that in where it is nil.
    private func relate(_ node: NSAtomicStoreCacheNode, row: StoredRow, known: [Key: StoredRow]) {
        for property in row.entity.properties {
            switch property.kind {
            case .toOne(let slot, _):
                if let target = Self.identity(node.value(forKey: property.name)) {
                    point(row, slot: slot, to: target)
                }
            case .toMany(let relation):
                let members = Self.identities(node.value(forKey: property.name))
                if members.isEmpty { continue }
                if let inverse = relation.inverse, !inverse.isToMany {
                    for member in members {
                        guard let other = known[Key(member)],
                            let slot = other.entity.layout.slot(named: inverse.name),
                            other.pointer.isNull(slot.index)
                        else { continue }
                        point(other, slot: slot, to: node.objectID)
                    }
                    if !relation.isOrdered { continue }
                }
                rows.state.links[MemoryRows.LinkKey(relation), default: [:]][row.primaryKey] = members.map(
                    \.primaryKey)
            default: break
            }
        }
    }

    private func point(_ row: StoredRow, slot: Slot, to target: NSManagedObjectID) {
        SlotValue.setWord(UInt64(bitPattern: target.primaryKey), slot: slot, in: row.pointer.words)
        if slot.kind == .toOneOfSeveral { row.pointer.words[slot.word + 1] = UInt64(target.runtime.number) }
    }

    private static func identity(_ value: Any?) -> NSManagedObjectID? {
        (value as? NSAtomicStoreCacheNode)?.objectID ?? value as? NSManagedObjectID
    }

    private static func identities(_ value: Any?) -> [NSManagedObjectID] {
        switch value {
        case let set as NSOrderedSet: set.array.compactMap(identity)
        case let set as NSSet: set.allObjects.compactMap(identity).sorted { $0.primaryKey < $1.primaryKey }
        case let array as NSArray: array.compactMap { identity($0) }
        case let set as Set<NSAtomicStoreCacheNode>:
            set.map(\.objectID).sorted { $0.primaryKey < $1.primaryKey }
        case let array as [Any]: array.compactMap(identity)
        default: []
        }
    }
}
