// From temporary to permanent keys, in a way that can be taken back until the store has written them.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// New objects with the keys that they get. The caller holds the objects until the keys are kept or taken back.
final class KeyAssignment {
    /// New objects of one root entity for one store.
    private struct Group {
        let store: NSPersistentStore
        let root: Int
        /// Not counted, for each of many objects: whoever assigns keys holds them.
        var members: [Unmanaged<NSManagedObject>]
        /// The temporary keys of those that have got a permanent one, and these.
        var temporaries: [Int64] = []
        var keys: [Int64] = []

        /// The key in place of a temporary one; nil where it isn't found without a search. Objects that were made one after
        /// the other have keys that follow each other.
        func key(for temporary: Int64) -> Int64? {
            guard let first = temporaries.first, temporary <= first else { return nil }
            // Others may have been made between them.
            let (distance, isTooMuch) = first.subtractingReportingOverflow(temporary)
            var (low, high) = (0, isTooMuch ? temporaries.count : min(Int(distance) + 1, temporaries.count))
            if high > low, temporaries[high - 1] == temporary { return keys[high - 1] }
            while low < high {
                let middle = (low + high) / 2
                if temporaries[middle] == temporary { return keys[middle] }
                if temporaries[middle] > temporary { low = middle + 1 } else { high = middle }
            }
            return nil
        }
    }

    private struct Rewritten {
        let place: UnsafeMutablePointer<UInt64>
        let old: UInt64
    }

    private let context: NSManagedObjectContext
    // Unchecked: sound because one save alone uses this, and calls no client's code meanwhile.
    @exclusivity(unchecked)
    private var groups: [Group] = []
    @exclusivity(unchecked)
    private var rewritten: [Rewritten] = []

    init(in context: NSManagedObjectContext) {
        self.context = context
    }

    /// Takes keys from the stores, one request for each root entity and store.
    func assign(_ objects: [NSManagedObject]) throws {
        try sort(objects)
        for number in groups.indices {
            let (store, root) = (groups[number].store, groups[number].root)
            let keys = try context.withStores {
                try store.allocateKeys(
                    root: context.runtime.entities[root], count: groups[number].members.count
                ) {
                    groups[number].members.map { $0.takeUnretainedValue() }
                }
            }
            let table = Int32(context.registry.tableNumber(store: store, root: root))
            var temporaries: [Int64] = []
            temporaries.reserveCapacity(keys.count)
            var place = 0
            groups[number].members.each { object in
                temporaries.append(object.primaryKey)
                object.identity = nil
                object.primaryKey = keys[place]
                object.table = table
                place += 1
            }
            groups[number].temporaries = temporaries
            groups[number].keys = keys
        }
    }

    /// Sorts objects into groups: mostly it is one. Neighbours mostly belong together, and all objects of an entity that weren't
    /// assigned to a store go to the same.
    private func sort(_ objects: [NSManagedObject]) throws {
        if let first = objects.first, areAlike(objects, first: first) {
            let store = try store(of: first)
            let members = objects.map(Unmanaged.passUnretained)
            return groups.append(Group(store: store, root: first.runtime.rootNumber, members: members))
        }
        var last: (entity: UInt, group: Int)?
        try objects.each { object in
            let isFree = !object.state.traits.contains(.assigned)
            let entity = object.entityAddress
            if isFree, let last, last.entity == entity {
                return groups[last.group].members.append(.passUnretained(object))
            }
            let store = try store(of: object)
            let root = object.runtime.rootNumber
            if let known = groups.firstIndex(where: { $0.store === store && $0.root == root }) {
                groups[known].members.append(.passUnretained(object))
                if isFree { last = (entity, known) }
            } else {
                if isFree { last = (entity, groups.count) }
                var group = Group(store: store, root: root, members: [])
                group.members.reserveCapacity(objects.count)
                group.members.append(.passUnretained(object))
                groups.append(group)
            }
        }
    }

    /// Returns whether all objects are of one entity and go to one store.
    private func areAlike(_ objects: [NSManagedObject], first: NSManagedObject) -> Bool {
        var areAlike = true
        let entity = first.entityAddress
        objects.each { object in
            areAlike = areAlike && object.entityAddress == entity && !object.state.traits.contains(.assigned)
        }
        return areAlike
    }

    private func store(of object: NSManagedObject) throws -> NSPersistentStore {
        if let store = context.store(of: object) { return store }
        throw CoreDataError.make(
            NSPersistentStoreSaveError,
            description: "No store of the coordinator holds entity \"\(object.runtime.name)\".",
            userInfo: [
                NSAffectedObjectsErrorKey: [object], CoreDataError.Key.entity: object.runtime.name,
            ])
    }

    /// Makes to-one words that name temporary keys name the new ones.
    func rewriteReferences(in objects: [NSManagedObject]) {
        guard !groups.isEmpty else { return }
        var last: UInt = 0
        var slots: [Slot] = []
        objects.each { object in
            let entity = object.entityAddress
            if entity != last { (last, slots) = (entity, object.runtime.layout.toOneSlots) }
            if slots.isEmpty || !object.state.ownsRow { return }
            rewrite(object.row, slots: slots)
            if object.state.marks.contains(.keptRow), let eventRow = object.extras?.eventRow {
                rewrite(eventRow, slots: slots)
            }
        }
    }

    private func rewrite(_ row: UnsafeMutablePointer<UInt64>, slots: [Slot]) {
        for slot in slots {
            let place = row + slot.word
            let temporary = Int64(bitPattern: place.pointee)
            guard temporary < 0, let key = key(for: temporary) else { continue }
            rewritten.append(Rewritten(place: place, old: place.pointee))
            place.pointee = UInt64(bitPattern: key)
        }
    }

    /// The key that an object with a temporary one gets, or got before.
    private func key(for temporary: Int64) -> Int64? {
        for number in groups.indices {
            if let key = groups[number].key(for: temporary) { return key }
        }
        // Until the keys stand, objects are registered under their temporary keys.
        let target = context.registry.object(table: 0, primaryKey: temporary)
        return target.flatMap { $0.primaryKey == temporary ? nil : $0.primaryKey }
    }

    /// Takes everything back.
    func undo() {
        for group in groups {
            for (reference, temporary) in zip(group.members, group.temporaries) {
                let object = reference.takeUnretainedValue()
                object.primaryKey = temporary
                object.table = 0
                object.identity = nil
            }
        }
        for entry in rewritten { entry.place.pointee = entry.old }
        clear()
    }

    /// The keys stand: registers the objects under them.
    func keep() {
        for group in groups {
            let table = context.registry.tableNumber(store: group.store, root: group.root)
            context.registry.rekey(group.members, from: group.temporaries, table: table)
        }
        context.children.note(keyReplacements)
        clear()
    }

    private var keyReplacements: [KeyReplacement] {
        groups.flatMap { group in
            zip(group.members, group.temporaries).map { reference, temporary in
                KeyReplacement(
                    temporary: temporary, key: uncounted(reference) { $0.primaryKey }, root: group.root,
                    store: group.store.underlying)
            }
        }
    }

    private func clear() {
        groups.removeAll()
        rewritten.removeAll()
    }
}
