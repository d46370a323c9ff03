// The contents of one save: the objects, sorted by store and kind, and their rows.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// The objects of one save with the change set of each store.
final class SaveSet {
    typealias StoreSave = (store: NSPersistentStore, changes: StoreChanges)

    let objects: [NSManagedObject]
    let inserted: [NSManagedObject]
    let updated: [NSManagedObject]
    let deleted: [NSManagedObject]
    /// The rows whose derived attributes the stores computed.
    private(set) var derived: [(store: NSPersistentStore, rows: DerivedRows)] = []
    private let keys: KeyAssignment
    /// The changes for the context's parent, which a child saves to instead of stores.
    private var parentChanges: ParentChanges?
    private var stores: [StoreSave] = []
    /// Objects that are marked as changed, but in which nothing differs from what the store has.
    private var unwritten: Set<ObjectIdentifier> = []
    /// The table whose objects came last, with its store's place: neighbours mostly belong together.
    private var latest: (table: Int32, position: Int)?

    /// Sorts the objects, gives new ones their keys and prepares their rows.
    init(_ objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        self.objects = objects
        let sorted = objects.sorted(\.kindToSave)
        (inserted, updated, deleted) = (sorted.first, sorted.second, sorted.third)
        keys = KeyAssignment(in: context)
        if context.parentContext != nil {
            parentChanges = ParentChanges(
                inserted: inserted, updated: updated, deleted: deleted, in: context)
            return
        }
        do {
            try keys.assign(withoutKeys)
            for objects in [inserted, updated] { try StoreBoundary.check(objects, in: context) }
            for objects in [inserted, updated] { keys.rewriteReferences(in: objects) }
            try collect(in: context)
        } catch {
            keys.undo()
            throw error
        }
    }

    /// New objects that have no permanent keys yet.
    private var withoutKeys: [NSManagedObject] {
        var hasKeys = false
        inserted.each { hasKeys = hasKeys || $0.primaryKey > 0 }
        return hasKeys ? inserted.filter { $0.primaryKey < 0 } : inserted
    }

    /// Writes to the stores, or to the rest of them, each inside the transaction of the one before, so that none stands
    /// alone. The closure is called before the first of them commits; an error that it throws takes all back.
    func write(
        from context: NSManagedObjectContext, to rest: ArraySlice<StoreSave>? = nil,
        before commit: () throws -> Void = {}
    ) throws {
        if let parentChanges, let parent = context.parentContext {
            return try parentChanges.save(from: context, to: parent)
        }
        let rest = try rest ?? storesToWrite()
        guard let first = rest.first else { return try commit() }
        let saved = savedObjects(in: first.store, context)
        do {
            try first.store.save(first.changes, of: saved) {
                try write(from: context, to: rest.dropFirst(), before: commit)
            }
        } catch let conflict as StoreConflict {
            throw SaveConflict(conflict, objects: saved)
        } catch let conflict as StoreConstraintConflict {
            throw SaveConstraintConflict(conflict, in: first.store, objects: saved)
        }
        let rows = first.store.takeDerivedRows()
        if !rows.isEmpty { derived.append((first.store, rows)) }
    }

    private func storesToWrite() throws -> ArraySlice<StoreSave> {
        let stores = stores.filter { $0.store.isReadOnly ? !$0.changes.writesNothing : !$0.changes.isEmpty }
        for entry in stores where entry.store.isReadOnly {
            throw CoreDataError.make(
                NSPersistentStoreSaveError, description: "The store is read-only.", file: entry.store.url,
                userInfo: [NSAffectedStoresErrorKey: [entry.store]])
        }
        return stores.sorted { $0.store.savesBefore < $1.store.savesBefore }[...]
    }

    private func savedObjects(in store: NSPersistentStore, _ context: NSManagedObjectContext) -> SavedObjects
    {
        SavedObjects { [inserted, updated, deleted] in
            (inserted + updated + deleted + context.lockedObjects).filter {
                context.store(ofTable: Int($0.table)) === store
            }
        }
    }

    /// Lets new objects keep their keys though they aren't saved, as if they had been asked for before.
    func keepKeys() {
        keys.keep()
    }

    func undoKeys() {
        keys.undo()
    }

    // MARK: Rows

    private func collect(in context: NSManagedObjectContext) throws {
        try add(inserted, to: \.inserted, in: context) { object in
            try object.encodeTransformables(in: context.requiredStore(ofTable: Int(object.table)))
            return self.row(object, version: object.versionOfNewRow)
        }
        try add(updated, to: \.updated, in: context) { object in
            try object.encodeTransformables(in: context.requiredStore(ofTable: Int(object.table)))
            var row = self.row(object, version: RowVersion.next(after: object.committedVersion))
            row.changedSlots = object.changedPersistentSlots()
            if row.changedSlots.isEmpty && !object.hasChangedRelations {
                unwritten.insert(ObjectIdentifier(object))
                return nil
            }
            return row
        }
        try add(deleted, to: \.deleted, in: context) { object in
            self.row(object, version: RowVersion.next(after: object.committedVersion))
        }
        try add(context.lockedObjects + contradicted, to: \.locked, in: context) { self.row($0, version: 0) }
        for objects in [inserted, updated] {
            try objects.each { object in
                if object.extras == nil || object.runtime.toManyNumbers.isEmpty { return }
                try collectRelations(of: object, in: context)
            }
        }
    }

    /// The objects in which nothing differs from their rows though the other side of a relationship whose key they hold changed:
    /// the row of one of the two is an older one, which the version tells.
    private var contradicted: [NSManagedObject] {
        if unwritten.isEmpty { return [] }
        var rest = unwritten
        var found: [NSManagedObject] = []
        for object in objects where !rest.isEmpty && !unwritten.contains(ObjectIdentifier(object)) {
            for other in object.objectsOfChangedKeys where rest.remove(ObjectIdentifier(other)) != nil {
                found.append(other)
            }
        }
        return found
    }

    /// Adds the rows of objects to the changes of their stores: run by run, for neighbours mostly belong together.
    @inline(__always)
    private func add(
        _ objects: [NSManagedObject], to list: WritableKeyPath<StoreChanges, [StoreChanges.Row]>,
        in context: NSManagedObjectContext, row: (NSManagedObject) throws -> StoreChanges.Row?
    ) throws {
        var position: Int?
        // The list is taken out of the changes while rows are added to it.
        var rows: [StoreChanges.Row] = []
        defer { if let position { stores[position].changes[keyPath: list] = rows } }
        var table: Int32 = -1
        try objects.each { object in
            guard let row = try row(object) else { return }
            if object.table != table {
                table = object.table
                let next = try self.position(ofTable: table, in: context)
                if next != position {
                    if let position { stores[position].changes[keyPath: list] = rows }
                    rows = []
                    swap(&rows, &stores[next].changes[keyPath: list])
                    if rows.isEmpty { rows.reserveCapacity(objects.count) }
                    position = next
                }
            }
            rows.append(row)
        }
    }

    @inline(__always)
    private func row(_ object: NSManagedObject, version: Int64) -> StoreChanges.Row {
        StoreChanges.Row(
            entity: object.entityReference, primaryKey: object.primaryKey,
            row: RowPointer(object.row, slab: object.slab), changedSlots: [],
            expectedVersion: object.committedVersion, newVersion: version)
    }

    private func changes(
        _ table: Int32, in context: NSManagedObjectContext, change: (inout StoreChanges) -> Void
    ) throws {
        change(&stores[try position(ofTable: table, in: context)].changes)
    }

    /// The place of the store of a table among those to write.
    private func position(ofTable table: Int32, in context: NSManagedObjectContext) throws -> Int {
        if let latest, latest.table == table { return latest.position }
        let store = try context.requiredStore(ofTable: Int(table))
        let position = stores.firstIndex { $0.store === store } ?? stores.count
        if position == stores.count { stores.append((store, StoreChanges())) }
        latest = (table, position)
        return position
    }

    private func collectRelations(of object: NSManagedObject, in context: NSManagedObjectContext) throws {
        guard let extras = object.extras else { return }
        let changed = object.changedToManyProperties(extras)
        if !changed.isEmpty {
            let key = RowKey(object.runtime, primaryKey: object.primaryKey)
            try changes(object.table, in: context) { $0.changedRelationships[key] = changed }
        }
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
                try changes(object.table, in: context) {
                    $0.orders.append(
                        .init(
                            entity: object.runtime, relation: relation, source: object.primaryKey,
                            order: order))
                }
            } else if statesJoin(relation, object: object) || order != nil {
                let states = statesJoin(relation, object: object)
                let join = StoreChanges.Join(
                    entity: object.runtime, relation: relation, source: object.primaryKey,
                    added: states ? members.added.filter(\.hasRowToJoin).map(\.primaryKey) : [],
                    removed: states ? members.removed.map(\.primaryKey) : [], order: order)
                try changes(object.table, in: context) { $0.joins.append(join) }
            }
        }
    }

    /// Both sides of a many-to-many relationship know each change; one of them states it. A relationship that is
    /// its own inverse states it from the object with the lower key.
    private func statesJoin(_ relation: RelationRuntime, object: NSManagedObject) -> Bool {
        relation.statesPairs
    }

    // MARK: Afterwards

    /// The store has written everything: what the objects hold is what it holds. Gives the objects whose classes want
    /// to hear of it.
    func commit(in context: NSManagedObjectContext) -> [NSManagedObject] {
        keys.keep()
        if parentChanges != nil {
            commitToParent(in: context)
        } else {
            inserted.each { $0.commit(version: $0.versionOfNewRow) }
            updated.each { object in
                let isWritten = unwritten.isEmpty || !unwritten.contains(ObjectIdentifier(object))
                let version = object.committedVersion
                object.commit(version: isWritten ? RowVersion.next(after: version) : version)
            }
        }
        forgetDeleted(in: context)
        var calls = SaveCalls()
        var told: [NSManagedObject] = []
        objects.each { object in
            object.announceStatus()
            if calls.didSave(object) { told.append(object) }
        }
        return told
    }

    /// The parent has taken everything over. New objects keep their keys, versions are the store's.
    private func commitToParent(in context: NSManagedObjectContext) {
        for object in inserted where object.primaryKey < 0 {
            guard let store = context.store(of: object) else { continue }
            object.table = Int32(context.registry.tableNumber(store: store, root: object.runtime.rootNumber))
        }
        for object in inserted + updated { object.commit(version: object.committedVersion) }
    }

    private func forgetDeleted(in context: NSManagedObjectContext) {
        let registry = context.registry
        deleted.each { object in
            registry.depart(object)
            object.state.apply(.removal)
            object.state.mark(.untracking)
        }
    }
}

extension ObjectState {
    /// The operation of a save on the object: insert, update, delete.
    var kindToSave: SortedObjects.Kind? {
        if isNew { return isDeleted ? nil : .first }
        return isDeleted ? .third : isUpdated ? .second : nil
    }
}

extension NSManagedObject {
    final var committedVersion: Int64 {
        (committed ?? row).pointee == 0 ? 0 : Int64(bitPattern: (committed ?? row)[0])
    }

    /// The objects on the other side of relationships whose key they hold: of those that changed, and all of an object that is
    /// to be deleted.
    fileprivate final var objectsOfChangedKeys: [NSManagedObject] {
        if state.isFault { return [] }
        return runtime.properties.flatMap { property -> [NSManagedObject] in
            guard let inverse = property.relation?.inverse, !inverse.isToMany,
                state.isDeleted || isChanged(property)
            else { return [] }
            switch property.kind {
            case .toOne(let slot, let relation):
                let former = committed.flatMap { target(slot, relation: relation, in: $0) }
                return [toOne(slot, relation: relation), former].compactMap(\.self)
            case .toMany(let relation):
                guard let members = extras?.relations[relation.number] as? ToMany else { return [] }
                return state.isDeleted ? members.known : Array(members.added) + Array(members.removed)
            case .attribute, .composite, .fetched: return []
            }
        }
    }

    /// The version of the row that a save makes of a new object.
    fileprivate final var versionOfNewRow: Int64 { max(1, Int64(bitPattern: row[0])) }

    /// Indicates whether to-many relationships changed that a save must write or whose
    /// change counts as the object's.
    final var hasChangedRelations: Bool {
        guard let extras else { return false }
        var isChanged = false
        eachTouchedToMany(extras) { isChanged = isChanged || $0.isChanged }
        return isChanged
    }

    /// The numbers of the properties that are to-many relationships and have changed.
    fileprivate final func changedToManyProperties(_ extras: ObjectExtras) -> [Int] {
        var changed: [Int] = []
        for property in runtime.properties {
            guard let relation = property.relation,
                let members = extras.relations[relation.number] as? ToMany, members.isChanged
            else { continue }
            changed.append(property.number)
        }
        return changed
    }

    /// Gives objects in transformable slots the bytes that the store keeps. A store in memory has no need of a transformer
    /// that the program doesn't have.
    final func encodeTransformables(in store: @autoclosure () throws -> NSPersistentStore) throws {
        if !state.ownsRow || !withEntity({ $0.hasTransformables }) { return }
        let slots = runtime.layout.transformableSlots
        let pointer = RowPointer(row, slab: slab)
        for slot in slots where !pointer.isNull(slot.index) {
            let reference = CellReference(word: row[slot.word])
            guard reference.isBox, let object = reference.box.object, case .null = reference.box.value,
                let attribute = slot.attribute
            else { continue }
            if try store().keepsObjects, !TransformableCoding.isKnown(attribute) { continue }
            let bytes = try TransformableCoding.encode(
                object, attribute: attribute, entity: runtime.name, property: slot.name)
            OwnedRow.set(CellBox(object: object, bytes: .data(bytes)), slot: slot, in: row)
        }
    }

    /// The current values are the committed ones.
    final func commit(version: Int64) {
        if state.ownsRow {
            if state.ownsCommitted, let committed { OwnedRow.destroy(committed, layout: runtime.layout) }
            committed = row
            state.rows(.commit)
        }
        if row[0] != UInt64(bitPattern: version) {
            if !state.ownsCommitted {
                // The row is a slab's, which never changes.
                row = OwnedRow.copy(row, layout: runtime.layout)
                committed = row
                state.rows(.stamping)
            }
            row[0] = UInt64(bitPattern: version)
        }
        if let extras { eachTouchedToMany(extras) { $0.commit() } }
        var next = state
        next.apply(.commit)
        next.mark(.commit)
        state = next
        if !state.marks.contains(.pending) { endEvent() }
    }
}
