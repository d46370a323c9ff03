// Values that encode themselves, as bytes of an attribute.

import CoreData
import Foundation

extension _ModelObject {
    /// The value of an attribute that holds it encoded; nil where there is none, or another one, which is logged.
    func decodedValue<Value: Codable>(_ number: Int) -> Value? {
        if let form = binding.composites[number] { return compositeValue(form, number) }
        let attribute = places[number].attribute
        guard let data = Data.loadIfPresent(from: self, attribute) else { return nil }
        if let known = decoded?[number], known.stored == data as NSData, let value = known.value as? Value {
            return value
        }
        guard let value = ValueCoding.decode(Value.self, from: data) else { return nil }
        keep(value, data as NSData, number)
        return value
    }

    private func compositeValue<Value>(_ form: CompositeForm, _ number: Int) -> Value? {
        guard let stored = elements(form, number) else { return nil }
        let elements = NSDictionary(dictionary: stored)
        if let known = decoded?[number], elements.isEqual(known.stored), let value = known.value as? Value {
            return value
        }
        guard let value = form.value(stored) as? Value else { return nil }
        keep(value, elements, number)
        return value
    }

    /// The elements of a structure's fields. A structure whose fields are all nil has none, and is there all the same, unless the
    /// property itself may be nil.
    func elements(_ form: CompositeForm, _ number: Int) -> [String: Any]? {
        if let stored = value(forKey: name(number)) as? [String: Any] { return stored }
        let type = Swift.type(of: binding.properties[number].keypath).valueType
        return form.mayBeEmpty && !(type is any OptionalType.Type) ? [:] : nil
    }

    private func keep(_ value: Any, _ stored: NSObject, _ number: Int) {
        decoded = decoded ?? [:]
        decoded?[number] = DecodedValue(stored: stored, value: value)
    }

    func encode<Value: Codable>(_ value: Value, _ number: Int) {
        if let form = binding.composites[number] {
            guard let content = unwrappedValue(value) as? any Encodable else {
                return setValue(nil, forKey: name(number))
            }
            if let stored = form.stored(content) { setValue(stored, forKey: name(number)) }
            return
        }
        let attribute = places[number].attribute
        guard unwrappedValue(value) != nil else {
            Data?.store(nil, in: self, attribute)
            return
        }
        guard let data = ValueCoding.encode(value) else { return }
        Data.store(data, in: self, attribute)
        keep(value, data as NSData, number)
    }
}

/// Values as binary property lists of one element: a property list is an array or a dictionary at its top.
enum ValueCoding {
    static func encode<Value: Encodable>(_ value: Value) -> Data? {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        do {
            return try encoder.encode([value])
        } catch {
            ValueLog.warn("a \(Value.self) can't be encoded and isn't kept: \(error)")
            return nil
        }
    }

    static func decode<Value: Decodable>(_ type: Value.Type, from data: Data) -> Value? {
        do {
            return try PropertyListDecoder().decode([Value].self, from: data).first
        } catch {
            ValueLog.warn("stored bytes are no \(type): \(error)")
            return nil
        }
    }
}

/// Says what was lost on the way between a store and a model.
enum ValueLog {
    static func warn(_ text: String) {
        FileHandle.standardError.write(Data("warning: SwiftData: \(text)\n".utf8))
    }
}

extension ValueCoding {
    /// A value that decodes from an empty dictionary or array.
    static func empty<Value: Decodable>(_ type: Value.Type) -> Any? {
        if let value = try? JSONDecoder().decode(type, from: Data("{}".utf8)) { return value }
        return try? JSONDecoder().decode(type, from: Data("[]".utf8))
    }
}
