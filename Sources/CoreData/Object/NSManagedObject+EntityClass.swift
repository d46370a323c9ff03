// The class of an object that was made of a superclass: `NSManagedObject(entity: person, insertInto: context)` is a `Person`
// where the entity says so. Apple's initialiser returns another object; Swift's can't, but may change the object's class.

import CoreDataSchema
import CoreDataSupport
import CSwiftRuntime
import Foundation

extension NSManagedObject {
    /// Makes the object one of a subclass that adds no stored properties: its memory is the same but for the first word, which
    /// leads to the class.
    @inline(never)
    final func become(_ objectClass: NSManagedObject.Type) {
        invariant(objectClass.hasFields(of: Self.self), "an object has the memory of the class that it takes")
        Unmanaged.passUnretained(self).toOpaque()
            .storeBytes(of: objectClass.metadata, as: UnsafeRawPointer.self)
    }

    /// Returns whether this class derives from another and adds no stored properties.
    static func hasFields(of base: NSManagedObject.Type) -> Bool {
        derives(from: base)
            && _swift_getSwiftClassInstanceExtents(metadata).positive
                == _swift_getSwiftClassInstanceExtents(base.metadata).positive
    }

    static func derives(from base: NSManagedObject.Type) -> Bool {
        var next: AnyClass? = self
        while let found = next, found != base { next = _getSuperclass(found) }
        return next != nil
    }

    private static var metadata: UnsafeRawPointer { unsafeBitCast(self, to: UnsafeRawPointer.self) }
}

extension ManagedEntity {
    /// Returns the class that a new object takes which a client makes of another: the entity's own, where that derives from
    /// the other and adds no stored properties, to which only its own initialiser gives values.
    func classToTake(insteadOf objectClass: NSManagedObject.Type) -> NSManagedObject.Type {
        if isBound(to: objectClass) { return objectClass }
        let own = self.objectClass
        guard own != objectClass, own.derives(from: objectClass) else { return objectClass }
        guard own.hasFields(of: objectClass) else {
            warnOfFields(of: own, insteadOf: objectClass)
            return objectClass
        }
        return own
    }

    private func warnOfFields(of own: NSManagedObject.Type, insteadOf objectClass: NSManagedObject.Type) {
        guard isFirstWarningOfFields else { return }
        Log.warning(
            "\(objectClass)(entity:insertInto:) makes a \(objectClass) of entity \"\(name)\", whose class "
                + "\(own) has stored properties: make it by \(own)(entity:insertInto:), or by "
                + "NSEntityDescription.insertNewObject(forEntityName:into:)")
    }
}
