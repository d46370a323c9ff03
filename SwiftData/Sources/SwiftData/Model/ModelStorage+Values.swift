// Reading and writing attributes whose values aren't those of the store: cases of enumerations, and values that encode
// themselves.

@_spi(SwiftData) public import CoreData
import Foundation

extension _ModelStorage {
    // MARK: Cases of enumerations

    /// The case of an enumeration whose raw value the attribute holds.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    public mutating func value<Value: RawRepresentable>(_ number: Int, of model: some PersistentModel)
        -> Value
    where Value.RawValue: ManagedStorable {
        if let value: Value = value(number, of: model) { return value }
        return declared(number)
    }

    /// The case of an enumeration whose raw value the attribute holds, or nil. Nil as well for the raw value of no case.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    public mutating func value<Value: RawRepresentable>(_ number: Int, of model: some PersistentModel)
        -> Value?
    where Value.RawValue: ManagedStorable {
        noteRead(number, model)
        return Value.RawValue.loadIfPresent(from: object, place(number).attribute).flatMap(
            Value.init(rawValue:))
    }

    /// Sets the attribute to the raw value of a case.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    ///   - value: the case.
    public mutating func setValue<Value: RawRepresentable>(
        _ number: Int, of model: some PersistentModel, to value: Value
    )
    where Value.RawValue: ManagedStorable {
        setValue(number, of: model, to: value.rawValue)
    }

    /// Sets the attribute to the raw value of a case, or nil.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    ///   - value: the case, or nil.
    public mutating func setValue<Value: RawRepresentable>(
        _ number: Int, of model: some PersistentModel, to value: Value?
    )
    where Value.RawValue: ManagedStorable {
        setValue(number, of: model, to: value?.rawValue)
    }

    /// Sets the first value of the attribute to the raw value of a case.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - value: the case.
    public func initialize<Value: RawRepresentable>(_ number: Int, to value: Value)
    where Value.RawValue: ManagedStorable {
        initialize(number, to: value.rawValue)
    }

    /// Sets the first value of the attribute to the raw value of a case, or nil.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - value: the case, or nil.
    public func initialize<Value: RawRepresentable>(_ number: Int, to value: Value?)
    where Value.RawValue: ManagedStorable {
        initialize(number, to: value?.rawValue)
    }

    // MARK: Values that encode themselves

    /// The value that the attribute holds encoded.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    @_disfavoredOverload
    public func value<Value: Codable>(_ number: Int, of model: some PersistentModel) -> Value {
        noteRead(number, model)
        return object.decodedValue(base + number) ?? declared(number)
    }

    /// Sets the attribute to an encoded value.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    ///   - value: the value.
    @_disfavoredOverload
    public func setValue<Value: Codable>(_ number: Int, of model: some PersistentModel, to value: Value) {
        prepareToChange(model)
        object.encode(value, base + number)
    }

    /// Sets the first value of the attribute to an encoded one.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - value: the value.
    @_disfavoredOverload
    public func initialize<Value: Codable>(_ number: Int, to value: Value) {
        if !isOfRow { object.encode(value, base + number) }
    }

    /// The declared initial value where the store has none that the property can show: else nil, an empty collection, the
    /// first case, or whatever decodes from nothing.
    private func declared<Value>(_ number: Int) -> Value {
        if let value = object.binding.defaultValue(base + number) as? Value { return value }
        if let nothing = emptyValue(of: Value.self) { return nothing }
        brokenContract(
            "\(object.binding.modelClass.type).\(object.name(base + number)) holds no \(Value.self), and has no initial value"
        )
    }
}
