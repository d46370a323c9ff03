// The storage of a model: which object holds its values.

@_spi(SwiftData) import CoreData
import Foundation

/// The size of nothing: by such properties the compiler sees that initialisers set every persisted one.
@frozen
public struct _Persisted {
    /// Nothing.
    @inlinable
    public init() {}
}

/// The storage of one class's properties in a model: the object with the values, and where the class's properties begin.
public struct _ModelStorage {
    /// The object with the values.
    public var object: _ModelObject
    /// The number of the class's first property.
    @usableFromInline let base: Int
    /// Keeps the context alive that fires the faults of a model in use. Not in the object: related objects hold each other as
    /// long as their context is there, so it would never end.
    @usableFromInline var keeper: ManagedContext?

    /// The storage of a model that is being made: of the object under construction, or of a new one.
    public init(_ modelClass: __shared _ModelClass) {
        base = modelClass.inheritedCount
        if let waiting = Construction.object(for: .passUnretained(modelClass)) {
            object = waiting.takeUnretainedValue()
            keeper = base == 0 ? waiting._withUnsafeGuaranteedRef { $0.managedContext } : nil
            return
        }
        object = modelClass.binding.makeObject()
        keeper = nil
        if let superclass = modelClass.superclass { Construction.begin(object, .passUnretained(superclass)) }
    }

    /// Returns the object of a model, which knows its model from now on.
    @inline(__always)
    func object(of model: some PersistentModel) -> _ModelObject {
        if object.model == nil { object.lead(to: model) }
        return object
    }

    /// Keeps the context alive that the object is in.
    mutating func keepContext() { keeper = object.managedContext }

    /// The object and the context, uncounted.
    @inlinable @inline(__always)
    public var references: _ModelReferences {
        _ModelReferences(
            object: .passUnretained(object),
            keeper: keeper.map { UnsafeRawPointer(Unmanaged.passUnretained($0).toOpaque()) })
    }

    /// The place of a property of the class.
    @inlinable @inline(__always)
    func place(_ number: Int) -> _Place { object.places[base &+ number] }
}

/// What the storage of a model leads to. References aren't counted: they hold as long as the model is there and no code of a client runs
/// that might give it other values.
@frozen
public struct _ModelReferences {
    /// The object with the values.
    public let object: Unmanaged<_ModelObject>
    /// The context that the model keeps alive.
    @usableFromInline let keeper: UnsafeRawPointer?

    @inlinable @inline(__always)
    init(object: Unmanaged<_ModelObject>, keeper: UnsafeRawPointer?) {
        self.object = object
        self.keeper = keeper
    }
}

extension PersistentModel {
    /// The model of an object, made unless somebody uses it.
    static func of(_ object: _ModelObject) -> Self {
        if !object.isUnshown, let known = object.model { return unsafeDowncast(known, to: Self.self) }
        return make(object)
    }

    /// The same where only the running program knows the class.
    static func any(of object: _ModelObject) -> any PersistentModel { of(object) }

    /// Has the model of an object, if somebody uses it, keep the context alive that the object is in. One of a subclass that is
    /// being made has no storage for it yet, which will do so itself.
    static func keepContext(of object: _ModelObject) {
        guard object.nextTaker == nil, let known = object.model else { return }
        unsafeDowncast(known, to: Self.self)._$modelStorage.keepContext()
    }

    /// Indicates whether the model of an object of no context, if somebody uses it, was in one.
    static func hadContext(_ object: _ModelObject) -> Bool {
        guard object.nextTaker == nil, let known = object.model else { return false }
        return unsafeDowncast(known, to: Self.self)._$references.keeper != nil
    }

    private static func make(_ object: _ModelObject) -> Self {
        object.isOfRow = true
        // The binding's class is this one.
        Construction.begin(object, object.modelClass)
        let model = self.init(_$object: object)
        object.lead(to: model)
        return model
    }
}

extension _ModelObject {
    /// The class of the object's model.
    @inline(__always)
    var modelClass: Unmanaged<_ModelClass> {
        bindingReference.unsafelyUnwrapped._withUnsafeGuaranteedRef { .passUnretained($0.modelClass) }
    }

    /// The model of the object as one of its own class.
    var anyModel: any PersistentModel { binding.modelClass.type.any(of: self) }

    /// The model of the object as one of its class or a superclass.
    func model<Model: PersistentModel>(as type: Model.Type) -> Model {
        if let model { return unsafeDowncast(model, to: type) }
        if binding.modelClass.type == type { return type.of(self) }
        return unsafeDowncast(anyModel, to: type)
    }
}
