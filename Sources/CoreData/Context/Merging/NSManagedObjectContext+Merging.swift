// Taking over what other contexts and processes saved.

import CoreDataSchema
import CoreDataSupport
import Foundation

extension NSManagedObjectContext {
    final func takeOver(_ notification: Notification) {
        if notification.object as? NSManagedObjectContext === self { return }
        performAndWait {
            var changes = MergedChanges(notification.userInfo ?? [:], coordinator: requiredCoordinator)
            changes.namesReferrers = notification.object is NSManagedObjectContext
            merge(changes)
        }
    }

    static func takeOver(
        remote changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) {
        for context in contexts {
            context.performAndWait {
                var changes = MergedChanges(changeNotificationData, coordinator: context.requiredCoordinator)
                changes.namesReferrers = false
                context.merge(changes)
            }
        }
    }

    /// Takes over changes. On the context's queue.
    final func merge(_ changes: MergedChanges) {
        if changes.isEmpty { return }
        catchUpWithParents()
        processChanges()
        advanceGeneration()
        let referrers = changes.namesReferrers ? [] : referrers(to: places(of: changes.deleted))
        let (gone, there) = places(of: changes.deleted).reduce(
            into: ([NSManagedObject](), [NSManagedObjectID]())
        ) {
            sort($1.key, keys: $1.value, gone: &$0.0, there: &$0.1)
        }
        findAgain(places(of: changes.inserted + changes.updated + changes.refreshed))
        let known = mergeInsertions(places(of: changes.inserted))
        let fresh = mergeUpdates(places(of: changes.updated + changes.refreshed + referrers + known + there))
        mergeDeletions(gone)
        agree(refreshed: fresh)
        postDidMerge(changes, refreshed: fresh)
        merging.followers.deliver(changes, from: self)
    }

    /// Has both sides of relationships agree after newer rows were put under unsaved changes. This is nothing to undo.
    final func agree(refreshed objects: [NSManagedObject]) {
        let manager = undoRecorder?.manager
        manager?.disableUndoRegistration()
        defer { manager?.enableUndoRegistration() }
        undoRecorder?.noteNewerRows()
        if !changes.changed.isEmpty {
            RelationshipAgreement(
                in: self, merged: objects, type: .mergeByPropertyObjectTrumpMergePolicyType
            ).restoreUnderChanges()
        }
        processChanges()
    }

    private final func postDidMerge(_ changes: MergedChanges, refreshed: [NSManagedObject]) {
        var info: [AnyHashable: Any] = [:]
        for (key, ids) in [
            (NSInsertedObjectIDsKey, changes.inserted), (NSUpdatedObjectIDsKey, changes.updated),
            (NSRefreshedObjectIDsKey, refreshed.map(\.objectID)), (NSDeletedObjectIDsKey, changes.deleted),
        ] where !ids.isEmpty {
            info[key] = Set(ids)
        }
        NotificationCenter.default.post(
            name: .NSManagedObjectContextDidMergeChangesObjectIDs, object: self, userInfo: info)
    }

    // MARK: The objects

    /// The rows of one entity in one store.
    struct Place: Hashable {
        let entity: Int
        let table: Int
    }

    /// The rows of IDs by entity and store. IDs of stores that aren't the coordinator's are left out.
    private final func places(of ids: [NSManagedObjectID]) -> [Place: [Int64]] {
        var places: [Place: [Int64]] = [:]
        var last: (runtime: ManagedEntity, store: NSPersistentStore?, place: Place)?
        for id in ids {
            let store = id.persistentStore
            if let last, last.runtime === id.runtime, last.store === store, !id.isTemporaryID {
                places[last.place, default: []].append(permanent(id.primaryKey))
                continue
            }
            guard let id = localID(id), let found = place(of: id) else { continue }
            let place = Place(entity: found.entity.number, table: found.table)
            places[place, default: []].append(permanent(id.primaryKey))
            last = id.persistentStore === store ? (id.runtime, store, place) : nil
        }
        return places
    }

    /// The same row's ID in this coordinator. Stores of clients' classes number their rows for each coordinator
    /// anew, so their IDs are translated.
    private final func localID(_ id: NSManagedObjectID) -> NSManagedObjectID? {
        guard let theirs = id.persistentStore, theirs.persistentStoreCoordinator !== requiredCoordinator,
            id.reference != nil
        else { return id }
        return requiredCoordinator.managedObjectID(forURIRepresentation: id.uriRepresentation())
    }

    /// The objects of rows that the context has and whose rows it doesn't know to be gone.
    private final func held(_ keys: [Int64], table: Int) -> [NSManagedObject] {
        keys.compactMap { key in
            guard let object = registry.object(table: table, primaryKey: key),
                !object.state.isDeletedForGood
            else { return nil }
            return object
        }
    }

    // MARK: Their treatment

    /// Makes faults of new rows, with their values at hand: observers usually look at them. Rows that are gone by
    /// now are left out. Returns the objects that were here before, with values.
    private final func mergeInsertions(_ places: [Place: [Int64]]) -> [NSManagedObjectID] {
        var known: [NSManagedObjectID] = []
        for (place, all) in places {
            let keys = all.filter { $0 > 0 || parentContext != nil }
            let entity = runtime.entities[place.entity]
            guard !keys.isEmpty, let store = store(ofTable: place.table) else { continue }
            known += held(keys, table: place.table).filter { !$0.isFault }.map(\.objectID)
            guard !store.deliversFaults, let slabs = freshRows(entity, keys: keys, store: store) else {
                changes.noteMerged(inserted: keys.map { object(entity, primaryKey: $0, store: store) })
                continue
            }
            var inserted: [NSManagedObject] = []
            for slab in slabs {
                registerRows(slab, store: store, entity: entity, into: &inserted)
            }
            changes.noteMerged(inserted: inserted)
        }
        return known
    }

    /// Gives updated objects that are here fresh values. A fault only loses the row that it had at hand. Returns
    /// the objects whose values were replaced.
    private final func mergeUpdates(_ places: [Place: [Int64]]) -> [NSManagedObject] {
        var realised: [NSManagedObject] = []
        for (place, keys) in places {
            for object in held(keys, table: place.table) {
                if object.isFault { object.turnIntoFault() } else { realised.append(object) }
            }
        }
        let fresh = reread(realised)
        changes.noteRefreshed(fresh)
        for object in fresh { object.awake(fromSnapshotEvents: .refresh) }
        return fresh
    }

    /// Replaces the values of objects by the store's, keeping unsaved changes, with a request for each entity and
    /// store. Returns those whose rows are still there.
    final func reread(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        var fresh: [NSManagedObject] = []
        let groups = Dictionary(grouping: objects) {
            Place(entity: $0.runtime.number, table: Int($0.table))
        }
        for (place, members) in groups {
            guard let store = store(ofTable: place.table) else { continue }
            var byKey = self.byKey(members)
            let entity = runtime.entities[place.entity]
            guard let slabs = freshRows(entity, keys: Array(byKey.keys), store: store) else {
                let unchanged = byKey.values.filter { !$0.state.hasChanges }
                for object in unchanged { object.turnIntoFault() }
                fresh += unchanged
                continue
            }
            // A parent that was asked may have told of permanent keys.
            byKey = self.byKey(members)
            for slab in slabs {
                for row in 0..<slab.count {
                    guard let object = byKey[slab.primaryKeys[row]] else { continue }
                    object.takeUnderChanges(slab, row: row)
                    fresh.append(object)
                }
            }
        }
        return fresh
    }

    private final func byKey(_ objects: [NSManagedObject]) -> [Int64: NSManagedObject] {
        Dictionary(objects.map { ($0.primaryKey, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// Marks objects that are here as deleted: they keep their values and stay in the context until it saves or is
    /// reset, when nothing is left to be done for them. Delete rules were applied where they were deleted.
    private final func mergeDeletions(_ objects: [NSManagedObject]) {
        for object in objects {
            if object.state.hasRow { object.prepareToRead() }
            forgetMembership(of: object)
            let wasDeleted = object.state.isDeleted
            object.becomeDeletedElsewhere()
            if !wasDeleted { changes.noteMerged(deleted: object) }
        }
    }

    /// Tells objects whose rows are gone from those whose rows were written anew after they were deleted.
    private final func sort(
        _ place: Place, keys: [Int64], gone: inout [NSManagedObject], there: inout [NSManagedObjectID]
    ) {
        let objects = held(keys, table: place.table)
        let present = keysPresent(among: objects, in: place)
        for object in objects {
            if present.contains(object.primaryKey) {
                there.append(object.objectID)
            } else {
                gone.append(object)
            }
        }
    }

    /// Has objects come back that are known to be gone, if their rows were written anew.
    private final func findAgain(_ places: [Place: [Int64]]) {
        for (place, keys) in places {
            let gone = keys.compactMap { registry.object(table: place.table, primaryKey: $0) }
                .filter { $0.state.isDeletedForGood }
            let present = keysPresent(among: gone, in: place)
            for object in gone where present.contains(object.primaryKey) {
                reappear(object)
                changes.noteMerged(inserted: [object])
            }
        }
    }

    /// The same for objects that a refresh concerns.
    final func findAgain(_ objects: [NSManagedObject]) {
        if objects.isEmpty { return }
        let groups = Dictionary(grouping: objects) {
            Place(entity: $0.runtime.number, table: Int($0.table))
        }
        findAgain(groups.mapValues { $0.map(\.primaryKey) })
    }

    /// The keys of the objects' rows that exist. Stores of clients aren't asked, which have their own way to miss a row.
    private final func keysPresent(among objects: [NSManagedObject], in place: Place) -> Set<Int64> {
        guard !objects.isEmpty, let store = store(ofTable: place.table), !store.deliversFaults else {
            return []
        }
        let keys = objects.map(\.primaryKey)
        let slabs = freshRows(runtime.entities[place.entity], keys: keys, store: store) ?? []
        return Set(slabs.flatMap { slab in (0..<slab.count).map { slab.primaryKeys[$0] } })
    }

    /// Has the other sides of a deleted object's relationships read their members again.
    private final func forgetMembership(of object: NSManagedObject) {
        guard !object.isFault, let store = store(ofTable: Int(object.table)) else { return }
        for property in object.runtime.properties {
            guard case .toOne(let slot, let relation) = property.kind, let inverse = relation.inverse,
                inverse.isToMany, !RowPointer(object.row, slab: nil).isNull(slot.index)
            else { continue }
            let key = Int64(bitPattern: object.row[slot.word])
            let root = relation.destination(in: runtime).rootNumber
            let table = registry.tableNumber(store: store, root: root)
            let other = registry.object(table: table, primaryKey: key)
            (other?.extras?.relations[inverse.number] as? ToMany)?.unload()
        }
    }

    /// The rows of these keys that exist, read with as few requests as possible, before anything else is done with
    /// them: clients' code must not run while a store is asked. `nil` if they can't be read: a merge can't throw, and
    /// may come at any time, so its objects then ask for their rows when they are used.
    private final func freshRows(
        _ entity: ManagedEntity, keys: [Int64], store: NSPersistentStore
    ) -> [RowSlab]? {
        do {
            return try readingStores {
                var slabs: [RowSlab] = []
                try store.fetchRows(entity: entity, primaryKeys: keys) { slabs.append($0) }
                return slabs
            }
        } catch {
            Log.warning("rows of \(entity.name) can't be read to be merged: \(error)")
            return nil
        }
    }
}

extension NSManagedObject {
    /// Indicates whether a row may refer to the object's row: not once another context deleted it.
    final var hasRowToJoin: Bool { !state.isDeletedElsewhere }

    /// Counts as deleted from now on, until the next save lets the object go: nothing is left to be done for it.
    final func becomeDeletedElsewhere() {
        state.apply(.mergedDeletion)
        registry.context?.changes.trackDeletedElsewhere(self)
        noteLost()
        announceStatus()
    }

    /// Has relationships read again what the store has; unsaved changes of them stay.
    final func forgetReadRelationships() {
        guard let extras else { return }
        extras.fetched.removeAll()
        forgetUnchangedToOnes()
        for case let members as ToMany in extras.relations.all { members.unload() }
    }
}
