// The pointer that Apple's single-key validators take: `func validateName(_ value: AutoreleasingUnsafeMutablePointer<
// AnyObject?>) throws`. Swift has it with the Objective-C runtime only; here it is a place that holds the value, so
// that such validators build on both systems.

import Foundation

/// A place that a value is read from and written to.
public struct AutoreleasingUnsafeMutablePointer<Pointee> {
    private final class Place {
        var value: Pointee
        init(_ value: Pointee) { self.value = value }
    }

    private let place: Place

    init(holding value: Pointee) {
        place = Place(value)
    }

    /// Has a value checked at a place, as an object. A value that wasn't replaced stays as it was.
    static func pointing(
        to value: inout Any?, _ check: (AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void
    ) throws where Pointee == AnyObject? {
        let given = value.map { $0 as AnyObject }
        let pointer = AutoreleasingUnsafeMutablePointer<AnyObject?>(holding: given)
        try check(pointer)
        if pointer.pointee !== given { value = pointer.pointee }
    }

    /// Has the value at the place checked.
    func validating(_ check: (inout Any?) throws -> Void) throws where Pointee == AnyObject? {
        let given = pointee
        var value: Any? = given
        try check(&value)
        let checked = value.map { $0 as AnyObject }
        if checked !== given { pointee = checked }
    }

    /// The value at the place.
    public var pointee: Pointee {
        get { place.value }
        nonmutating set { place.value = newValue }
    }
}

extension NSManagedObject {
    /// Has the class check a value if it overrides the method that takes a pointer; else the model.
    final func validateOrPoint(to value: inout Any?, forKey key: String) throws {
        guard runtime.binding.overrides.contains(.validateValueAtPointer) else {
            return try validateModelled(&value, forKey: key)
        }
        try AutoreleasingUnsafeMutablePointer<AnyObject?>.pointing(to: &value) {
            try validateValue($0, forKey: key)
        }
    }

    /// Checks one value for a key, given as Apple's method takes it.
    ///
    /// ```swift
    /// var name: AnyObject? = "Ada" as NSString
    /// try hero.validateValue(&name, forKey: "name")
    /// ```
    ///
    /// - Parameters:
    ///   - value: the value, which may be replaced.
    ///   - key: the property's name.
    /// - Throws: what `validateValue(_:forKey:)` throws.
    public func validateValue(_ value: inout AnyObject?, forKey key: String) throws {
        var checked: Any? = value
        defer { value = checked.map { $0 as AnyObject } }
        try validateValue(&checked, forKey: key)
    }
}

extension KeyRegistry {
    /// States how one key's value is validated by a method with Apple's spelling. The value stands in the pointer as
    /// an object: a string as an `NSString`, a number as an `NSNumber`. The method may put another there.
    ///
    /// - Parameters:
    ///   - key: the property's name.
    ///   - validate: gets the object and a pointer to the value; the error that it throws comes out of the
    ///     save.
    @_disfavoredOverload
    public mutating func validator<Object: NSManagedObject>(
        _ key: String,
        _ validate: @escaping (Object, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void
    ) {
        validator(key) { (object: Object, value: inout Any?) in
            try AutoreleasingUnsafeMutablePointer<AnyObject?>.pointing(to: &value) {
                try validate(object, $0)
            }
        }
    }
}
