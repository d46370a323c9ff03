// The way in which a parent takes over the changes of a child's save. Everything here
// runs on the parent's queue.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    /// Makes the changes of a child changes of this context. Nothing has changed when it throws.
    final func take(_ changes: ParentChanges, keyReplacements: [KeyReplacement]) throws {
        // Earlier changes here are an event of their own.
        processChanges()
        try throwReadError()
        let update = ParentUpdate(self, changes, keyReplacements: keyReplacements)
        let updated = update.existing(changes.updated)
        let deleted = update.existing(changes.deleted)
        try update.read(updated + deleted)
        try update.check(updated)
        // Observers of objects hear of the child's changes when all are there.
        delivery.begin()
        defer { delivery.end() }
        let inserted = changes.inserted.map { (change: $0, object: update.insert($0)) }
        for (change, object) in inserted + updated { update.setAttributes(change, object: object) }
        for (change, object) in inserted + updated { update.setToOnes(change, object: object) }
        let changed = update.objects(losingMembers: inserted + updated)
        for (change, object) in inserted + updated {
            update.setToManys(change, object: object, among: changed)
        }
        for (_, object) in deleted where !object.state.isGone {
            markDeleted(object)
        }
        processChanges()
    }
}

/// One save of a child, from its parent's side.
private struct ParentUpdate {
    typealias Pair = (change: ParentChanges.Object, object: NSManagedObject)

    let context: NSManagedObjectContext
    /// Permanent keys that the child hadn't heard of when it made its changes.
    let promoted: [Int64: Int64]
    /// Those that it had heard of.
    let known: [Int64: PermanentKey]

    init(_ context: NSManagedObjectContext, _ changes: ParentChanges, keyReplacements: [KeyReplacement]) {
        self.context = context
        known = changes.permanentKeys
        promoted = Dictionary(keyReplacements.map { ($0.temporary, $0.key) }, uniquingKeysWith: { $1 })
    }

    private func key(_ primaryKey: Int64) -> Int64 {
        context.permanent(promoted[primaryKey] ?? known[primaryKey]?.key ?? primaryKey)
    }

    // MARK: Objects

    /// The context's objects for changes of objects that it had before; faults for those that it doesn't know.
    func existing(_ changes: [ParentChanges.Object]) -> [Pair] {
        changes.compactMap { change in
            guard let store = change.store.map(context.asked) else { return nil }
            return (change, context.object(change.entity, primaryKey: key(change.primaryKey), store: store))
        }
    }

    /// Reads the rows of faults, with one request for each table.
    func read(_ pairs: [Pair]) throws {
        let faults = pairs.map(\.object).filter {
            $0.state.isUnread && $0.isKnownBelow
        }
        for (table, objects) in Dictionary(grouping: faults, by: { Int($0.table) }) {
            let store = try context.requiredStore(ofTable: table)
            let root = context.runtime.entities[objects[0].runtime.rootNumber]
            try context.withStores {
                try store.fetchRows(entity: root, primaryKeys: objects.map(\.primaryKey)) { slab in
                    context.attachToFaults(slab, store: store, entity: root)
                }
            }
        }
    }

    /// An object that the parent deleted, or has no row for, can't take a change.
    func check(_ pairs: [Pair]) throws {
        let missing = pairs.filter { _, object in
            !object.state.isLive
                || object.state.isUnread
        }
        if missing.isEmpty { return }
        throw SaveConflict(
            missing.map { change, object in
                StoreConflict.Row(
                    entity: change.entity, primaryKey: object.primaryKey, expectedVersion: change.version,
                    current: nil)
            })
    }

    /// A new object of the context with the child's key.
    func insert(_ change: ParentChanges.Object) -> NSManagedObject {
        let primaryKey = key(change.primaryKey)
        let store = change.store.map(context.asked)
        let table = store.map { context.registry.tableNumber(store: $0, root: change.entity.rootNumber) } ?? 0
        let object =
            context.registry.object(table: table, primaryKey: primaryKey) ?? context.shell(change.entity)
        object.becomeNew(primaryKey: primaryKey, table: primaryKey > 0 ? table : 0)
        object.assignedStore = change.assignedStore
        context.register(new: object)
        return object
    }

    // MARK: Values

    func setAttributes(_ change: ParentChanges.Object, object: NSManagedObject) {
        object.replacingValues {
            object.prepareToChange()
            for index in change.slots {
                let slot = change.entity.layout.slots[index]
                if slot.isRelationship { continue }
                object.extras?.decoded[index] = nil
                slot.copy(from: change.row, to: object.row)
            }
            object.noteChange()
        }
    }

    func setToOnes(_ change: ParentChanges.Object, object: NSManagedObject) {
        let changed = SlotSet(change.slots)
        for property in change.entity.properties {
            guard case .toOne(let slot, let relation) = property.kind, changed.contains(slot.index) else {
                continue
            }
            object.setToOne(
                target(slot, relation: relation, change: change, beside: object), slot: slot,
                relation: relation)
        }
    }

    private func target(
        _ slot: Slot, relation: RelationRuntime, change: ParentChanges.Object,
        beside object: NSManagedObject
    ) -> NSManagedObject? {
        if change.row.isNull(slot.index) { return nil }
        var number = relation.destinationNumber
        if slot.kind == .toOneOfSeveral {
            number = Int(truncatingIfNeeded: change.row.words[slot.word + 1])
        }
        let entity = context.runtime.entities[number]
        let target = context.object(
            entity, primaryKey: key(Int64(bitPattern: change.row.words[slot.word])), beside: object)
        if let target { renewRules(of: target) }
        return target
    }

    /// Has the deletion of an object reach what the child connects with it.
    private func renewRules(of object: NSManagedObject) {
        guard object.state.isDeleted, !object.state.isDeletedForGood, !object.state.awaitsRules else {
            return
        }
        object.state.apply(.ruleRenewal)
        context.track(object)
    }

    // MARK: To-many relationships

    /// All of the objects, if the child has taken members out of relationships of some.
    func objects(losingMembers pairs: [Pair]) -> Set<ObjectIdentifier> {
        guard pairs.contains(where: { $0.change.members.contains { !$0.removed.isEmpty } }) else { return [] }
        return Set(pairs.map { ObjectIdentifier($0.object) })
    }

    /// - Parameter changed: the objects that the child has changed too, if members were taken out. Others are gone for the child,
    ///   and say nothing of their own side, though they may be here.
    func setToManys(
        _ change: ParentChanges.Object, object: NSManagedObject, among changed: Set<ObjectIdentifier>
    ) {
        for members in change.members {
            let mine = object.toMany(object.relations(members.relation))
            for member in objects(members.removed, beside: object) {
                mine.removeQuietly(member)
                if let inverse = members.relation.inverse, !changed.contains(ObjectIdentifier(member)),
                    member.state.isLive
                {
                    member.detachInverse(inverse, from: object)
                }
            }
            for member in objects(members.added, beside: object) {
                renewRules(of: member)
                mine.addQuietly(member)
            }
            if let order = members.order {
                let wanted = Self.order(mine.objects, as: objects(order, beside: object))
                if wanted != mine.objects { mine.reorder(wanted) }
            }
            object.prepareToChange()
            object.noteChange()
        }
    }

    private func objects(
        _ references: [ParentChanges.Reference], beside object: NSManagedObject
    ) -> [NSManagedObject] {
        references.compactMap {
            context.object($0.entity, primaryKey: key($0.primaryKey), beside: object)
        }
    }

    /// The members with those that the child knew in its order; the others stay where they are.
    private static func order(
        _ members: [NSManagedObject], as wanted: [NSManagedObject]
    ) -> [NSManagedObject] {
        let known = Set(wanted.map(ObjectIdentifier.init))
        let present = Set(members.map(ObjectIdentifier.init))
        var next = wanted.filter { present.contains(ObjectIdentifier($0)) }.makeIterator()
        return members.map { known.contains(ObjectIdentifier($0)) ? next.next() ?? $0 : $0 }
    }
}

extension NSManagedObject {
    /// Turns a fault that nobody filled into a new object with the model's default values.
    fileprivate final func becomeNew(primaryKey: Int64, table: Int) {
        releaseRows()
        row = OwnedRow.copy(runtime.defaultRow, layout: runtime.layout)
        committed = nil
        slab = nil
        extras = nil
        state.rows(.replacement)
        state.apply(.renewal)
        state.mark(.reversion)
        self.primaryKey = primaryKey
        self.table = Int32(table)
    }
}
