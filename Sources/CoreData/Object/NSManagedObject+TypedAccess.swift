// Typed access to slots: what generated accessors call. No key look-up, no box.

import CoreDataSchema
import CoreDataSupport
public import Foundation

/// A type that an attribute's slot can be read as and written from, without a box.
public protocol ManagedStorable {
    /// The value of the attribute in this slot of the object.
    static func load(from object: NSManagedObject, slot: ManagedSlot) -> Self
    /// Stores the value; the object is marked as changed.
    static func store(_ value: Self, in object: NSManagedObject, slot: ManagedSlot)
}

/// Where an attribute of an entity is in its objects' rows. The same for every subentity.
public struct ManagedSlot: Sendable {
    let slot: Slot
}

extension NSManagedObject {
    /// The slot of an attribute, for repeated typed access. Raises if the entity has no such attribute.
    public final func slot(forKey key: String) -> ManagedSlot {
        guard let slot = runtime.layout.slot(named: key), slot.destination == nil else { raiseUnknown(key) }
        return ManagedSlot(slot: slot)
    }

    /// The value in a slot. Fires the fault.
    @inline(__always)
    public final subscript<Value: ManagedStorable>(slot: ManagedSlot) -> Value {
        get { Value.load(from: self, slot: slot) }
        set { Value.store(newValue, in: self, slot: slot) }
    }

    @inline(__always)
    final func word(_ slot: Slot) -> UInt64 {
        prepareToRead()
        return row[slot.word]
    }

    @inline(__always)
    final func setWord(_ word: UInt64, _ slot: Slot) {
        prepareToChange()
        SlotValue.setWord(word, slot, in: row)
        noteChange()
    }

    @inline(__always)
    final func isNull(_ slot: Slot) -> Bool {
        prepareToRead()
        return RowPointer(row, slab: nil).isNull(slot.index)
    }

    final func setBox(_ box: CellBox?, _ slot: Slot) {
        prepareToChange()
        OwnedRow.set(box, slot, in: row)
        noteChange()
    }
}

extension FixedWidthInteger {
    public static func load(from object: NSManagedObject, slot: ManagedSlot) -> Self {
        Self(truncatingIfNeeded: Int64(bitPattern: object.word(slot.slot)))
    }

    public static func store(_ value: Self, in object: NSManagedObject, slot: ManagedSlot) {
        object.setWord(UInt64(bitPattern: Int64(value)), slot.slot)
    }
}

extension Int: ManagedStorable {}
extension Int16: ManagedStorable {}
extension Int32: ManagedStorable {}
extension Int64: ManagedStorable {}

extension Bool: ManagedStorable {
    public static func load(from object: NSManagedObject, slot: ManagedSlot) -> Bool {
        object.word(slot.slot) != 0
    }

    public static func store(_ value: Bool, in object: NSManagedObject, slot: ManagedSlot) {
        object.setWord(value ? 1 : 0, slot.slot)
    }
}

extension Double: ManagedStorable {
    public static func load(from object: NSManagedObject, slot: ManagedSlot) -> Double {
        Double(bitPattern: object.word(slot.slot))
    }

    public static func store(_ value: Double, in object: NSManagedObject, slot: ManagedSlot) {
        object.setWord(value.bitPattern, slot.slot)
    }
}

extension Float: ManagedStorable {
    public static func load(from object: NSManagedObject, slot: ManagedSlot) -> Float {
        Float(Double(bitPattern: object.word(slot.slot)))
    }

    public static func store(_ value: Float, in object: NSManagedObject, slot: ManagedSlot) {
        object.setWord(Double(value).bitPattern, slot.slot)
    }
}

extension Date: ManagedStorable {
    public static func load(from object: NSManagedObject, slot: ManagedSlot) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(bitPattern: object.word(slot.slot)))
    }

    public static func store(_ value: Date, in object: NSManagedObject, slot: ManagedSlot) {
        object.setWord(value.timeIntervalSinceReferenceDate.bitPattern, slot.slot)
    }
}

extension String: ManagedStorable {
    public static func load(from object: NSManagedObject, slot: ManagedSlot) -> String {
        if object.isNull(slot.slot) { return "" }
        return RowPointer(object.row, slab: object.slab).string(slot.slot)
    }

    public static func store(_ value: String, in object: NSManagedObject, slot: ManagedSlot) {
        object.setBox(CellBox(.string(value)), slot.slot)
    }
}

extension Data: ManagedStorable {
    public static func load(from object: NSManagedObject, slot: ManagedSlot) -> Data {
        if object.isNull(slot.slot) { return Data() }
        return RowPointer(object.row, slab: object.slab).data(slot.slot)
    }

    public static func store(_ value: Data, in object: NSManagedObject, slot: ManagedSlot) {
        object.setBox(CellBox(.data(value)), slot.slot)
    }
}

extension Optional: ManagedStorable where Wrapped: ManagedStorable {
    public static func load(from object: NSManagedObject, slot: ManagedSlot) -> Wrapped? {
        object.isNull(slot.slot) ? nil : Wrapped.load(from: object, slot: slot)
    }

    public static func store(_ value: Wrapped?, in object: NSManagedObject, slot: ManagedSlot) {
        if let value { return Wrapped.store(value, in: object, slot: slot) }
        object.prepareToChange()
        SlotValue.clear(slot.slot, in: object.row)
        object.noteChange()
    }
}
