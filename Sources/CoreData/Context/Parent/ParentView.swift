// The contents of a parent, as its children are told: the level below it with the parent's own changes.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// One store as a parent context sees it. Made and used on the parent's queue, for one question of a child.
///
/// If the parent's changes make no difference, the level below is asked and no
/// objects are made in the parent.
struct ParentView {
    let context: NSManagedObjectContext
    /// The store that the parent itself asks.
    let store: NSPersistentStore
    /// Permanent keys that the child hasn't heard of.
    private let promoted: [Int64: Int64]

    init(_ context: NSManagedObjectContext, store: NSPersistentStore, keyReplacements: [KeyReplacement]) {
        self.context = context
        self.store = store
        promoted =
            keyReplacements.isEmpty
            ? [:] : Dictionary(keyReplacements.map { ($0.temporary, $0.key) }, uniquingKeysWith: { $1 })
    }

    // MARK: Fetches

    func rows(_ fetch: StoreFetch) throws -> [RowSlab] {
        if let objects = try changedResult(fetch) { return try packed(objects, entity: fetch.entity.managed) }
        var slabs: [RowSlab] = []
        try context.readingStores { try store.fetchRows(fetch) { slabs.append($0) } }
        return slabs.map { current($0, entity: fetch.entity.managed).slab }
    }

    func keys(_ fetch: StoreFetch) throws -> StoreKeys {
        guard let objects = try changedResult(fetch) else {
            return try context.readingStores { try store.fetchKeys(fetch) }
        }
        return keys(objects, entity: fetch.entity.managed)
    }

    func count(_ fetch: StoreFetch) throws -> Int {
        if let objects = try changedResult(fetch) { return objects.count }
        return try context.readingStores { try store.fetchCount(fetch) }
    }

    /// Values are the stores' own, whatever changed above them.
    func dictionaries(_ fetch: StoreDictionaryFetch) throws -> [[Value]] {
        try context.readingStores { try store.fetchDictionaries(fetch) }
    }

    func count(_ fetch: StoreDictionaryFetch) throws -> Int {
        try context.readingStores { try store.fetchDictionaryCount(fetch) }
    }

    /// The objects that a fetch finds in the parent; `nil` if no change of the parent matters.
    private func changedResult(_ fetch: StoreFetch) throws -> [NSManagedObject]? {
        context.applyPendingDeletes()
        let resolved = ResolvedFetch(fetch, in: store)
        if PendingOverlay(context, fetch: resolved).isEmpty { return nil }
        resolved.storeFetch.predicate = fetch.predicate?.replacingObjects(object)
        return try context.fetchObjects(resolved)
    }

    /// The parent's object of an ID in a predicate, which is judged in memory.
    private func object(_ candidate: AnyObject) -> AnyObject? {
        guard let identity = candidate as? NSManagedObjectID else { return nil }
        guard let key = promoted[identity.primaryKey] else {
            return context.knownObject(identity)
                ?? (identity.isTemporaryID ? nil : context.knownObjectOrFault(identity))
        }
        return object(identity.runtime, primaryKey: key)
    }

    // MARK: Rows by key

    func row(_ entity: ManagedEntity, primaryKey: Int64) throws -> RowSlab? {
        let key = promoted[primaryKey] ?? primaryKey
        switch standing(object(entity, primaryKey: key)) {
        case .absent: return nil
        case .known(let object): return try packed([object], entity: entity).first
        case .below:
            guard mayBeBelow(key) else { return nil }
            return try context.readingStores { try store.fetchRow(entity: entity, primaryKey: key) }
        }
    }

    func rows(_ entity: ManagedEntity, primaryKeys: [Int64]) throws -> [RowSlab] {
        var known: [NSManagedObject] = []
        var rest: [Int64] = []
        for key in primaryKeys.map({ promoted[$0] ?? $0 }) {
            switch standing(object(entity, primaryKey: key)) {
            case .absent: break
            case .known(let object): known.append(object)
            case .below: if mayBeBelow(key) { rest.append(key) }
            }
        }
        var slabs = try packed(known, entity: entity)
        if rest.isEmpty { return slabs }
        try context.readingStores {
            try store.fetchRows(entity: entity, primaryKeys: rest) { slabs.append($0) }
        }
        return slabs
    }

    /// The parent's knowledge of a row.
    private enum Standing {
        case known(NSManagedObject)
        case absent
        /// Nothing that the level below wouldn't say.
        case below
    }

    private func standing(_ object: NSManagedObject?) -> Standing {
        guard let object else { return .below }
        if !object.state.isLive { return .absent }
        return object.state.isFault ? .below : .known(object)
    }

    private func object(_ entity: ManagedEntity, primaryKey: Int64) -> NSManagedObject? {
        let table = context.registry.tableNumber(store: store, root: entity.rootNumber)
        return context.registry.object(table: table, primaryKey: primaryKey)
    }

    /// Returns whether the level below may have a row of this key: stores have none of temporary keys.
    private func mayBeBelow(_ primaryKey: Int64) -> Bool { primaryKey > 0 || context.parentContext != nil }

    // MARK: Related objects

    func related(
        _ relation: RelationRuntime, of entity: ManagedEntity, sources: [Int64]
    ) throws -> [RelatedRows] {
        let destination = relation.destination(in: context.runtime)
        var answers: [RelatedRows] = []
        var rest: [Int64] = []
        for source in sources.map({ promoted[$0] ?? $0 }) {
            if let members = members(relation, object: object(entity, primaryKey: source)) {
                answers += try packed(members, entity: destination).map { related($0, to: source) }
            } else if mayBeBelow(source) {
                rest.append(source)
            }
        }
        if rest.isEmpty { return answers }
        try context.readingStores {
            try store.fetchRelated(relation, of: entity, sources: rest) { answers.append($0) }
        }
        return answers.map { current($0, entity: destination) }
    }

    func relatedKeys(
        _ relation: RelationRuntime, of entity: ManagedEntity, source: Int64
    ) throws -> StoreKeys {
        let source = promoted[source] ?? source
        if let members = members(relation, object: object(entity, primaryKey: source)) {
            return keys(members, entity: relation.destination(in: context.runtime))
        }
        return try context.readingStores { try store.fetchRelatedKeys(relation, of: entity, source: source) }
    }

    /// The members of a relationship that the parent has read, changed, or never saved; `nil` where the level below
    /// has them as well.
    private func members(_ relation: RelationRuntime, object: NSManagedObject?) -> [NSManagedObject]? {
        guard let object, !object.state.isFault else { return nil }
        let mine = object.relations(relation)
        if object.state.isNew { return present(object.toMany(mine).objects) }
        guard let members = object.extras?.relations[mine.number] as? ToMany,
            members.isLoaded || members.isChanged
        else { return nil }
        return present(members.objects)
    }

    private func present(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        objects.filter { $0.state.isLive }
    }

    private func related(_ slab: RowSlab, to source: Int64) -> RelatedRows {
        RelatedRows(slab: slab, sources: ContiguousArray(repeating: source, count: slab.count))
    }

    private func current(_ rows: RelatedRows, entity: ManagedEntity) -> RelatedRows {
        let (slab, kept) = current(rows.slab, entity: entity)
        guard let kept else { return rows }
        return RelatedRows(
            slab: slab, sources: ContiguousArray(kept.map { rows.sources[$0] }),
            orderKeys: rows.orderKeys.map { keys in ContiguousArray(kept.map { keys[$0] }) })
    }

    // MARK: Slabs

    /// A slab with the parent's values where it has an object with values of its own, without rows that the parent
    /// deleted; the numbers of the rows that stayed, `nil` if it is the same slab.
    private func current(_ slab: RowSlab, entity: ManagedEntity) -> (slab: RowSlab, rows: [Int]?) {
        let standings = registered(slab, entity: entity).map(standing)
        let isSame = standings.allSatisfy {
            if case .below = $0 { true } else { false }
        }
        if isSame { return (slab, nil) }
        var packer = RowPacker(entity, count: slab.count)
        var kept: [Int] = []
        for (row, standing) in standings.enumerated() {
            switch standing {
            case .absent: continue
            case .known(let object): packer.append(object)
            case .below:
                packer.append(
                    RowPointer(slab.row(row), slab: slab),
                    entity: context.runtime.entities[Int(slab.entities[row])],
                    primaryKey: slab.primaryKeys[row])
            }
            kept.append(row)
        }
        return (packer.slabs.first ?? packer.empty, kept)
    }

    /// The parent's object of each row; empty if it has none.
    private func registered(_ slab: RowSlab, entity: ManagedEntity) -> [NSManagedObject?] {
        let table = context.registry.tableNumber(store: store, root: entity.rootNumber)
        return withUnsafeTemporaryAllocation(of: UnsafeMutableRawPointer?.self, capacity: slab.count) {
            found in
            found.initialize(repeating: nil)
            context.registry.find(slab, table: table, into: found)
            if found.allSatisfy({ $0 == nil }) { return [] }
            return found.map { address in
                address.map { Unmanaged<NSManagedObject>.fromOpaque($0).takeRetainedValue() }
            }
        }
    }

    /// The current values of objects, as rows. An object whose row is gone is left out.
    private func packed(_ objects: [NSManagedObject], entity: ManagedEntity) throws -> [RowSlab] {
        var packer = RowPacker(entity, count: objects.count)
        for object in objects {
            if object.state.isFault, !object.state.hasRow {
                if object.isKnownBelow { _ = try context.read(object) }
                if !object.state.hasRow { object.prepareToRead() }
            }
            if !object.state.isInaccessible && !object.state.isUnreadable { packer.append(object) }
        }
        return packer.slabs
    }

    private func keys(_ objects: [NSManagedObject], entity: ManagedEntity) -> StoreKeys {
        StoreKeys(
            primaryKeys: ContiguousArray(objects.map(\.primaryKey)),
            entities: ContiguousArray(objects.map { Int32($0.runtime.number) }), entity: entity.number)
    }
}

extension RowPacker {
    fileprivate mutating func append(_ object: NSManagedObject) {
        append(
            RowPointer(object.row, slab: object.slab), entity: object.runtime, primaryKey: object.primaryKey)
        guard let context = object.registry.context, let slab = slabs.last else { return }
        // Words of the object's row may name temporary keys, of whose replacement a younger child never heard.
        let row = slab.row(slab.count - 1)
        for slot in object.runtime.layout.toOneSlots where !RowPointer(row, slab: nil).isNull(slot.index) {
            row[slot.word] = UInt64(bitPattern: context.permanent(Int64(bitPattern: row[slot.word])))
        }
    }
}
