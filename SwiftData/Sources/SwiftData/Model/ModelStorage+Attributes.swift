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
    @inlinable
    public func value<Value: ManagedStorable>(_ number: Int, of model: some PersistentModel) -> Value {
        noteRead(number, model)
        if _isOptional(Value.self) { return Value.load(from: object, place(number).attribute) }
        return Value.loadIfPresent(from: object, place(number).attribute) ?? missing(number)
    }

    /// Sets the value of an attribute.
    ///
    /// - Parameters:
    ///   - number: the property's number in its class.
    ///   - model: the model.
    ///   - value: the value.
    @inlinable
    public func setValue<Value: ManagedStorable>(
        _ number: Int, of model: some PersistentModel, to value: Value
    ) {
        prepareToChange(model)
        Value.store(value, in: object, place(number).attribute)
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
    func missing<Value: ManagedStorable>(_ number: Int) -> Value {
        if let value = object.binding.defaultValue(base + number) as? Value { return value }
        if let value = emptyValue(of: Value.self) { return value }
        return Value.load(from: object, place(number).attribute)
    }

    // MARK: Observation, holding

    /// Tells Swift's Observation of a read, if somebody tracks it.
    @inlinable @inline(__always)
    func noteRead(_ number: Int, _ model: some PersistentModel) {
        if Tracking.isOn { noteTrackedRead(number) }
    }

    @usableFromInline @inline(never)
    func noteTrackedRead(_ number: Int) {
        if let reader = KeyPathReader.current { return reader.note(object, base + number) }
        object.trackRead(of: object.name(base + number))
    }

    /// Has the context hold a model that is about to change.
    @inlinable @inline(__always)
    func prepareToChange(_ model: some PersistentModel) {
        if !object.isHeld { hold(model) }
    }

    @usableFromInline @inline(never)
    func hold(_ model: some PersistentModel) { object.modelContext?.hold(model) }
}
