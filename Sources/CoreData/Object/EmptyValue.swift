// The values that stand for nil in types that only generic code knows.

import Foundation

/// A collection that can be made empty. Foundation's are asked as themselves, so that no subclass takes their place.
private protocol EmptyCollection {
    static var empty: Self { get }
}

extension Array: EmptyCollection { fileprivate static var empty: Self { [] } }
extension Set: EmptyCollection { fileprivate static var empty: Self { [] } }
extension Dictionary: EmptyCollection { fileprivate static var empty: Self { [:] } }

enum EmptyValue {
    /// Nil of an optional, a collection without elements, the number 0, an empty text. Nil for types that have nothing
    /// alike.
    static func of<Value>(_ type: Value.Type) -> Value? {
        if let optional = type as? any OptionalValue.Type { return optional.nothing as? Value }
        if let collection = type as? any EmptyCollection.Type { return collection.empty as? Value }
        return foundation(type) as? Value
    }

    private static func foundation(_ type: Any.Type) -> Any? {
        switch type {
        case is NSArray.Type where type == NSArray.self: NSArray()
        case is NSSet.Type where type == NSSet.self: NSSet()
        case is NSOrderedSet.Type where type == NSOrderedSet.self: NSOrderedSet()
        case is NSDictionary.Type where type == NSDictionary.self: NSDictionary()
        case is NSString.Type where type == NSString.self: NSString()
        case is NSData.Type where type == NSData.self: NSData()
        case is NSDecimalNumber.Type where type == NSDecimalNumber.self: NSDecimalNumber.zero
        case is NSNumber.Type where type == NSNumber.self: NSNumber(value: 0)
        case is NSDate.Type where type == NSDate.self: NSDate(timeIntervalSinceReferenceDate: 0)
        default: nil
        }
    }
}
