// Integers that Core Data has no attributes of: kept in wider ones.

public import CoreData

extension Int8: @retroactive ManagedStorable {}
extension UInt8: @retroactive ManagedStorable {}
extension UInt16: @retroactive ManagedStorable {}
extension UInt32: @retroactive ManagedStorable {}

// Of the widest the bits are kept: what is above `Int64.max` is negative in the store.

extension UInt64: @retroactive ManagedStorable {
    /// Stores the value of an attribute.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - object: the object that has the attribute.
    ///   - attribute: the attribute's key and place.
    public static func store(_ value: UInt64, in object: NSManagedObject, _ attribute: ManagedAttribute) {
        Int64.store(Int64(bitPattern: value), in: object, attribute)
    }
}

extension UInt: @retroactive ManagedStorable {
    /// Stores the value of an attribute.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - object: the object that has the attribute.
    ///   - attribute: the attribute's key and place.
    public static func store(_ value: UInt, in object: NSManagedObject, _ attribute: ManagedAttribute) {
        Int64.store(Int64(bitPattern: UInt64(value)), in: object, attribute)
    }
}
