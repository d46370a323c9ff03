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
    final unowned(unsafe) var binding: ModelBinding!
    @exclusivity(unchecked)
    private final var reference = ModelReference()
    /// The model that shows the object, as long as somebody uses it.
    @inline(__always)
    final var model: AnyObject? {
        get { reference.model }
        set { reference.model = newValue }
    }
    /// Indicates that nothing need be done for the model before a change: no context has the object, or its context
    /// holds the model.
    @exclusivity(unchecked)
    @usableFromInline final var isHeld = true
    /// Indicates that initial values of its model's properties don't count: the object has values already.
    @exclusivity(unchecked)
    @usableFromInline final var isOfRow = false
    /// The class whose storage is the next one to take the object, while its model is being made.
    @exclusivity(unchecked)
    final unowned(unsafe) var nextTaker: _ModelClass?
    /// The object that was under construction before this one.
    @exclusivity(unchecked)
    final unowned(unsafe) var outer: _ModelObject?
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
        self.binding = binding
        places = UnsafePointer(binding.places)
    }

    /// The object with its places, which one that its context made doesn't have yet.
    var bound: _ModelObject {
        if binding == nil, let context = managedObjectContext as? ManagedContext {
            bind(context.models.bindings[entityNumber])
        }
        return self
    }

    var modelContext: ModelContext? { (managedObjectContext as? ManagedContext)?.owner }

    func name(_ number: Int) -> String { binding.properties[number].name }
}

/// A value as it was decoded, with the bytes or the elements that it was decoded from.
struct DecodedValue {
    let stored: NSObject
    let value: Any
}

/// The model that is being made on this thread.
enum Construction {
    /// The object under construction that the storage of a class takes.
    @inline(__always)
    static func object(for modelClass: _ModelClass) -> _ModelObject? {
        guard let address = constructedObject() else { return nil }
        let object = Unmanaged<_ModelObject>.fromOpaque(address).takeUnretainedValue()
        guard object.nextTaker === modelClass else { return nil }
        pass(object, to: modelClass.superclass)
        return object
    }

    /// Has an object taken by the storages of a class and its superclasses.
    @inline(__always)
    static func begin(_ object: _ModelObject, _ modelClass: _ModelClass) {
        object.outer = constructedObject().map {
            Unmanaged<_ModelObject>.fromOpaque($0).takeUnretainedValue()
        }
        object.nextTaker = modelClass
        setConstructedObject(Unmanaged.passUnretained(object).toOpaque())
    }

    @inline(__always)
    private static func pass(_ object: _ModelObject, to superclass: _ModelClass?) {
        object.nextTaker = superclass
        if superclass != nil { return }
        setConstructedObject(object.outer.map { Unmanaged.passUnretained($0).toOpaque() })
        object.outer = nil
    }

    /// Forgets an object whose model's initialiser failed before it was made.
    static func abandon(_ object: _ModelObject) {
        if constructedObject() == Unmanaged.passUnretained(object).toOpaque() {
            setConstructedObject(object.outer.map { Unmanaged.passUnretained($0).toOpaque() })
        }
    }
}
