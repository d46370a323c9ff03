// Typed access to slots: what generated accessors call. Inlined into the client: no key look-up, no box, no call
// for a number of an object whose values are there.

import CoreDataSchema
import CoreDataSupport
public import Foundation

/// Where an attribute of an entity is in its objects' rows. The same for every subentity.
@frozen
public struct ManagedSlot: Sendable {
    @usableFromInline let word: Int
    @usableFromInline let index: Int
}

/// A type that an attribute's slot can be read as and written from, without a box.
public protocol ManagedStorable {
    /// The value of the attribute in this slot of the object.
    static func load(from object: NSManagedObject, slot: ManagedSlot) -> Self
    /// Stores the value; the object is marked as changed.
    static func store(_ value: Self, in object: NSManagedObject, slot: ManagedSlot)
}

extension NSManagedObject {
    /// The slot of an attribute, for repeated typed access. Raises if the entity has no such attribute.
    public final func slot(forKey key: String) -> ManagedSlot {
        guard let slot = runtime.layout.slot(named: key), !slot.isRelationship else { raiseUnknown(key) }
        return ManagedSlot(word: slot.word, index: slot.index)
    }

    /// The value in a slot. Fires the fault.
    @inlinable
    public final subscript<Value: ManagedStorable>(slot: ManagedSlot) -> Value {
        get { Value.load(from: self, slot: slot) }
        set { Value.store(newValue, in: self, slot: slot) }
    }

    /// The word in a slot; 0 for nil.
    @inlinable @inline(__always)
    final func loadWord(_ slot: ManagedSlot) -> UInt64 {
        if stateBits & ObjectState.slowBits != 0 { prepareSlowly(slot: slot.index) }
        return row[slot.word]
    }

    @inlinable @inline(__always)
    final func isNil(_ slot: ManagedSlot) -> Bool {
        if stateBits & ObjectState.slowBits != 0 { prepareSlowly(slot: slot.index) }
        return row[-1 - slot.index >> 6] & (1 << UInt64(slot.index & 63)) != 0
    }

    @usableFromInline
    final func storeWord(_ word: UInt64, _ slot: ManagedSlot) {
        observersWill(key(of: slot))
        prepareToChange()
        row[slot.word] = word
        RowPointer(row, slab: nil).setNull(slot.index, false)
        noteChange()
        observersDid(key(of: slot))
    }

    @usableFromInline
    final func storeNil(_ slot: ManagedSlot) {
        observersWill(key(of: slot))
        prepareToChange()
        SlotValue.clear(runtime.layout.slots[slot.index], in: row)
        noteChange()
        observersDid(key(of: slot))
    }

    private final func key(of slot: ManagedSlot) -> String {
        runtime.properties[runtime.slotProperties[slot.index]].name
    }

    @usableFromInline
    final func loadString(_ slot: ManagedSlot) -> String {
        prepareToRead(.slot(slot.index))
        return RowPointer(row, slab: slab).string(at: slot.word)
    }

    @usableFromInline
    final func loadData(_ slot: ManagedSlot) -> Data {
        prepareToRead(.slot(slot.index))
        return RowPointer(row, slab: slab).data(at: slot.word)
    }

    @usableFromInline
    final func storeString(_ value: String, _ slot: ManagedSlot) { storeBox(CellBox(.string(value)), slot) }

    @usableFromInline
    final func storeData(_ value: Data, _ slot: ManagedSlot) { storeBox(CellBox(.data(value)), slot) }

    private final func storeBox(_ box: CellBox, _ slot: ManagedSlot) {
        observersWill(key(of: slot))
        prepareToChange()
        OwnedRow.set(box, runtime.layout.slots[slot.index], in: row)
        noteChange()
        observersDid(key(of: slot))
    }
}

extension ManagedStorable where Self: FixedWidthInteger {
    @inlinable
    public static func load(from object: NSManagedObject, slot: ManagedSlot) -> Self {
        Self(truncatingIfNeeded: Int64(bitPattern: object.loadWord(slot)))
    }

    @inlinable
    public static func store(_ value: Self, in object: NSManagedObject, slot: ManagedSlot) {
        object.storeWord(UInt64(bitPattern: Int64(value)), slot)
    }
}

extension Int: ManagedStorable {}
extension Int16: ManagedStorable {}
extension Int32: ManagedStorable {}
extension Int64: ManagedStorable {}

extension Bool: ManagedStorable {
    @inlinable
    public static func load(from object: NSManagedObject, slot: ManagedSlot) -> Bool {
        object.loadWord(slot) != 0
    }

    @inlinable
    public static func store(_ value: Bool, in object: NSManagedObject, slot: ManagedSlot) {
        object.storeWord(value ? 1 : 0, slot)
    }
}

extension Double: ManagedStorable {
    @inlinable
    public static func load(from object: NSManagedObject, slot: ManagedSlot) -> Double {
        Double(bitPattern: object.loadWord(slot))
    }

    @inlinable
    public static func store(_ value: Double, in object: NSManagedObject, slot: ManagedSlot) {
        object.storeWord(value.bitPattern, slot)
    }
}

extension Float: ManagedStorable {
    @inlinable
    public static func load(from object: NSManagedObject, slot: ManagedSlot) -> Float {
        Float(Double(bitPattern: object.loadWord(slot)))
    }

    @inlinable
    public static func store(_ value: Float, in object: NSManagedObject, slot: ManagedSlot) {
        object.storeWord(Double(value).bitPattern, slot)
    }
}

extension Date: ManagedStorable {
    @inlinable
    public static func load(from object: NSManagedObject, slot: ManagedSlot) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(bitPattern: object.loadWord(slot)))
    }

    @inlinable
    public static func store(_ value: Date, in object: NSManagedObject, slot: ManagedSlot) {
        object.storeWord(value.timeIntervalSinceReferenceDate.bitPattern, slot)
    }
}

extension String: ManagedStorable {
    @inlinable
    public static func load(from object: NSManagedObject, slot: ManagedSlot) -> String {
        object.loadString(slot)
    }

    @inlinable
    public static func store(_ value: String, in object: NSManagedObject, slot: ManagedSlot) {
        object.storeString(value, slot)
    }
}

extension Data: ManagedStorable {
    @inlinable
    public static func load(from object: NSManagedObject, slot: ManagedSlot) -> Data { object.loadData(slot) }

    @inlinable
    public static func store(_ value: Data, in object: NSManagedObject, slot: ManagedSlot) {
        object.storeData(value, slot)
    }
}

extension Optional: ManagedStorable where Wrapped: ManagedStorable {
    @inlinable
    public static func load(from object: NSManagedObject, slot: ManagedSlot) -> Wrapped? {
        object.isNil(slot) ? nil : Wrapped.load(from: object, slot: slot)
    }

    @inlinable
    public static func store(_ value: Wrapped?, in object: NSManagedObject, slot: ManagedSlot) {
        if let value { Wrapped.store(value, in: object, slot: slot) } else { object.storeNil(slot) }
    }
}
