// Reading and writing attributes.

import CModelConstruction
@_spi(SwiftData) public import CoreData
import Foundation

extension _ModelStorage {
    // MARK: Numbers, dates, strings, data

    /// The value of an attribute; for nil in the store the declared initial value.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    // Mutating though nothing changes: otherwise each accessor would begin with a copy of the storage, and count two references for it.
    @inlinable @inline(__always)
    public mutating func value<Value: ManagedStorable>(
        _ number: Int, of model: some PersistentModel
    ) -> Value {
        Self.value(base &+ number, of: .passUnretained(object))
    }

    /// Counts no reference to the object as long as its values are at hand: nobody's code runs then that could give the model another.
    @inlinable
    static func value<Value: ManagedStorable>(_ number: Int, of reference: Unmanaged<_ModelObject>) -> Value {
        if Tracking.isOn { noteTrackedRead(number, of: reference) }
        let found: Value? = reference._withUnsafeGuaranteedRef { object in
            let attribute = object.places[number].attribute
            return object.isAtHand(attribute) ? Value.loadIfPresent(from: object, attribute) : nil
        }
        return found ?? preparedValue(number, of: reference.takeUnretainedValue())
    }

    @inlinable @inline(never)
    static func preparedValue<Value: ManagedStorable>(_ number: Int, of object: _ModelObject) -> Value {
        Value.loadIfPresent(from: object, object.places[number].attribute) ?? missing(number, of: object)
    }

    /// Sets the value of an attribute.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    ///   - value: the value.
    @inlinable @inline(__always)
    public mutating func setValue<Value: ManagedStorable>(
        _ number: Int, of model: some PersistentModel, to value: Value
    ) {
        Self.setValue(base &+ number, of: model, .passUnretained(object), to: value)
    }

    /// Counts one reference to the object, as observers may run.
    @inlinable
    static func setValue<Value: ManagedStorable>(
        _ number: Int, of model: some PersistentModel, _ reference: Unmanaged<_ModelObject>, to value: Value
    ) {
        let object = reference.takeUnretainedValue()
        if !object.isHeld { object.hold(model) }
        Value.store(value, in: object, object.places[number].attribute)
    }

    /// Sets the first value of an attribute.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - value: the value.
    @inlinable
    public func initialize<Value: ManagedStorable>(_ number: Int, to value: Value) {
        if isOfRow { return }
        Value.store(value, in: object, place(number).attribute)
    }

    /// Indicates that the model is made for a row, whose values count and not those of initialisers.
    @inlinable @inline(__always)
    var isOfRow: Bool { object.isOfRow }

    /// The declared initial value, or what is nearest to nothing, which of a Double is NaN, as SQLite stores it.
    @usableFromInline @inline(never)
    static func missing<Value: ManagedStorable>(_ number: Int, of object: _ModelObject) -> Value {
        if let value = object.binding.defaultValue(number) as? Value { return value }
        if let value = emptyValue(of: Value.self) { return value }
        return Value.load(from: object, object.places[number].attribute)
    }

    // MARK: Observation, holding

    /// Tells Swift's Observation of a read, if somebody tracks it.
    @inlinable @inline(__always)
    func noteRead(_ number: Int, _ model: some PersistentModel) {
        if Tracking.isOn { Self.noteTrackedRead(base &+ number, of: .passUnretained(object)) }
    }

    @usableFromInline @inline(never)
    static func noteTrackedRead(_ number: Int, of reference: Unmanaged<_ModelObject>) {
        let object = reference.takeUnretainedValue()
        if let reader = KeyPathReader.current { return reader.note(object, number) }
        object.trackRead(of: object.name(number))
    }

    /// Has the context hold a model that is about to change.
    @inlinable @inline(__always)
    func prepareToChange(_ model: some PersistentModel) {
        if !object.isHeld { object.hold(model) }
    }
}

extension _ModelObject {
    /// Has the context hold a model that is about to change.
    @usableFromInline @inline(never)
    func hold(_ model: some PersistentModel) { modelContext?.hold(model) }
}
