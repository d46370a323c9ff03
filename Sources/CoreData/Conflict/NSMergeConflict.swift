// An object whose row changed behind its context's back.

import CoreDataSchema
public import Foundation

/// One object whose row isn't as its context saw it.
///
/// Snapshots hold attributes and to-one relationships, these as object IDs, and `NSNull` for nil. To-many
/// relationships are not among them, nor are values with external storage that were never read and whose files are gone,
/// because the newer row has another value.
open class NSMergeConflict: NSObject {
    /// The object with the context's values.
    public final let sourceObject: NSManagedObject
    /// The values that the context last read, without its changes; `nil` for an object that was never read.
    public final let objectSnapshot: [String: Any]?
    /// The values that the coordinator last knew: the newer values if another of its contexts saved them,
    /// else those that this context read.
    public final let cachedSnapshot: [String: Any]?
    /// The values in the store, if another coordinator or process wrote them; `nil` if the coordinator did, or if
    /// the row is gone.
    public final let persistedSnapshot: [String: Any]?
    /// The version that the row has now; 0 if it is gone.
    public final let newVersionNumber: Int
    /// The version that the context last read.
    public final let oldVersionNumber: Int

    /// The row as it is now, if whoever found the conflict has read it.
    final let current: RowSlab?

    /// States a conflict, as a store does that finds one in a save request.
    ///
    /// - Parameters:
    ///   - srcObject: the object whose row changed elsewhere.
    ///   - newvers: the row's version now; 0 if it was deleted.
    ///   - oldvers: the version that the object was read in.
    ///   - cachesnap: values that the object was read with, by key.
    ///   - persnap: the row's values now, by key; nil if it was deleted.
    public convenience init(
        source srcObject: NSManagedObject, newVersion newvers: Int, oldVersion oldvers: Int,
        cachedSnapshot cachesnap: [String: Any]?, persistedSnapshot persnap: [String: Any]?
    ) {
        self.init(
            srcObject, newVersion: newvers, oldVersion: oldvers, cached: cachesnap, persisted: persnap,
            current: nil)
    }

    init(
        _ object: NSManagedObject, newVersion: Int, oldVersion: Int, cached: [String: Any]?,
        persisted: [String: Any]?, current: RowSlab?
    ) {
        sourceObject = object
        objectSnapshot = object.committed.map { object.snapshot(of: RowPointer($0, slab: object.slab)) }
        cachedSnapshot = cached
        persistedSnapshot = persisted
        newVersionNumber = newVersion
        oldVersionNumber = oldVersion
        self.current = current
        super.init()
    }

    open override var description: String {
        "<NSMergeConflict of \(sourceObject.objectID): read at version \(oldVersionNumber), now "
            + (newVersionNumber == 0 ? "deleted" : "at version \(newVersionNumber)") + ">"
    }
}

extension NSMergeConflict {
    /// The row as it is now, read again if need be; `nil` if it is gone.
    final func currentRow() throws -> RowSlab? {
        if newVersionNumber == 0 { return nil }
        if let current { return current }
        guard let context = sourceObject.managedObjectContext, sourceObject.primaryKey > 0 else { return nil }
        let store = try context.requiredStore(ofTable: Int(sourceObject.table))
        let slab = try context.withNewestStores {
            try store.fetchRow(entity: sourceObject.runtime, primaryKey: sourceObject.primaryKey)
        }
        return slab.flatMap { $0.count > 0 ? $0 : nil }
    }

    /// Indicates whether the object still stands on the version that the conflict is about.
    final var isOpen: Bool {
        let object = sourceObject
        if object.state.isGone || object.state.isNew || object.primaryKey <= 0 { return false }
        return object.isPendingForSave && object.committedVersion != Int64(newVersionNumber)
    }
}

extension NSManagedObject {
    /// Attributes and to-one relationships of a row of this object's, these as object IDs.
    final func snapshot(of row: RowPointer) -> [String: Any] {
        var values: [String: Any] = [:]
        for property in runtime.properties where !property.schema.isTransient {
            switch property.kind {
            case .attribute(let slot) where slot.kind == .externalData:
                // The file of an older row's value may be gone, which is no failed read of the object.
                values[property.name] = try? externalData(slot, in: row) ?? NSNull()
            case .attribute(let slot):
                values[property.name] = committedValue(slot, property: property, row: row) ?? NSNull()
            case .composite(let slots):
                values[property.name] = compositeValue(slots, property: property, in: row) ?? NSNull()
            case .toOne(let slot, let relation):
                values[property.name] = targetID(slot, relation: relation, in: row) ?? NSNull()
            case .toMany, .fetched: break
            }
        }
        return values
    }

    private final func targetID(
        _ slot: Slot, relation: RelationRuntime, in row: RowPointer
    ) -> NSManagedObjectID? {
        if row.isNull(slot.index) { return nil }
        let primaryKey = Int64(bitPattern: row.words[slot.word])
        var entity = relation.destination(in: runtime.model)
        if slot.kind == .toOneOfSeveral {
            let number = Int(truncatingIfNeeded: row.words[slot.word + 1])
            if runtime.model.entities.indices.contains(number) { entity = runtime.model.entities[number] }
        }
        let store = registry.context?.store(ofTable: Int(table)) ?? assignedStore
        return NSManagedObjectID(entity, primaryKey: primaryKey, store: store)
    }
}
