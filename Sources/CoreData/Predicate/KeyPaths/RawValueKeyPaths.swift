// Key paths of raw values, as `\Priority.rawValue`: an attribute holds the raw value itself.

import CoreDataSupport
import Foundation
@_spi(Reflection) import Swift

extension AnyKeyPath {
    /// Indicates that the key path reads the raw value of its root. A key path of a computed property can't be taken apart, but read:
    /// it does if its value is the raw value of all values that can be found.
    @_spi(SwiftData)
    public var readsRawValue: Bool {
        guard let type = Swift.type(of: self).rootType as? any RawRepresentable.Type else { return false }
        func reads<Root: RawRepresentable>(_ type: Root.Type) -> Bool {
            guard let path = self as? KeyPath<Root, Root.RawValue> else { return false }
            let samples = RawValueSamples.of(type)
            return !samples.isEmpty && samples.allSatisfy { Value($0[keyPath: path]) == Value($0.rawValue) }
        }
        return reads(type)
    }
}

/// Values of types with raw values.
@_spi(SwiftData)
public enum RawValueSamples {
    /// Returns some values of a type: all of one that lists its cases, else those of usual raw values and the first two cases.
    public static func of<Sample: RawRepresentable>(_ type: Sample.Type) -> [Sample] {
        let others: [Value] = [.string("Sample a"), .string("sample B"), .double(0), .double(1.5)]
        let found = EnumerationCases.known(type, andOf: others)
        return found.isEmpty ? first(type) : found
    }

    /// The first cases of an enumeration of more than one without associated values, which are numbered from 0 in a byte.
    private static func first<Sample>(_ type: Sample.Type) -> [Sample] {
        guard isEnumeration(type), MemoryLayout<Sample>.size == 1, _isPOD(type) else { return [] }
        return [UInt8(0), 1].map { unsafeBitCast($0, to: type) }
    }

    private struct Holder<Value> {
        let value: Value
    }

    /// As reflection has it of a field: an enumeration can't be asked for fields.
    private static func isEnumeration<Sample>(_ type: Sample.Type) -> Bool {
        var isEnumeration = false
        _ = _forEachField(of: Holder<Sample>.self) { _, _, _, kind in
            isEnumeration = kind == .enum
            return false
        }
        return isEnumeration
    }
}
