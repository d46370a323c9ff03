// One object for one row.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation
import Synchronization

extension NSManagedObjectContext {
    final var knownObjects: Set<NSManagedObject> {
        checkQueue()
        return Set(registry.all())
    }

    final func knownObject(_ objectID: NSManagedObjectID) -> NSManagedObject? {
        checkQueue()
        guard let place = place(of: objectID) else { return nil }
        return known(objectID.primaryKey, table: place.table)
    }

    /// The registered object of a key. An object of this context may have got the key at its parent, and not here yet.
    private final func known(_ primaryKey: Int64, table: Int) -> NSManagedObject? {
        if let known = registry.object(table: table, primaryKey: permanent(primaryKey)) { return known }
        guard parentContext != nil, primaryKey > 0 else { return nil }
        catchUpWithParents()
        return registry.object(table: table, primaryKey: primaryKey)
    }

    final func knownObjectOrFault(_ objectID: NSManagedObjectID) -> NSManagedObject {
        checkQueue()
        guard let place = place(of: objectID) else {
            raise(
                .invalidArgument, "\(objectID) belongs to no store of this context's coordinator",
                instead: "existingObject(with:)")
        }
        if let known = known(objectID.primaryKey, table: place.table) { return known }
        let primaryKey = permanent(objectID.primaryKey)
        return makeFault(
            place.entity, table: place.table, primaryKey: primaryKey,
            identity: primaryKey == objectID.primaryKey ? objectID : nil)
    }

    final func loadedObject(_ objectID: NSManagedObjectID) throws -> NSManagedObject {
        try beginRequest()
        if let known = knownObject(objectID) {
            if known.state.isInaccessible || known.state.isGone { throw missing(objectID) }
            if !known.state.isFault { return known }
        }
        guard !objectID.isTemporaryID || parentContext != nil, let place = place(of: objectID) else {
            throw missing(objectID)
        }
        let store = try requiredStore(ofTable: place.table)
        let slab = try lookingUp {
            try store.fetchRow(entity: place.entity, primaryKey: permanent(objectID.primaryKey))
        }
        guard let slab, slab.count > 0 else { throw missing(objectID) }
        var found: [NSManagedObject] = []
        registerRows(slab, store: store, entity: place.entity, into: &found)
        found[0].prepareToRead()
        return found[0]
    }

    final func missing(_ objectID: NSManagedObjectID) -> NSError {
        CoreDataError.make(
            NSManagedObjectReferentialIntegrityError, description: "The store has no row for \(objectID).",
            userInfo: [NSAffectedObjectsErrorKey: [objectID]])
    }

    /// The entity and the table of an ID in this context; `nil` if its store isn't the coordinator's.
    final func place(of objectID: NSManagedObjectID) -> (entity: ManagedEntity, table: Int)? {
        if objectID.isTemporaryID { return searchPlace(of: objectID) }
        let version = requiredCoordinator.storesVersion.load(ordering: .acquiring)
        if let latestPlace, latestPlace.origin === objectID.origin, latestPlace.storesVersion == version {
            return (latestPlace.entity, latestPlace.table)
        }
        guard let found = searchPlace(of: objectID) else { return nil }
        latestPlace = ObjectPlace(
            origin: objectID.origin, storesVersion: version, entity: found.entity, table: found.table)
        return found
    }

    private final func searchPlace(of objectID: NSManagedObjectID) -> (entity: ManagedEntity, table: Int)? {
        guard let entity = runtime.entity(named: objectID.runtime.name) else { return nil }
        if objectID.isTemporaryID {
            guard parentContext != nil, let store = store(ofUnsaved: objectID.primaryKey, entity)
            else { return (entity, 0) }
            return (entity, registry.tableNumber(store: store, root: entity.rootNumber))
        }
        let stores = requiredCoordinator.persistentStores
        guard
            let store = stores.first(where: { $0 === objectID.persistentStore })
                ?? stores.first(where: { $0.identifier == objectID.storeIdentifier })
        else { return nil }
        return (entity, registry.tableNumber(store: asked(store), root: entity.rootNumber))
    }

    final func store(ofTable table: Int) -> NSPersistentStore? { registry.store(ofTable: table) }

    final func requiredStore(ofTable table: Int) throws -> NSPersistentStore {
        if let store = registry.store(ofTable: table) { return store }
        throw RequestErrors.foreign("the object's store was removed from the coordinator")
    }

    /// The object of a row in the store of another object.
    final func object(
        _ entity: ManagedEntity, primaryKey: Int64, beside other: NSManagedObject
    ) -> NSManagedObject? {
        if primaryKey <= 0 && parentContext == nil {
            return registry.object(table: 0, primaryKey: primaryKey)
        }
        if primaryKey > 0, other.primaryKey > 0,
            let known = registry.object(
                table: Int(other.table) - other.runtime.rootNumber + entity.rootNumber, primaryKey: primaryKey
            )
        {
            // The tables of a store follow each other.
            return known
        }
        let beside = parentContext == nil ? registry.store(ofTable: Int(other.table)) : store(of: other)
        guard let store = beside ?? writableStore(for: entity) else { return nil }
        return object(entity, primaryKey: primaryKey, store: store)
    }

    final func object(_ entity: ManagedEntity, primaryKey: Int64, store: NSPersistentStore) -> NSManagedObject
    {
        let primaryKey = permanent(primaryKey)
        let table = registry.tableNumber(store: store, root: entity.rootNumber)
        if let known = registry.object(table: table, primaryKey: primaryKey) { return known }
        return makeFault(entity, table: table, primaryKey: primaryKey, identity: nil)
    }

    private final func makeFault(
        _ entity: ManagedEntity, table: Int, primaryKey: Int64, identity: NSManagedObjectID?
    ) -> NSManagedObject {
        let object = shell(entity)
        object.table = Int32(table)
        object.primaryKey = primaryKey
        object.identity = identity
        registry.register(object, table: table, primaryKey: primaryKey)
        if retainsRegisteredObjects { retained.insert(object) }
        return object
    }

    /// A fault of an entity's class, not yet anyone's.
    @inline(__always)
    final func shell(_ entity: ManagedEntity) -> NSManagedObject {
        shellReference = .passUnretained(entity)
        return uncounted(entity.descriptionReference) {
            entity.binding.initializer.make($0, insertInto: self)
        }
    }

    /// Gives the rows of a slab their objects, in the order of the rows. Registered faults take the row; registered objects
    /// keep what they have.
    final func registerRows(
        _ slab: RowSlab, store: NSPersistentStore, entity: ManagedEntity, into found: inout [NSManagedObject]
    ) {
        let table = registry.tableNumber(store: store, root: entity.rootNumber)
        withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: slab.count) { addresses in
            registry.find(slab, table: table, into: addresses)
            var made = false
            // The model holds its entities.
            var current = Unmanaged.passUnretained(entity)
            var (number, initializer) = (entity.number, entity.binding.initializer)
            var description = entity.descriptionReference
            for row in 0..<slab.count {
                if let address = addresses[row] {
                    let object = Unmanaged<NSManagedObject>.fromOpaque(address).takeRetainedValue()
                    give(slab, row: row, to: object)
                    addresses[row] = nil
                    found.append(object)
                    continue
                }
                if Int(slab.entities[row]) != number {
                    number = Int(slab.entities[row])
                    current = runtime.entities.reference(number)
                    (initializer, description) = uncounted(current) {
                        ($0.binding.initializer, $0.descriptionReference)
                    }
                }
                shellReference = current
                let object = uncounted(description) { initializer.make($0, insertInto: self) }
                object.table = Int32(truncatingIfNeeded: table)
                object.primaryKey = slab.primaryKeys[row]
                object.attach(slab, row: row)
                addresses[row] = Unmanaged.passUnretained(object).toOpaque()
                made = true
                found.append(object)
            }
            if made { register(slab, made: addresses, table: table, found: &found) }
        }
        if retainsRegisteredObjects { retained.formUnion(found) }
    }

    /// Gives a row to an object that is known, if it is a fault.
    @inline(__always)
    private final func give(_ slab: RowSlab, row: Int, to object: NSManagedObject) {
        if object.state.isInaccessible { reappear(object) }
        if object.state.isFault { object.attach(slab, row: row) }
    }

    /// Makes an object a fault again whose row was gone, and was written anew since.
    final func reappear(_ object: NSManagedObject) {
        if !changes.changed.isEmpty { changes.reappeared.append(object) }
        changes.withdraw(object)
        object.state.apply(.renewal)
        object.state.mark(.reversion)
        object.turnIntoFault()
        object.announceStatus()
    }

    /// Registers new objects. Of those that a damaged file's row got because it was given twice, one stands for both.
    private final func register(
        _ slab: RowSlab, made: UnsafeMutableBufferPointer<UnsafeMutableRawPointer?>, table: Int,
        found: inout [NSManagedObject]
    ) {
        if registry.register(slab, table: table, objects: made) { return }
        for place in found.indices where Int(found[place].table) == table {
            let object = found[place]
            guard let registered = registry.object(table: table, primaryKey: object.primaryKey),
                registered !== object
            else { continue }
            object.state.apply(.discarding)
            found[place] = registered
        }
    }

    // MARK: Faults

    /// Fills a fault from the store. Without a row the object becomes inaccessible, or raises; one that can't be read
    /// shows nil.
    ///
    /// - Parameter key: the property that a client reads.
    final func fulfill(_ object: NSManagedObject, for key: String?) {
        if !object.isKnownBelow { return object.becomeInaccessible() }
        do {
            if try read(object) { return }
        } catch {
            if !isInaccessible(object, because: error) {
                noteFailedRead(of: object, property: nil, for: key, cause: error)
                return object.becomeUnreadable()
            }
        }
        let handled = shouldHandleInaccessibleFault(
            object, for: object.objectID,
            triggeredByProperty: key.flatMap(object.runtime.description(ofProperty:)))
        guard handled else {
            raise(
                .objectInaccessible,
                "CoreData could not fulfill a fault for \(object.objectID): the store has no such row",
                instead: "fulfillFault(forKey:)")
        }
        object.becomeInaccessible()
    }

    /// Gives a fault its row. `false` if the store has none.
    final func read(_ object: NSManagedObject) throws -> Bool {
        let store = try requiredStore(ofTable: Int(object.table))
        return try retrying("\(object.objectID)") {
            if try fillBatch(of: object, store: store) { return true }
            guard let slab = try storedRow(of: object, store), slab.count > 0 else { return false }
            object.attach(slab, row: 0)
            return true
        }
    }

    /// The row that the store has of an object; `nil` if it is gone. A store of a client's class can say that only by
    /// throwing, so any error counts as that.
    final func storedRow(of object: NSManagedObject, _ store: NSPersistentStore) throws -> RowSlab? {
        do {
            return try lookingUp {
                try store.fetchRow(entity: object.runtime, primaryKey: object.primaryKey)
            }
        } catch  where store.deliversFaults {
            Log.warning("the store has no values of \(object.objectID): \(error)")
            return nil
        }
    }

    /// The members of a to-many relationship, read from the store. `nil` if they can't be read, of which note is taken.
    final func related(to object: NSManagedObject, _ relation: RelationRuntime) -> [NSManagedObject]? {
        do {
            return try stored(relation, of: object)
        } catch {
            if isInaccessible(object, because: error),
                shouldHandleInaccessibleFault(
                    object, for: object.objectID,
                    triggeredByProperty: object.runtime.description(ofProperty: relation.name))
            {
                return []
            }
            noteFailedRead(of: object, property: relation.name, for: relation.name, cause: error)
            return nil
        }
    }

    /// The IDs of the members that the store has.
    final func storedIDs(_ relation: RelationRuntime, of object: NSManagedObject) throws
        -> [NSManagedObjectID]
    {
        let store = try requiredStore(ofTable: Int(object.table))
        let keys = try lookingUp {
            try store.fetchRelatedKeys(relation, of: object.runtime, source: object.primaryKey)
        }
        return keys.primaryKeys.indices.map { position in
            let key = permanent(keys.primaryKeys[position])
            let entity = runtime.entities[keys.entities.map { Int($0[position]) } ?? keys.entity]
            let known = registry.object(
                table: registry.tableNumber(store: store, root: entity.rootNumber),
                primaryKey: key)
            return known?.objectID
                ?? NSManagedObjectID(entity, primaryKey: key, store: store)
        }
    }

    /// The members that the store has.
    final func stored(_ relation: RelationRuntime, of object: NSManagedObject) throws -> [NSManagedObject] {
        let store = try requiredStore(ofTable: Int(object.table))
        let destination = relation.destination(in: runtime)
        return try retrying("\"\(relation.name)\" of \(object.objectID)") {
            if store.deliversFaults {
                let keys = try readingStores {
                    try store.fetchRelatedKeys(relation, of: object.runtime, source: object.primaryKey)
                }
                return faults(keys, store: store)
            }
            var members: [NSManagedObject] = []
            try lookingUp {
                try store.fetchRelated(relation, of: object.runtime, sources: [object.primaryKey]) { rows in
                    if members.isEmpty { members.reserveCapacity(rows.slab.count) }
                    registerRows(rows.slab, store: store, entity: destination, into: &members)
                }
            }
            connectReappeared()
            return members
        }
    }
}

/// The place of the objects of IDs of one origin, as long as the coordinator's stores are the same.
struct ObjectPlace {
    let origin: IDOrigin
    /// `NSPersistentStoreCoordinator.storesVersion`
    let storesVersion: Int
    /// Sound because the context that keeps the place holds the model.
    unowned(unsafe) let entity: ManagedEntity
    let table: Int
}
