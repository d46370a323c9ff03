// The values of a model as a value of their own.

import CoreData
import Foundation

/// The values of a model, apart from the model.
public protocol BackingData<Model> {
    /// The class of the model.
    associatedtype Model: PersistentModel

    /// The values of a new model.
    init(for modelType: Model.Type)

    /// The model's identifier; nil for values of no model.
    var persistentModelID: PersistentIdentifier? { get set }
    /// Anything that the values' maker keeps with them.
    var metadata: Any { get set }

    /// Returns the value of an attribute.
    func getValue<Value: Decodable>(forKey: KeyPath<Model, Value>) -> Value
    /// Returns the model that a relationship leads to.
    func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>) -> Value
    /// Returns the model that a relationship leads to, or nil.
    func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>) -> Value?
    /// Returns the models that a relationship leads to.
    func getValue<Value: RelationshipCollection, OtherModel: PersistentModel>(
        forKey: KeyPath<Model, Value>
    ) -> Value where OtherModel == Value.PersistentElement
    /// Returns the value of an attribute with a transformer.
    func getTransformableValue<Value>(forKey: KeyPath<Model, Value>) -> Value

    /// Sets the value of an attribute.
    func setValue<Value: Encodable>(forKey: KeyPath<Model, Value>, to newValue: Value)
    /// Lets a relationship lead to a model.
    func setValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>, to newValue: Value)
    /// Lets a relationship lead to a model, or nowhere.
    func setValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>, to newValue: Value?)
    /// Lets a relationship lead to models.
    func setValue<Value: RelationshipCollection, OtherModel: PersistentModel>(
        forKey: KeyPath<Model, Value>, to newValue: Value
    ) where OtherModel == Value.PersistentElement
    /// Sets the value of an attribute with a transformer.
    func setTransformableValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value)
}

/// The values of a model in the library's own form.
struct ObjectBackingData<Model: PersistentModel>: BackingData, ObjectBacked {
    let object: _ModelObject
    var metadata: Any = ()
    private var statedID: PersistentIdentifier?

    init(for modelType: Model.Type) { object = modelType._$modelClass.binding.makeObject() }

    init(_ object: _ModelObject) { self.object = object }

    var persistentModelID: PersistentIdentifier? {
        get { statedID ?? (object.managedObjectContext == nil ? nil : PersistentIdentifier(object)) }
        set { statedID = newValue }
    }

    private func number(_ keyPath: PartialKeyPath<Model>) -> Int { object.number(Model.name(of: keyPath)) }

    func getValue<Value: Decodable>(forKey: KeyPath<Model, Value>) -> Value {
        object.anyValue(number(forKey))
    }
    func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>) -> Value {
        object.anyValue(number(forKey))
    }
    func getValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>) -> Value? {
        object.anyValue(number(forKey))
    }
    func getValue<Value: RelationshipCollection, OtherModel: PersistentModel>(
        forKey: KeyPath<Model, Value>
    ) -> Value where OtherModel == Value.PersistentElement { object.anyValue(number(forKey)) }
    func getTransformableValue<Value>(forKey: KeyPath<Model, Value>) -> Value {
        object.anyValue(number(forKey))
    }

    func setValue<Value: Encodable>(forKey: KeyPath<Model, Value>, to newValue: Value) {
        object.setAnyValue(number(forKey), to: newValue)
    }
    func setValue<Value: PersistentModel>(forKey: KeyPath<Model, Value>, to newValue: Value) {
        object.setAnyValue(number(forKey), to: newValue)
    }
    func setValue<Value: PersistentModel>(forKey: KeyPath<Model, Value?>, to newValue: Value?) {
        object.setAnyValue(number(forKey), to: newValue)
    }
    func setValue<Value: RelationshipCollection, OtherModel: PersistentModel>(
        forKey: KeyPath<Model, Value>, to newValue: Value
    ) where OtherModel == Value.PersistentElement { object.setAnyValue(number(forKey), to: newValue) }
    func setTransformableValue<Value>(forKey: KeyPath<Model, Value>, to newValue: Value) {
        object.setAnyValue(number(forKey), to: newValue)
    }
}

/// Values that the library's own object holds.
protocol ObjectBacked {
    var object: _ModelObject { get }
}

extension PersistentModel {
    /// A model of given values, which it shares with whoever has them.
    public init(backingData: any BackingData<Self>) {
        let object = (backingData as? any ObjectBacked)?.object ?? Self.copy(backingData)
        object.isOfRow = true
        Construction.begin(object, .passUnretained(Self._$modelClass))
        self.init(_$object: object)
        object.model = self
    }

    /// The values of somebody else's form in an object.
    private static func copy(_ data: any BackingData<Self>) -> _ModelObject {
        let object = _$modelClass.binding.makeObject()
        for (number, property) in object.binding.properties.enumerated() {
            object.copyValue(number, property.keypath, data)
        }
        return object
    }

    /// The model's values.
    public var persistentBackingData: any BackingData<Self> {
        get { ObjectBackingData<Self>(_$modelStorage.object(of: self)) }
        set {
            _$takeObject((newValue as? any ObjectBacked)?.object ?? Self.copy(newValue))
            _$modelStorage.keepContext()
        }
    }

    /// Returns the values of a new model.
    public static func createBackingData<P: PersistentModel>() -> some BackingData<P> {
        ObjectBackingData<P>(for: P.self)
    }
}

extension PersistentModel {
    /// Returns the value of an attribute.
    public func getValue<Value: Decodable>(forKey: KeyPath<Self, Value>) -> Value {
        persistentBackingData.getValue(forKey: forKey)
    }

    /// Returns the model that a relationship leads to, or nil.
    public func getValue<Value: PersistentModel>(forKey: KeyPath<Self, Value?>) -> Value? {
        persistentBackingData.getValue(forKey: forKey)
    }

    /// Returns the models that a relationship leads to.
    public func getValue<Value: RelationshipCollection, OtherModel: PersistentModel>(
        forKey: KeyPath<Self, Value>
    ) -> Value where OtherModel == Value.PersistentElement {
        persistentBackingData.getValue(forKey: forKey)
    }

    /// Returns the value of an attribute with a transformer.
    public func getTransformableValue<Value>(forKey: KeyPath<Self, Value>) -> Value {
        persistentBackingData.getTransformableValue(forKey: forKey)
    }

    /// Sets the value of an attribute.
    ///
    /// - Parameters:
    ///   - forKey: the property.
    ///   - newValue: the value.
    public func setValue<Value: Encodable>(forKey: KeyPath<Self, Value>, to newValue: Value) {
        _$modelStorage.prepareToChange(self)
        persistentBackingData.setValue(forKey: forKey, to: newValue)
    }

    /// Lets a relationship lead to a model, or nowhere.
    ///
    /// - Parameters:
    ///   - forKey: the property.
    ///   - newValue: the model on the other side.
    public func setValue<Value: PersistentModel>(forKey: KeyPath<Self, Value?>, to newValue: Value?) {
        _$modelStorage.prepareToChange(self)
        persistentBackingData.setValue(forKey: forKey, to: newValue)
    }

    /// Lets a relationship lead to models.
    ///
    /// - Parameters:
    ///   - forKey: the property.
    ///   - newValue: the models on the other side.
    public func setValue<Value: RelationshipCollection, OtherModel: PersistentModel>(
        forKey: KeyPath<Self, Value>, to newValue: Value
    ) where OtherModel == Value.PersistentElement {
        _$modelStorage.prepareToChange(self)
        persistentBackingData.setValue(forKey: forKey, to: newValue)
    }

    /// Sets the value of an attribute with a transformer.
    ///
    /// - Parameters:
    ///   - forKey: the property.
    ///   - newValue: the value.
    public func setTransformableValue<Value>(forKey: KeyPath<Self, Value>, to newValue: Value) {
        _$modelStorage.prepareToChange(self)
        persistentBackingData.setTransformableValue(forKey: forKey, to: newValue)
    }
}
