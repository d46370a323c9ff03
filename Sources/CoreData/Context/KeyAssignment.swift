// From temporary to permanent keys, in a way that can be taken back until the store has written them.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// New objects with the keys that they get.
final class KeyAssignment {
    private struct Assigned {
        let object: NSManagedObject
        let temporary: Int64
        let oldTable: Int32
        let store: NSPersistentStore
    }

    private struct Rewritten {
        let place: UnsafeMutablePointer<UInt64>
        let old: UInt64
    }

    private let context: NSManagedObjectContext
    private var assigned: [Assigned] = []
    private var rewritten: [Rewritten] = []

    init(in context: NSManagedObjectContext) {
        self.context = context
    }

    /// Takes keys from the stores, one request for each root entity and store.
    func assign(_ objects: [NSManagedObject]) throws {
        struct Group: Hashable {
            let store: ObjectIdentifier
            let root: Int
        }
        var groups: [Group: (NSPersistentStore, [NSManagedObject])] = [:]
        for object in objects {
            guard let store = context.home(of: object) else {
                throw CoreDataError.make(
                    NSPersistentStoreSaveError,
                    "No store of the coordinator holds entity \"\(object.runtime.name)\".",
                    userInfo: [
                        NSAffectedObjectsErrorKey: [object], CoreDataError.Key.entity: object.runtime.name,
                    ])
            }
            groups[
                Group(store: ObjectIdentifier(store), root: object.runtime.rootNumber),
                default: (store, [])
            ].1.append(object)
        }
        for (group, (store, members)) in groups {
            let root = context.runtime.entities[group.root]
            let keys = try context.withStores {
                try store.allocateKeys(for: members, root: root)
            }
            let table = context.registry.tableNumber(store: store, root: group.root)
            for (object, key) in zip(members, keys) {
                assigned.append(
                    Assigned(
                        object: object, temporary: object.primaryKey, oldTable: object.table, store: store))
                object.identity = nil
                object.primaryKey = key
                object.table = Int32(table)
            }
        }
    }

    /// Makes to-one words that name temporary keys name the new ones.
    func rewriteReferences(in objects: [NSManagedObject]) {
        guard !assigned.isEmpty else { return }
        let keys = Dictionary(
            assigned.map { ($0.temporary, $0.object.primaryKey) }, uniquingKeysWith: { first, _ in first })
        for object in objects where object.state.contains(.ownsRow) {
            rewrite(object.row, object.runtime.layout, keys)
            if let eventRow = object.extras?.eventRow { rewrite(eventRow, object.runtime.layout, keys) }
        }
    }

    private func rewrite(_ row: UnsafeMutablePointer<UInt64>, _ layout: RowLayout, _ keys: [Int64: Int64]) {
        for slot in layout.slots where slot.destination != nil {
            let place = row + slot.word
            guard Int64(bitPattern: place.pointee) < 0, let key = keys[Int64(bitPattern: place.pointee)]
            else {
                continue
            }
            rewritten.append(Rewritten(place: place, old: place.pointee))
            place.pointee = UInt64(bitPattern: key)
        }
    }

    /// Takes everything back.
    func undo() {
        for entry in assigned {
            entry.object.primaryKey = entry.temporary
            entry.object.table = entry.oldTable
            entry.object.identity = nil
        }
        for entry in rewritten { entry.place.pointee = entry.old }
        assigned.removeAll()
        rewritten.removeAll()
    }

    /// The keys stand: registers the objects under them.
    func keep() {
        for entry in assigned {
            context.registry.unregister(entry.object, table: 0, primaryKey: entry.temporary)
            context.registry.register(
                entry.object, table: Int(entry.object.table), primaryKey: entry.object.primaryKey)
            entry.object.identity = nil
        }
        context.children.note(
            assigned.map {
                Promotion(
                    temporary: $0.temporary, key: $0.object.primaryKey, root: $0.object.runtime.rootNumber,
                    store: $0.store.underlying)
            })
        assigned.removeAll()
        rewritten.removeAll()
    }
}
