// Reading and writing attributes whose stored bytes a value transformer makes.

import CoreData
import Foundation

extension _ModelStorage {
    /// The value of an attribute with a transformer.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    public func valueTransformable<Value>(_ number: Int, of model: some PersistentModel) -> Value {
        noteRead(number, model)
        return object.anyValue(base + number)
    }

    /// Sets the value of an attribute with a transformer.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    ///   - value: the value.
    public func setValueTransformable<Value>(_ number: Int, of model: some PersistentModel, to value: Value) {
        prepareToChange(model)
        object.setAnyValue(base + number, to: value)
    }

    /// Sets the first value of an attribute with a transformer.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - value: the value.
    public func initializeTransformable<Value>(_ number: Int, to value: Value) {
        if !isOfRow { object.setAnyValue(base + number, to: value) }
    }
}
