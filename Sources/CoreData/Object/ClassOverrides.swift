// The calls to objects, most of them of a save, that a class answers itself. The others needn't be made: a class that
// overrides nothing is saved without a call, and a value that its model accepts without being boxed.

import CSwiftRuntime
import Foundation

/// Methods of `NSManagedObject` that a class or one of its superclasses overrides.
struct ClassOverrides: OptionSet, Sendable {
    let rawValue: UInt8

    static let willSave = ClassOverrides(rawValue: 1 << 0)
    static let didSave = ClassOverrides(rawValue: 1 << 1)
    static let validateForInsert = ClassOverrides(rawValue: 1 << 2)
    static let validateForUpdate = ClassOverrides(rawValue: 1 << 3)
    static let validateForDelete = ClassOverrides(rawValue: 1 << 4)
    static let validateValue = ClassOverrides(rawValue: 1 << 5)
    static let setNilValueForKey = ClassOverrides(rawValue: 1 << 6)
    static let validateValueAtPointer = ClassOverrides(rawValue: 1 << 7)

    init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Compares the entries of the class's table of methods with those of `NSManagedObject`.
    init(of objectClass: NSManagedObject.Type) {
        self = []
        let methods: [(UnsafeRawPointer, ClassOverrides)] = [
            (managedObjectWillSave(), .willSave), (managedObjectDidSave(), .didSave),
            (managedObjectValidateForInsert(), .validateForInsert),
            (managedObjectValidateForUpdate(), .validateForUpdate),
            (managedObjectValidateForDelete(), .validateForDelete),
            (managedObjectValidateValue(), .validateValue),
            (managedObjectValidateValueAtPointer(), [.validateValue, .validateValueAtPointer]),
            (managedObjectSetNilValueForKey(), .setNilValueForKey),
        ]
        for (method, flag) in methods
        where Self.entry(method, objectClass: objectClass)
            != Self.entry(method, objectClass: NSManagedObject.self)
        {
            formUnion(flag)
        }
    }

    private static func entry(
        _ method: UnsafeRawPointer, objectClass: NSManagedObject.Type
    ) -> UnsafeMutableRawPointer? {
        swift_lookUpClassMethod(
            unsafeBitCast(objectClass, to: UnsafeRawPointer.self), method, managedObjectDescriptor())
    }
}
