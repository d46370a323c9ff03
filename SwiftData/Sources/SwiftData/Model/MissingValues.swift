// What properties show that can't be nil where a store has nothing, and the saving of models with such.

@_spi(SwiftData) import CoreData
import Foundation

/// Returns what is nearest to nothing of a type: an empty collection, nil, the first case, zero; of a number with a fraction what is
/// no number, as which SQLite keeps nothing.
func emptyValue<Value>(of type: Value.Type) -> Value? {
    if let value = emptyStorable(type) as? Value { return value }
    func empty<Collection: RangeReplaceableCollection>(_ type: Collection.Type) -> Any { Collection() }
    func first<Cases: CaseIterable>(_ type: Cases.Type) -> Any? { Cases.allCases.first }
    func sample<Raw: RawRepresentable>(_ type: Raw.Type) -> Any? { RawValueSamples.of(type).first }
    if let type = type as? any RangeReplaceableCollection.Type { return empty(type) as? Value }
    if let type = type as? any CaseIterable.Type, let value = first(type) { return value as? Value }
    if let type = type as? any RawRepresentable.Type, let value = sample(type) { return value as? Value }
    guard let type = type as? any Decodable.Type else { return nil }
    func decoded<Coded: Decodable>(_ type: Coded.Type) -> Any? { CompositeForm.sample(type) }
    return ValueCoding.empty(type) as? Value ?? decoded(type) as? Value
}

/// The value of a type that stores know which is nearest to nothing.
private func emptyStorable(_ type: any Any.Type) -> Any? {
    func zero<Number: FixedWidthInteger>(_ type: Number.Type) -> Any { Number.zero }
    if let type = type as? any FixedWidthInteger.Type { return zero(type) }
    switch ObjectIdentifier(type) {
    case ObjectIdentifier(Double.self): return Double.nan
    case ObjectIdentifier(Float.self): return Float.nan
    case ObjectIdentifier(Bool.self): return false
    case ObjectIdentifier(Decimal.self): return Decimal.zero
    case ObjectIdentifier(Date.self): return Date(timeIntervalSinceReferenceDate: 0)
    case ObjectIdentifier(UUID.self): return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    case ObjectIdentifier(URL.self): return URL(fileURLWithPath: "/dev/null")
    default: return nil
    }
}

extension ManagedContext {
    /// Saves. A model in whose row nothing is where something must be is saved with what the property shows: the row was written by
    /// another program, or what is there is no number.
    func saveShown() throws {
        do {
            try save()
        } catch let error as NSError where error.isOfValidation {
            guard fillMissing() else { throw error }
            try save()
        }
    }

    /// Sets attributes of changed models that are nil and can't be to what they show. Returns whether there are any.
    private func fillMissing() -> Bool {
        var isFilled = false
        for case let object as _ModelObject in updatedObjects {
            if object.bound.fillMissing() { isFilled = true }
        }
        return isFilled
    }
}

extension _ModelObject {
    fileprivate func fillMissing() -> Bool {
        var isFilled = false
        let attributes = entity.attributesByName
        for (number, property) in binding.properties.enumerated() {
            guard attributes[property.name]?.isOptional == false, isMissing(number) else { continue }
            func fill<Value>(_ type: Value.Type) { setAnyValue(number, to: anyValue(number) as Value) }
            _openExistential(Swift.type(of: property.keypath).valueType, do: fill)
            isFilled = true
        }
        return isFilled
    }
}

extension _ModelObject {
    /// Returns true if the row has no value of an attribute, or not all elements of one.
    private func isMissing(_ number: Int) -> Bool {
        guard let value = value(forKey: name(number)) else { return true }
        guard let form = binding.composites[number], let elements = value as? [String: Any] else {
            return false
        }
        return form.isIncomplete(elements)
    }
}

extension NSError {
    /// Indicates an error of validation, or several.
    fileprivate var isOfValidation: Bool {
        domain == NSCocoaErrorDomain && (NSManagedObjectValidationError...NSValidationInvalidURIError) ~= code
    }
}
