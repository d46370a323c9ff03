// Conversion between a value and what Foundation and Swift box it in. Both directions live here alone.

package import Foundation

extension Value {
    /// Any Swift or Foundation value, `nil` and `NSNull` included; what has no case of its own is kept as an
    /// object reference.
    package init(_ any: Any?) {
        // Most arguments of predicates, without a look at all that others may be.
        if let any, type(of: any) == Int.self, let number = any as? Int {
            self = .integer(Int64(number))
            return
        }
        var nesting = Nesting(left: .max)
        self.init(any, nesting: &nesting)
    }

    fileprivate init(_ any: Any?, nesting: inout Nesting) {
        guard let any = unwrapped(any) else {
            self = .null
            return
        }
        self =
            type(of: any) is AnyClass
            ? Self.fromClass(any, nesting: &nesting) : Self.fromSwift(any, nesting: &nesting)
    }

    /// A constant of a predicate: as other values, but an `NSNull` stays an object. `nil` for collections that are nested
    /// deeper than `levels`.
    package init?(constant any: Any?, levels: Int) {
        // Only objects are asked for their class: a Swift collection would be bridged for it, with all that is inside.
        if let any = unwrapped(any), type(of: any) is AnyClass, any is NSNull {
            self = .object(ObjectReference(NSNull()))
            return
        }
        var nesting = Nesting(left: levels)
        self.init(any, nesting: &nesting)
        if nesting.isExceeded { return nil }
    }

    /// The value that a constant compares as: nil for `NSNull`.
    package var compared: Value {
        if case .object(let reference) = self, reference.object is NSNull { return .null }
        return self
    }

    /// The value as Foundation would hand it out; numbers are `NSNumber`s, collections Swift collections.
    package var any: Any? {
        switch self {
        case .null: nil
        case .bool(let value): NSNumber(value: value)
        case .integer(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .decimal(let value): NSDecimalNumber(decimal: value)
        case .string(let value): value
        case .date(let value): value
        case .data(let value): value
        case .uuid(let value): value
        case .url(let value): value
        case .array(let values): values.map { $0.any ?? NSNull() }
        case .set(let values): Set(values.map(\.hashable))
        case .dictionary(let pairs):
            Dictionary(
                pairs.map { ($0.key.hashable, $0.value.any ?? NSNull()) },
                uniquingKeysWith: { first, _ in first })
        case .object(let reference): reference.object
        }
    }

    /// A number's value without loss.
    package init(_ number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self = .decimal(decimal.decimalValue)
            return
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"): self = .double(number.doubleValue)
        case UInt8(ascii: "Q"): self = Self.fromInteger(number.uint64Value)
        case UInt8(ascii: "B"): self = .bool(number.boolValue)
        case UInt8(ascii: "c") where number === NSNumber(value: true): self = .bool(true)
        case UInt8(ascii: "c") where number === NSNumber(value: false): self = .bool(false)
        default: self = .integer(number.int64Value)
        }
    }
}

extension Value {
    /// The value as an element of a Swift set or a key of a dictionary.
    private var hashable: AnyHashable {
        switch self {
        case .array(let values): NSArray(array: values.map { $0.any ?? NSNull() })
        case .dictionary(let pairs): pairs.mapValues { $0.hashable } as AnyHashable
        case .set(let values): Set(values.map(\.hashable)) as AnyHashable
        default: any as? AnyHashable ?? AnyHashable(NSNull())
        }
    }

    private static func fromClass(_ any: Any, nesting: inout Nesting) -> Value {
        switch any {
        case let value as NSNumber: Value(value)
        case is NSNull: .null
        case let value as NSString: .string(value as String)
        case let value as NSDate: .date(value as Date)
        case let value as NSData: .data(value as Data)
        case let value as NSUUID: .uuid(value as UUID)
        case let value as NSURL: .url(value as URL)
        case let value as NSOrderedSet: .array(nesting.values(value.array))
        case let value as NSSet: .set(Set(nesting.values(value.allObjects)))
        case let value as NSArray: .array(nesting.values(value))
        case let value as NSDictionary: .dictionary(nesting.pairs(value.map { ($0.key, $0.value) }))
        default: .object(ObjectReference(any as AnyObject))
        }
    }

    private static func fromSwift(_ any: Any, nesting: inout Nesting) -> Value {
        switch any {
        case let value as Value: value
        case let value as AnyHashable where type(of: any) == AnyHashable.self:
            Value(value.base, nesting: &nesting)
        case let value as String: .string(value)
        case let value as Bool: .bool(value)
        case let value as any BinaryInteger: fromInteger(value)
        case let value as Double: .double(value)
        case let value as Float: .double(Double(value))
        case let value as CGFloat: .double(Double(value))
        case let value as Decimal: .decimal(value)
        case let value as Date: .date(value)
        case let value as UUID: .uuid(value)
        case let value as Data: .data(value)
        case let value as URL: .url(value)
        default: fromSwiftCollection(any, nesting: &nesting)
        }
    }

    private static func fromSwiftCollection(_ any: Any, nesting: inout Nesting) -> Value {
        switch any {
        case let value as Substring: .string(String(value))
        case let value as Character: .string(String(value))
        case let value as [Any]: .array(nesting.values(value))
        case let value as Set<AnyHashable>: .set(Set(nesting.values(value.lazy.map(\.base))))
        case let value as [AnyHashable: Any]:
            .dictionary(nesting.pairs(value.map { ($0.key.base, $0.value) }))
        case let value as any Sequence & RandomAccessCollection: .array(nesting.values(value))
        default: .object(ObjectReference(any as AnyObject))
        }
    }

    /// Integers beyond 64 signed bits stay exact as decimals.
    private static func fromInteger(_ integer: some BinaryInteger) -> Value {
        if let exact = Int64(exactly: integer) { return .integer(exact) }
        return Decimal(string: String(integer)).map(Value.decimal) ?? .double(Double(integer))
    }
}

/// The number of levels of collections that a conversion may still go down.
private struct Nesting {
    var left: Int
    private(set) var isExceeded = false

    init(left: Int) {
        self.left = left
    }

    mutating func values(_ elements: some Sequence) -> [Value] {
        guard enter() else { return [] }
        defer { left += 1 }
        return elements.map { Value($0, nesting: &self) }
    }

    mutating func pairs(_ elements: [(key: Any, value: Any)]) -> [Value: Value] {
        guard enter() else { return [:] }
        defer { left += 1 }
        return Dictionary(
            elements.map { (Value($0.key, nesting: &self), Value($0.value, nesting: &self)) },
            uniquingKeysWith: { first, _ in first })
    }

    private mutating func enter() -> Bool {
        if left == 0 || isExceeded {
            isExceeded = true
            return false
        }
        left -= 1
        return true
    }
}

private protocol AnyOptional {
    var content: Any? { get }
}

extension Optional: AnyOptional {
    fileprivate var content: Any? { self.map { $0 as Any } }
}

/// Removes every layer of `Optional`, also those that hide inside an `Any`.
private func unwrapped(_ any: Any?) -> Any? {
    var any = any
    while let inner = any, let optional = inner as? any AnyOptional {
        any = optional.content
    }
    return any
}
