// The managed object behind a model.

@_spi(SwiftData) public import CoreData
import CModelConstruction
import Foundation
import Synchronization

/// The managed object that holds the values of a model.
public final class _ModelObject: NSManagedObject {
    // Fields that each read of a property looks at, or each making of a model, are unchecked. Sound because an object belongs to its
    // context's actor, as its model does, and nobody keeps access to one of them while it calls others.

    /// The places of the properties in this object's row.
    @exclusivity(unchecked)
    @usableFromInline final var places: UnsafePointer<_Place>!
    /// Sound because the model set, which lives on, owns it.
    @exclusivity(unchecked)
    final var bindingReference: Unmanaged<ModelBinding>?
    final var binding: ModelBinding! { bindingReference?.takeUnretainedValue() }
    @exclusivity(unchecked)
    private final var reference = ModelReference()
    /// The model that shows the object, as long as somebody uses it.
    @inline(__always)
    final var model: AnyObject? {
        get { reference.model }
        set { reference.lead(to: newValue) }
    }
    /// Has a model show the object from now on.
    @inline(__always)
    final func lead(to model: __shared AnyObject) { reference.lead(to: model) }
    /// Indicates that no model was made of the object.
    @inline(__always)
    final var isUnshown: Bool { reference.isEmpty }
    /// Indicates that nothing need be done for the model before a change: no context has the object, or its context
    /// holds the model.
    @exclusivity(unchecked)
    @usableFromInline final var isHeld = true
    /// Indicates that initial values of its model's properties don't count: the object has values already.
    @exclusivity(unchecked)
    @usableFromInline final var isOfRow = false
    /// The class whose storage is the next one to take the object, while its model is being made.
    @exclusivity(unchecked)
    final var nextTaker: Unmanaged<_ModelClass>?
    /// The object that was under construction before this one.
    @exclusivity(unchecked)
    final var outer: UnsafeMutableRawPointer?
    /// The temporary identifier that a client has of the object, which isn't saved yet.
    final var temporaryID: NSManagedObjectID?
    /// Decoded values, by the numbers of properties.
    final var decoded: [Int: DecodedValue]?

    /// Makes an object for an entity, as every managed object is made.
    ///
    /// - Parameters:
    ///   - entity: the entity.
    ///   - context: the context, or nil.
    public override init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
        isHeld = context == nil
        super.init(entity: entity, insertInto: context)
    }

    deinit {
        if nextTaker != nil { Construction.abandon(self) }
    }

    @_spi(SwiftData)
    public override class var asksForPlaces: Bool { true }

    /// Makes the class known by its name.
    static let register: Void = _ModelObject.registerClass(named: "SwiftData._ModelObject")

    @inline(__always)
    func bind(_ binding: ModelBinding) {
        bindingReference = .passUnretained(binding)
        places = UnsafePointer(binding.places)
    }

    /// The object with its places, which one that its context made doesn't have yet.
    var bound: _ModelObject {
        if bindingReference == nil, let context = managedContext {
            bind(context.models.bindings[entityNumber])
        }
        return self
    }

    var modelContext: ModelContext? { managedContext?.owner }

    /// The context, if it is one of a container.
    @inline(__always)
    var managedContext: ManagedContext? { contextReference?.takeUnretainedValue() as? ManagedContext }

    func name(_ number: Int) -> String { binding.properties[number].name }
}

/// A value as it was decoded, with the bytes or the elements that it was decoded from.
struct DecodedValue {
    let stored: NSObject
    let value: Any
}

/// The model that is being made on this thread.
enum Construction {
    /// The object under construction that the storage of a class takes. Whoever makes the model holds it meanwhile.
    @inline(__always)
    static func object(for modelClass: Unmanaged<_ModelClass>) -> Unmanaged<_ModelObject>? {
        guard let address = constructedObject() else { return nil }
        let reference = Unmanaged<_ModelObject>.fromOpaque(address)
        let isNext = reference._withUnsafeGuaranteedRef { object in
            guard object.nextTaker?.toOpaque() == modelClass.toOpaque() else { return false }
            object.nextTaker = modelClass._withUnsafeGuaranteedRef { $0.superclass }.map {
                .passUnretained($0)
            }
            if object.nextTaker == nil {
                setConstructedObject(object.outer)
                object.outer = nil
            }
            return true
        }
        return isNext ? reference : nil
    }

    /// Has an object taken by the storages of a class and its superclasses, which live on as every class's do.
    @inline(__always)
    static func begin(_ object: _ModelObject, _ modelClass: Unmanaged<_ModelClass>) {
        object.outer = constructedObject()
        object.nextTaker = modelClass
        setConstructedObject(Unmanaged.passUnretained(object).toOpaque())
    }

    /// Forgets an object whose model's initialiser failed before it was made.
    static func abandon(_ object: _ModelObject) {
        if constructedObject() == Unmanaged.passUnretained(object).toOpaque() {
            setConstructedObject(object.outer)
        }
    }
}
