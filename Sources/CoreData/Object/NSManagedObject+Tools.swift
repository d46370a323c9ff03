// For tools that show objects as they are stored: beyond what Apple's classes offer.

import CoreDataSchema
package import CoreDataSupport
public import Foundation

extension NSManagedObject {
    /// Returns the bytes that the store keeps for a transformable attribute, whether or not its transformer
    /// is known here.
    ///
    /// `nil` for a property of another kind, where the store has none, and for an object that was set and not
    /// yet saved.
    public final func storedData(forKey key: String) -> Data? {
        guard let property = runtime.property(key), case .attribute(let slot) = property.kind,
            slot.kind == .transformable
        else { return nil }
        prepareToRead()
        let pointer = RowPointer(row, slab: slab)
        if pointer.isNull(slot.index) { return nil }
        let reference = CellReference(word: row[slot.word])
        if reference.isBox, reference.box.object != nil { return nil }
        return pointer.data(slot)
    }

    /// Returns a number, date or text as it is stored, for tools that read many: `value(forKey:)` without a box and the casts that open
    /// it. Nil for other properties and for objects of a client's class, whose accessors decide.
    package final func plainValue(forKey key: String) -> Value? {
        guard type(of: self) == NSManagedObject.self, let keyed = runtime.kept(key)?.takeUnretainedValue(),
            let property = keyed.property, case .attribute(let slot) = property.kind
        else { return nil }
        switch slot.kind {
        case .integer16, .integer32, .integer64, .boolean, .double, .float, .date, .string:
            prepareToRead(.property(property))
            return RowPointer(row, slab: slab).value(slot)
        case .uri, .uuid, .data, .externalData, .decimal, .object, .transformable, .toOne, .toOneOfSeveral:
            return nil
        }
    }

    /// Sets the bytes that the store is to keep for a transformable attribute, as `storedData(forKey:)` gives them. No
    /// transformer is asked whether it can read them.
    ///
    /// Raises for a property of another kind.
    ///
    /// - Parameters:
    ///   - data: the bytes, or nil.
    ///   - key: the attribute's name.
    public final func setStoredData(_ data: Data?, forKey key: String) {
        guard let property = runtime.property(key), case .attribute(let slot) = property.kind,
            slot.kind == .transformable
        else { raise(.invalidArgument, "\"\(key)\" of \"\(runtime.name)\" is no transformable attribute") }
        observersWill(property.name)
        prepareToChange()
        extras?.decoded[slot.index] = nil
        OwnedRow.set(data.map { CellBox(.data($0)) }, slot: slot, in: row)
        noteChange()
        observersDid(property.name)
    }
}

extension NSManagedObjectID {
    /// The row's number in its entity's table, as in the URI's last part; `nil` for an object that was never
    /// saved and for one of a client's own kind of store.
    public final var rowNumber: Int64? { primaryKey > 0 && reference == nil ? primaryKey : nil }
}
