// For tools that show objects as they are stored: beyond what Apple's classes offer.

import CoreDataSchema
public import Foundation

extension NSManagedObject {
    /// The bytes that the store keeps for a transformable attribute, whether or not its transformer is known
    /// here.
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
}

extension NSManagedObjectID {
    /// The row's number in its entity's table, as in the URI's last part; `nil` for an object that was never
    /// saved and for one of a client's own kind of store.
    public final var rowNumber: Int64? { primaryKey > 0 && reference == nil ? primaryKey : nil }
}
