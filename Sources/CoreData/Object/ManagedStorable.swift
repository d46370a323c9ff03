// The types that accessors read and write without a box.

import CoreDataSchema
import CoreDataSupport
public import Foundation

/// A type that an attribute can be read as and written from, without a box.
public protocol ManagedStorable {
    /// Returns the value of an attribute.
    ///
    /// For nil, and for a value of another type, that is what stands for it: 0, false, empty, the reference
    /// date.
    ///
    /// - Parameters:
    ///   - object: the object that has the attribute.
    ///   - attribute: the attribute's key and place.
    static func load(from object: NSManagedObject, _ attribute: ManagedAttribute) -> Self
    /// Returns the value of an attribute, or nil.
    ///
    /// - Parameters:
    ///   - object: the object that has the attribute.
    ///   - attribute: the attribute's key and place.
    static func loadIfPresent(from object: NSManagedObject, _ attribute: ManagedAttribute) -> Self?
    /// Stores the value of an attribute, which marks the object as changed.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - object: the object that has the attribute.
    ///   - attribute: the attribute's key and place.
    static func store(_ value: Self, in object: NSManagedObject, _ attribute: ManagedAttribute)
}

extension Optional: ManagedStorable where Wrapped: ManagedStorable {
    @inlinable
    public static func load(from object: NSManagedObject, _ attribute: ManagedAttribute) -> Wrapped? {
        Wrapped.loadIfPresent(from: object, attribute)
    }

    @inlinable
    public static func loadIfPresent(
        from object: NSManagedObject, _ attribute: ManagedAttribute
    ) -> Wrapped?? {
        Wrapped.loadIfPresent(from: object, attribute)
    }

    @inlinable
    public static func store(_ value: Wrapped?, in object: NSManagedObject, _ attribute: ManagedAttribute) {
        if let value { Wrapped.store(value, in: object, attribute) } else { object.storeNil(attribute) }
    }
}

// MARK: Numbers: the word of the row

extension ManagedStorable where Self: FixedWidthInteger {
    @inlinable @inline(__always)
    public static func load(from object: NSManagedObject, _ attribute: ManagedAttribute) -> Self {
        Self(truncatingIfNeeded: Int64(bitPattern: object.loadWord(attribute, form: .integer)))
    }

    /// Returns the value of an attribute; nil if the attribute is nil, or holds no integer.
    ///
    /// - Parameters:
    ///   - object: the object that has the attribute.
    ///   - attribute: the attribute's key and place.
    @inlinable @inline(__always)
    public static func loadIfPresent(from object: NSManagedObject, _ attribute: ManagedAttribute) -> Self? {
        object.isNil(attribute, form: .integer) ? nil : load(from: object, attribute)
    }

    @inlinable
    public static func store(_ value: Self, in object: NSManagedObject, _ attribute: ManagedAttribute) {
        object.storeWord(UInt64(bitPattern: Int64(value)), form: .integer, attribute: attribute)
    }
}

extension Int: ManagedStorable {}
extension Int16: ManagedStorable {}
extension Int32: ManagedStorable {}
extension Int64: ManagedStorable {}

extension Bool: ManagedStorable {
    @inlinable @inline(__always)
    public static func load(from object: NSManagedObject, _ attribute: ManagedAttribute) -> Bool {
        object.loadWord(attribute, form: .boolean) != 0
    }

    @inlinable @inline(__always)
    public static func loadIfPresent(from object: NSManagedObject, _ attribute: ManagedAttribute) -> Self? {
        object.isNil(attribute, form: .boolean) ? nil : load(from: object, attribute)
    }

    @inlinable
    public static func store(_ value: Bool, in object: NSManagedObject, _ attribute: ManagedAttribute) {
        object.storeWord(value ? 1 : 0, form: .boolean, attribute: attribute)
    }
}

extension Double: ManagedStorable {
    @inlinable @inline(__always)
    public static func load(from object: NSManagedObject, _ attribute: ManagedAttribute) -> Double {
        Double(bitPattern: object.loadWord(attribute, form: .double))
    }

    @inlinable @inline(__always)
    public static func loadIfPresent(from object: NSManagedObject, _ attribute: ManagedAttribute) -> Self? {
        object.isNil(attribute, form: .double) ? nil : load(from: object, attribute)
    }

    @inlinable
    public static func store(_ value: Double, in object: NSManagedObject, _ attribute: ManagedAttribute) {
        object.storeWord(value.bitPattern, form: .double, attribute: attribute)
    }
}

extension Float: ManagedStorable {
    @inlinable @inline(__always)
    public static func load(from object: NSManagedObject, _ attribute: ManagedAttribute) -> Float {
        Float(Double(bitPattern: object.loadWord(attribute, form: .double)))
    }

    @inlinable @inline(__always)
    public static func loadIfPresent(from object: NSManagedObject, _ attribute: ManagedAttribute) -> Self? {
        object.isNil(attribute, form: .double) ? nil : load(from: object, attribute)
    }

    @inlinable
    public static func store(_ value: Float, in object: NSManagedObject, _ attribute: ManagedAttribute) {
        object.storeWord(Double(value).bitPattern, form: .double, attribute: attribute)
    }
}

extension Date: ManagedStorable {
    @inlinable @inline(__always)
    public static func load(from object: NSManagedObject, _ attribute: ManagedAttribute) -> Date {
        Date(timeIntervalSinceReferenceDate: Double(bitPattern: object.loadWord(attribute, form: .date)))
    }

    @inlinable @inline(__always)
    public static func loadIfPresent(from object: NSManagedObject, _ attribute: ManagedAttribute) -> Self? {
        object.isNil(attribute, form: .date) ? nil : load(from: object, attribute)
    }

    @inlinable
    public static func store(_ value: Date, in object: NSManagedObject, _ attribute: ManagedAttribute) {
        object.storeWord(value.timeIntervalSinceReferenceDate.bitPattern, form: .date, attribute: attribute)
    }
}

// MARK: Contents of a cell

extension String: ManagedStorable {
    public static func load(from object: NSManagedObject, _ attribute: ManagedAttribute) -> String {
        object.loadString(attribute) ?? ""
    }

    public static func loadIfPresent(from object: NSManagedObject, _ attribute: ManagedAttribute) -> String? {
        object.loadString(attribute)
    }

    public static func store(_ value: String, in object: NSManagedObject, _ attribute: ManagedAttribute) {
        object.storeString(value, attribute: attribute)
    }
}

extension Data: ManagedStorable {
    public static func load(from object: NSManagedObject, _ attribute: ManagedAttribute) -> Data {
        loadIfPresent(from: object, attribute) ?? Data()
    }

    public static func loadIfPresent(from object: NSManagedObject, _ attribute: ManagedAttribute) -> Data? {
        object.loadReference(attribute, kind: .data) { if case .data(let data) = $0 { data } else { nil } }
    }

    public static func store(_ value: Data, in object: NSManagedObject, _ attribute: ManagedAttribute) {
        object.storeReference(CellBox(.data(value)), as: .data, attribute: attribute)
    }
}

extension Decimal: ManagedStorable {
    public static func load(from object: NSManagedObject, _ attribute: ManagedAttribute) -> Decimal {
        loadIfPresent(from: object, attribute) ?? 0
    }

    public static func loadIfPresent(
        from object: NSManagedObject, _ attribute: ManagedAttribute
    ) -> Decimal? {
        object.loadReference(attribute, kind: .decimal) {
            if case .decimal(let number) = $0 { number } else { nil }
        }
    }

    public static func store(_ value: Decimal, in object: NSManagedObject, _ attribute: ManagedAttribute) {
        object.storeReference(CellBox(.decimal(value)), as: .decimal, attribute: attribute)
    }
}

extension UUID: ManagedStorable {
    public static func load(from object: NSManagedObject, _ attribute: ManagedAttribute) -> UUID {
        if let value = loadIfPresent(from: object, attribute) { return value }
        if object.hasLayoutMismatch(attribute) {
            return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
        }
        object.raiseNil(attribute, type: UUID.self)
    }

    public static func loadIfPresent(from object: NSManagedObject, _ attribute: ManagedAttribute) -> UUID? {
        object.loadReference(attribute, kind: .uuid) { if case .uuid(let uuid) = $0 { uuid } else { nil } }
    }

    public static func store(_ value: UUID, in object: NSManagedObject, _ attribute: ManagedAttribute) {
        object.storeReference(CellBox(.uuid(value)), as: .uuid, attribute: attribute)
    }
}

extension URL: ManagedStorable {
    public static func load(from object: NSManagedObject, _ attribute: ManagedAttribute) -> URL {
        if let value = loadIfPresent(from: object, attribute) { return value }
        if object.hasLayoutMismatch(attribute) { return URL(fileURLWithPath: "/dev/null") }
        object.raiseNil(attribute, type: URL.self)
    }

    public static func loadIfPresent(from object: NSManagedObject, _ attribute: ManagedAttribute) -> URL? {
        object.loadReference(attribute, kind: .uri) { if case .url(let url) = $0 { url } else { nil } }
    }

    public static func store(_ value: URL, in object: NSManagedObject, _ attribute: ManagedAttribute) {
        object.storeReference(CellBox(.url(value)), as: .uri, attribute: attribute)
    }
}
