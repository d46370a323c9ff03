// The names of key paths through relationships, such as `\Stop.trip?.name`: a key path can't be taken apart, but read.

import CModelConstruction
@_spi(SwiftData) import CoreData
import Foundation

/// Reads a key path on a model made for that, and notes which properties it reads.
///
/// It has a name if it reads one property after the other through relationships to one model, and its value is that of the last.
final class KeyPathReader {
    private var reads: [(object: _ModelObject, number: Int)] = []

    /// Relationships that a key path may go through.
    private static let depthLimit = 8

    /// The reader on this thread.
    static var current: KeyPathReader? {
        currentKeyPathReader().map { Unmanaged<KeyPathReader>.fromOpaque($0).takeUnretainedValue() }
    }

    func note(_ object: _ModelObject, _ number: Int) { reads.append((object, number)) }

    /// The names of the properties that a key path of a class reads, joined with dots; nil if its value is none's.
    static func path(_ keyPath: AnyKeyPath, _ type: any PersistentModel.Type) -> String? {
        let root = type._$modelClass.binding.makeObject()
        let model = root.anyModel
        if unwrapped(Swift.type(of: keyPath).valueType) == PersistentIdentifier.self {
            let reader = KeyPathReader()
            _ = reader.read(keyPath, model)
            return reader.reads.isEmpty ? "objectID" : nil
        }
        var known = 0
        for _ in 0..<depthLimit {
            let reader = KeyPathReader()
            let value = reader.read(keyPath, model)
            guard !reader.reads.isEmpty, reader.isChain(from: root) else { return nil }
            let last = reader.reads[reader.reads.count - 1]
            let isLast = unwrapped(Swift.type(of: keyPath).valueType) == last.object.valueType(last.number)
            if !isLast, reader.reads.count > known, last.object.extend(last.number) {
                known = reader.reads.count
                continue
            }
            guard last.object.isValue(value, last.number, keyPath, model) else { return nil }
            return reader.reads.map { $0.object.name($0.number) }.joined(separator: ".")
        }
        return nil
    }

    private func read(_ keyPath: AnyKeyPath, _ model: Any) -> Any? {
        setCurrentKeyPathReader(Unmanaged.passUnretained(self).toOpaque())
        defer { setCurrentKeyPathReader(nil) }
        return shown(by: model, at: keyPath)
    }

    /// Returns true if each object that was read is the other side of the relationship that was read before.
    private func isChain(from root: _ModelObject) -> Bool {
        var expected: _ModelObject? = root
        for (object, number) in reads {
            guard object === expected else { return false }
            expected = object.other(number)
        }
        return true
    }
}

extension _ModelObject {
    fileprivate func valueType(_ number: Int) -> any Any.Type {
        unwrapped(type(of: binding.properties[number].keypath).valueType)
    }

    private func destination(_ number: Int) -> (any PersistentModel.Type)? {
        valueType(number) as? any PersistentModel.Type
    }

    fileprivate func other(_ number: Int) -> _ModelObject? {
        destination(number) == nil ? nil : self[places[number].relationship]
    }

    /// Lets a relationship to one lead to a new model. Returns false for another property.
    fileprivate func extend(_ number: Int) -> Bool {
        guard let type = destination(number) else { return false }
        if other(number) == nil, let binding = modelSet.binding(of: type) {
            self[places[number].relationship] = Optional(binding.makeObject())
        }
        return true
    }

    /// Returns true if a value that was read is a property's own, for another value of the property too.
    fileprivate func isValue(_ value: Any?, _ number: Int, _ keyPath: AnyKeyPath, _ model: Any) -> Bool {
        guard unwrapped(type(of: keyPath).valueType) == valueType(number) else {
            return isRawValue(number, keyPath, model)
        }
        guard valueType(number) == String.self else { return true }
        let text = "Probe \(number)"
        setAnyValue(number, to: text)
        return shown(by: model, at: keyPath) as? String == text
    }

    /// Returns true if a key path reads the raw value of a property, which is what the store has.
    private func isRawValue(_ number: Int, _ keyPath: AnyKeyPath, _ model: Any) -> Bool {
        func reads<Root: RawRepresentable>(_ type: Root.Type) -> Bool {
            guard unwrapped(Swift.type(of: keyPath).valueType) == Root.RawValue.self else { return false }
            let samples = RawValueSamples.of(type)
            return !samples.isEmpty
                && samples.allSatisfy { sample in
                    setAnyValue(number, to: sample)
                    return shown(by: model, at: keyPath) as? AnyHashable == sample.rawValue as? AnyHashable
                }
        }
        guard let type = valueType(number) as? any RawRepresentable.Type, ValueKind(type) != .codable else {
            return false
        }
        return reads(type)
    }
}

extension _ModelObject {
    var modelSet: ModelSet { binding.set }
}

/// The value at a key path, without optionals around it.
private func shown(by model: Any, at keyPath: AnyKeyPath) -> Any? {
    model[keyPath: keyPath].flatMap(unwrappedValue)
}
