// The making of objects of a class that only the running program knows.

import CSwiftRuntime
import Foundation

/// A protocol of `NSManagedObject` that lets generic code make objects of its classes: an initialiser of a
/// class can be called on `T` and `Self` only if each subclass repeats it, one of a protocol always.
/// Nothing else should conform.
public protocol ManagedObjectInitializing {}

extension NSManagedObject: ManagedObjectInitializing {}

extension ManagedObjectInitializing where Self: NSManagedObject {
    /// Makes an object of the entity that bears the class's name, in the model of the context's coordinator, and inserts it
    /// into the context. Raises if no entity has the class.
    ///
    /// For classes that the running program chooses: `T(context:)`, `Self(context:)` and `type.init(context:)`. Runs the
    /// class's `init(entity:insertInto:)`.
    @_silgen_name("CoreData_initObject_context")
    @_disfavoredOverload
    public init(context moc: NSManagedObjectContext)

    /// Makes an object of an entity with the model's default values and inserts it into a context, if there is one.
    ///
    /// For classes that the running program chooses: `T(entity:insertInto:)` and `type.init(entity:insertInto:)`. Runs
    /// the class's own initialiser of this name.
    ///
    /// - Parameters:
    ///   - entity: the entity, which must not be abstract.
    ///   - context: the context; nil for an object that no save sees.
    @_silgen_name("CoreData_initObject_entity")
    @_disfavoredOverload
    public init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?)
}

extension NSManagedObject {
    /// Makes an object by the initialiser of the class that this is called on. A class that has designated initialisers of
    /// its own and doesn't override this one ends the process with the class's name, as on Apple's systems.
    final class func make(_ entity: NSEntityDescription, insertInto context: NSManagedObjectContext?)
        -> NSManagedObject
    {
        ObjectInitializer(of: self).make(entity, insertInto: context)
    }
}

/// The `init(entity:insertInto:)` of a class.
struct ObjectInitializer: @unchecked Sendable {  // addresses of code and metadata, which stay
    private let metadata: UnsafeRawPointer
    private let entry: UnsafeRawPointer

    init(of objectClass: NSManagedObject.Type) {
        metadata = unsafeBitCast(objectClass, to: UnsafeRawPointer.self)
        entry = UnsafeRawPointer(
            swift_lookUpClassMethod(metadata, managedObjectInit(), managedObjectDescriptor()))
    }

    @inline(__always)
    func make(_ entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) -> NSManagedObject {
        let object = allocateObjectOf2(
            entry, metadata, Unmanaged.passRetained(entity).toOpaque(),
            context.map { Unmanaged.passRetained($0).toOpaque() })
        return Unmanaged<NSManagedObject>.fromOpaque(object).takeRetainedValue()
    }
}

@_cdecl("CoreData_makeObject_context")
func makeObject(_ metadata: UnsafeRawPointer, context: UnsafeRawPointer) -> UnsafeMutableRawPointer {
    let objectClass = unsafeBitCast(metadata, to: NSManagedObject.Type.self)
    let context = Unmanaged<NSManagedObjectContext>.fromOpaque(context).takeRetainedValue()
    let object = objectClass.make(objectClass.entity(in: context), insertInto: context)
    return Unmanaged.passRetained(object).toOpaque()
}

@_cdecl("CoreData_makeObject_entity")
func makeObject(
    _ metadata: UnsafeRawPointer, entity: UnsafeRawPointer, context: UnsafeRawPointer?
) -> UnsafeMutableRawPointer {
    let objectClass = unsafeBitCast(metadata, to: NSManagedObject.Type.self)
    let object = objectClass.make(
        Unmanaged<NSEntityDescription>.fromOpaque(entity).takeRetainedValue(),
        insertInto: context.map { Unmanaged<NSManagedObjectContext>.fromOpaque($0).takeRetainedValue() })
    return Unmanaged.passRetained(object).toOpaque()
}
