// Reading with an error: what getters can't do.

import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension NSManagedObject {
    /// Reads the object's values, and those of a property that are kept elsewhere: the members of a relationship, the
    /// file of an external value, the objects of a fetched property. Getters then read nothing more.
    ///
    /// A getter can't throw: what it can't read it shows as nil, and the context's next request throws
    /// (Docs/Errors.md). Call this before for values that must be there, or after the error to read again. An addition
    /// to Apple's class.
    ///
    /// ```swift
    /// try hero.fulfillFault(forKey: "powers")
    /// print(hero.powers?.count ?? 0)
    /// ```
    ///
    /// - Parameter key: a property whose values are to be read too.
    /// - Throws: the store's error; `NSManagedObjectReferentialIntegrityError` if the row is gone,
    ///   `NSPersistentStoreOperationError` if the object's context or store is, `NSCoreDataError` for a key that the
    ///   entity doesn't have.
    public final func fulfillFault(forKey key: String? = nil) throws {
        checkQueue()
        guard let context = registry.context else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, description: "The context of \(objectID) is gone.",
                file: nil,
                entity: runtime.name)
        }
        if state.isUnreadable {
            try context.readAgain(self)
        } else if state.isFault {
            if !state.hasRow, try !isKnownBelow || !context.read(self) {
                throw context.missing(objectID)
            }
            fire()
        }
        if state.isInaccessible { throw context.missing(objectID) }
        guard let key else { return }
        guard let property = runtime.property(key) else { throw RequestErrors.unknown(key, entity: runtime) }
        try fulfill(property, in: context)
    }

    private final func fulfill(_ property: PropertyRuntime, in context: NSManagedObjectContext) throws {
        switch property.kind {
        case .attribute(let slot): try fulfill([slot], property: property, in: context)
        case .composite(let slots): try fulfill(slots, property: property, in: context)
        case .toOne(let slot, let relation): try toOne(slot, relation: relation)?.fulfillFault()
        case .toMany(let relation):
            let members = toMany(relation)
            if members.isUnreadable { members.unload() }
            if !members.isLoaded { members.take(try context.stored(relation, of: self)) }
            context.forgetFailedRead(of: property, self)
        case .fetched:
            try fetch(property)
            context.forgetFailedRead(of: property, self)
        }
    }

    private final func fulfill(
        _ slots: [Slot], property: PropertyRuntime, in context: NSManagedObjectContext
    ) throws {
        for slot in slots where slot.kind == .externalData && !RowPointer(row, slab: nil).isNull(slot.index) {
            let reference = CellReference(word: row[slot.word])
            guard reference.isBox else { continue }
            do {
                _ = try context.retrying("\"\(property.name)\" of \(objectID)") { try reference.box.load() }
            } catch {
                throw ErrorMapping.error(error, occasion: .fetching, file: nil)
            }
        }
        context.forgetFailedRead(of: property, self)
    }

    /// The data of an external value that has no content at hand: its file is read again, and what keeps it from being
    /// read is noted. Nothing does of an object that was deleted, here or by another context: there is nothing to read.
    final func externalData(_ slot: Slot, property: PropertyRuntime, in row: RowPointer) -> Data? {
        if row.isNull(slot.index) { return nil }
        let reference = CellReference(word: row.words[slot.word])
        guard reference.isBox, let context = registry.context else { return nil }
        do {
            let value = try context.retrying("\"\(property.name)\" of \(objectID)") {
                try reference.box.load()
            }
            return if case .data(let data) = value { data } else { nil }
        } catch {
            if !hasLostRow(in: context) {
                context.noteFailedRead(of: self, property: property.name, for: property.name, cause: error)
            }
            return nil
        }
    }

    /// The same data; throws what keeps it from being read.
    final func externalData(_ slot: Slot, in row: RowPointer) throws -> Any? {
        if let value = SlotValue.any(slot, in: row) { return value }
        let reference = CellReference(word: row.words[slot.word])
        guard !row.isNull(slot.index), reference.isBox else { return nil }
        return try reference.box.load().any
    }

    /// Returns true if the object was deleted by a save, which took the files of its values with it.
    private final func hasLostRow(in context: NSManagedObjectContext) -> Bool {
        if state.isOutside { return true }
        guard primaryKey > 0, let store = try? context.requiredStore(ofTable: Int(table)) else {
            return false
        }
        do {
            return try context.storedRow(of: self, store).map { $0.count == 0 } ?? true
        } catch {
            return false
        }
    }
}

extension NSManagedObjectContext {
    /// Reads the row of an object whose row couldn't be read, under what was set since.
    fileprivate final func readAgain(_ object: NSManagedObject) throws {
        let store = try requiredStore(ofTable: Int(object.table))
        let slab = try retrying("\(object.objectID)") { try storedRow(of: object, store) }
        guard let slab, slab.count > 0 else { throw missing(object.objectID) }
        object.replacingValues { object.replaceCommitted(slab, row: 0, keepingChanges: true) }
        failedReads.removeAll { $0.object === object && $0.property == nil }
        object.awakening { object.awakeFromFetch() }
    }

    fileprivate final func forgetFailedRead(of property: PropertyRuntime, _ object: NSManagedObject) {
        if failedReads.entries.isEmpty { return }
        failedReads.removeAll { $0.object === object && $0.property == property.name }
    }
}
