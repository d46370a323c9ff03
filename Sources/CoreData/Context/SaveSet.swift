// What one save writes: the objects, sorted by store and kind, and their rows.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// The objects of one save with the change set of each store.
final class SaveSet {
    let objects: [NSManagedObject]
    let inserted: [NSManagedObject]
    let updated: [NSManagedObject]
    let deleted: [NSManagedObject]
    /// The rows whose derived attributes the stores computed.
    private(set) var derived: [(store: NSPersistentStore, rows: DerivedRows)] = []
    private let keys: KeyAssignment
    /// What goes to the context's parent, which a child saves to instead of stores.
    private var parentChanges: ParentChanges?
    private var stores: [(store: NSPersistentStore, changes: StoreChanges)] = []
    /// The table whose objects came last, with its store's place: neighbours mostly belong together.
    private var latest: (table: Int32, position: Int)?

    /// Sorts the objects, gives new ones their keys and prepares their rows.
    init(_ objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        self.objects = objects
        inserted = objects.keeping { $0.contains(.inserted) && !$0.contains(.deleted) }
        let others = inserted.count == objects.count ? [] : objects
        deleted = others.keeping { $0.contains(.deleted) && !$0.contains(.inserted) }
        updated = others.keeping { $0.contains(.updated) && $0.isDisjoint(with: [.deleted, .inserted]) }
        keys = KeyAssignment(in: context)
        if context.parentContext != nil {
            parentChanges = ParentChanges(
                inserted: inserted, updated: updated, deleted: deleted, in: context)
            return
        }
        do {
            try keys.assign(inserted.allSatisfy { $0.primaryKey < 0 } ? inserted : withoutKeys)
            for objects in [inserted, updated] { try StoreBoundary.check(objects, in: context) }
            for objects in [inserted, updated] { keys.rewriteReferences(in: objects) }
            try collect(in: context)
        } catch {
            keys.undo()
            throw error
        }
    }

    /// New objects that have no permanent keys yet.
    private var withoutKeys: [NSManagedObject] { inserted.filter { $0.primaryKey < 0 } }

    func write(from context: NSManagedObjectContext) throws {
        if let parentChanges, let parent = context.parentContext {
            return try parentChanges.save(from: context, to: parent)
        }
        let stores = stores.filter { $0.store.isReadOnly ? !$0.changes.writesNothing : !$0.changes.isEmpty }
        for entry in stores where entry.store.isReadOnly {
            throw CoreDataError.make(
                NSPersistentStoreSaveError, "The store is read-only.", file: entry.store.url,
                userInfo: [NSAffectedStoresErrorKey: [entry.store]])
        }
        try write(stores.sorted { $0.store.savesBefore < $1.store.savesBefore }[...])
        for entry in stores {
            let rows = entry.store.takeDerivedRows()
            if !rows.isEmpty { derived.append((entry.store, rows)) }
        }
    }

    /// Saves to one store after the other, each inside the transaction of the one before, so that none stands alone.
    private func write(_ stores: ArraySlice<(store: NSPersistentStore, changes: StoreChanges)>) throws {
        guard let first = stores.first else { return }
        try first.store.save(first.changes) { try write(stores.dropFirst()) }
    }

    func undoKeys() {
        keys.undo()
    }

    // MARK: Rows

    private func collect(in context: NSManagedObjectContext) throws {
        for object in inserted {
            try object.encodeTransformables()
            changes(object, in: context) { $0.inserted.append(self.row(object, version: 1)) }
        }
        for object in updated {
            try object.encodeTransformables()
            var row = self.row(object, version: object.committedVersion + 1)
            row.changedSlots = object.changedPersistentSlots()
            if row.changedSlots.isEmpty && !object.hasChangedRelations { continue }
            changes(object, in: context) { $0.updated.append(row) }
        }
        for object in deleted {
            changes(object, in: context) {
                $0.deleted.append(self.row(object, version: object.committedVersion + 1))
            }
        }
        for object in context.lockedObjects {
            changes(object, in: context) { $0.locked.append(self.row(object, version: 0)) }
        }
        for objects in [inserted, updated] {
            for object in objects { collectRelations(of: object, in: context) }
        }
    }

    private func row(_ object: NSManagedObject, version: Int64) -> StoreChanges.Row {
        StoreChanges.Row(
            entity: object.runtime, primaryKey: object.primaryKey,
            row: RowPointer(object.row, slab: object.slab), changedSlots: [],
            expectedVersion: object.committedVersion, newVersion: version, object: object)
    }

    private func changes(
        _ object: NSManagedObject, in context: NSManagedObjectContext, _ change: (inout StoreChanges) -> Void
    ) {
        if let latest, latest.table == object.table { return change(&stores[latest.position].changes) }
        let store = context.requiredStore(ofTable: Int(object.table))
        let position = stores.firstIndex { $0.store === store } ?? stores.count
        if position == stores.count { stores.append((store, StoreChanges())) }
        latest = (object.table, position)
        change(&stores[position].changes)
    }

    private func collectRelations(of object: NSManagedObject, in context: NSManagedObjectContext) {
        guard let extras = object.extras else { return }
        for relation in object.runtime.relations where relation.isToMany && !relation.isTransient {
            guard let members = extras.relations[relation.number] as? ToMany, members.isChanged else {
                continue
            }
            // Members added from the other side need their places, which the store's order decides.
            if relation.isOrdered && !members.added.isEmpty { members.read() }
            // A member that was deleted, saved and brought back is a new row at what may be its old place.
            let order =
                members.isReordered || relation.isOrdered && !members.added.isEmpty
                ? members.objects.map(\.primaryKey) : nil
            if let inverse = relation.inverse, !inverse.isToMany {
                guard let order else { continue }
                changes(object, in: context) {
                    $0.orders.append(
                        .init(
                            entity: object.runtime, relation: relation, source: object.primaryKey,
                            order: order))
                }
            } else if statesJoin(relation, object) || order != nil {
                let states = statesJoin(relation, object)
                let join = StoreChanges.Join(
                    entity: object.runtime, relation: relation, source: object.primaryKey,
                    added: states ? members.added.filter(\.hasRowToJoin).map(\.primaryKey) : [],
                    removed: states ? members.removed.map(\.primaryKey) : [], order: order)
                changes(object, in: context) { $0.joins.append(join) }
            }
        }
    }

    /// Both sides of a many-to-many relationship know each change; one of them states it. A relationship that is
    /// its own inverse states it from the object with the lower key.
    private func statesJoin(_ relation: RelationRuntime, _ object: NSManagedObject) -> Bool {
        relation.statesPairs
    }

    // MARK: Afterwards

    /// The store has written everything: what the objects hold is what it holds.
    func commit(in context: NSManagedObjectContext) {
        keys.keep()
        if parentChanges != nil { return commitToParent(in: context) }
        for object in inserted {
            object.commit(version: 1)
        }
        for object in updated {
            let isWritten = !object.changedPersistentSlots().isEmpty || object.hasChangedRelations
            object.commit(version: object.committedVersion + (isWritten ? 1 : 0))
        }
        forgetDeleted(in: context)
    }

    /// The parent has taken everything over. New objects keep their keys, versions are the store's.
    private func commitToParent(in context: NSManagedObjectContext) {
        for object in inserted where object.primaryKey < 0 {
            guard let store = context.home(of: object) else { continue }
            object.table = Int32(context.registry.tableNumber(store: store, root: object.runtime.rootNumber))
        }
        for object in inserted + updated { object.commit(version: object.committedVersion) }
        forgetDeleted(in: context)
    }

    private func forgetDeleted(in context: NSManagedObjectContext) {
        for object in deleted {
            context.registry.unregister(object, table: Int(object.table), primaryKey: object.primaryKey)
            object.state.insert(.gone)
            object.state.subtract([.updated, .listed])
        }
        for object in objects { object.announceStatus() }
    }
}

extension NSManagedObject {
    final var committedVersion: Int64 {
        (committed ?? row).pointee == 0 ? 0 : Int64(bitPattern: (committed ?? row)[0])
    }

    /// Whether to-many relationships changed that a save must write or whose change counts as the object's.
    final var hasChangedRelations: Bool {
        guard let extras else { return false }
        return extras.relations.contains { ($0 as? ToMany)?.isChanged ?? false }
    }

    /// Gives objects in transformable slots the bytes that the store keeps.
    final func encodeTransformables() throws {
        guard state.contains(.ownsRow), runtime.layout.hasReferences else { return }
        let pointer = RowPointer(row, slab: slab)
        for slot in runtime.layout.slots where slot.kind == .transformable && !pointer.isNull(slot.index) {
            let reference = CellReference(word: row[slot.word])
            guard reference.isBox, let object = reference.box.object, case .null = reference.box.value,
                let attribute = slot.attribute
            else { continue }
            let bytes = try TransformableCoding.encode(
                object, attribute: attribute, entity: runtime.name, property: slot.name)
            OwnedRow.set(CellBox(object: object, bytes: .data(bytes)), slot, in: row)
        }
    }

    /// The current values are the committed ones.
    final func commit(version: Int64) {
        if state.contains(.ownsRow) {
            if state.contains(.ownsCommitted), let committed { OwnedRow.destroy(committed, runtime.layout) }
            committed = row
            state.remove(.ownsRow)
            state.insert(.ownsCommitted)
        }
        if row[0] != UInt64(bitPattern: version) {
            if !state.contains(.ownsCommitted) {
                // The row is a slab's, which never changes.
                row = OwnedRow.copy(row, runtime.layout)
                committed = row
                state.insert(.ownsCommitted)
            }
            row[0] = UInt64(bitPattern: version)
        }
        if let extras { for case let members as ToMany in extras.relations { members.commit() } }
        state.subtract([.inserted, .updated, .listed, .introduced])
        if !state.contains(.pending) { endEvent() }
    }
}
