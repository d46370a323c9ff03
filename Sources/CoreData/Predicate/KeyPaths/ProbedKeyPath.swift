// From what a key path reads to its name.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// Reads one key path on probes.
///
/// It has a name if it reads one property, or one after the other through to-one relationships, and its value is that
/// of the last one, whatever the values are. Else a getter that the class states may have the same value from the
/// same reads.
struct ProbedKeyPath {
    private let keyPath: AnyKeyPath
    private let objectClass: NSManagedObject.Type
    private let entity: ManagedEntity

    init(_ keyPath: AnyKeyPath, objectClass: NSManagedObject.Type, entity: ManagedEntity) {
        self.keyPath = keyPath
        self.objectClass = objectClass
        self.entity = entity
    }

    func path() throws(KeyPathFailure) -> String {
        if let cases = EnumerationCases(type(of: keyPath).valueType, trying: defaults) {
            return try path(ofEnumeration: cases)
        }
        let readings = ProbeValues.both.map {
            Reading($0, objectClass: objectClass, entity: entity) { $0[keyPath: keyPath] }
        }
        let paths = Set(readings.map(\.path))
        if paths.count == 1, let path = paths.first, let path { return path }
        if let key = stated(readings) { return key }
        throw failure(readings[0])
    }

    /// Only read with the raw value of a case in the attribute: with another, many an accessor stops the process.
    private func path(ofEnumeration cases: EnumerationCases) throws(KeyPathFailure) -> String {
        guard let raw = cases.values.first else {
            throw KeyPathFailure(
                keyPath: keyPath,
                reason:
                    "no case of \(type(of: keyPath).valueType) is known; let it be CaseIterable, or the attribute "
                    + "have a case's raw value as its default")
        }
        let values = ProbeValues.raw(raw)
        let reading = Reading(values, objectClass: objectClass, entity: entity) { $0[keyPath: keyPath] }
        if let path = reading.path { return path }
        throw failure(reading)
    }

    /// The default values of all attributes: if one is a case's raw value, that is what its property is read with.
    private var defaults: [Value] {
        entity.model.entities.flatMap { $0.layout.slots.compactMap(\.attribute?.defaultValue) }
    }

    /// The key of the only getter that reads and returns the same.
    private func stated(_ readings: [Reading]) -> String? {
        let keys = KeyRegistry.of(objectClass).entries.filter { _, entry in
            guard let get = entry.get else { return false }
            return zip(ProbeValues.both, readings).allSatisfy { values, reading in
                reading.isSame(as: Reading(values, objectClass: objectClass, entity: entity, read: get))
            }
        }
        return keys.count == 1 ? keys.first?.key : nil
    }

    private func failure(_ reading: Reading) -> KeyPathFailure {
        let keys = reading.keys.map { "\"\($0)\"" }.joined(separator: ", ")
        let what: String
        switch reading.keys.count {
        case 0: what = "it reads no property of entity \"\(entity.name)\""
        case 1: what = "its value is not that of \(keys) alone"
        default: what = "its value is computed of \(keys)"
        }
        return KeyPathFailure(
            keyPath: keyPath,
            reason: what + ", and \(objectClass) states no getter for it in registerKeys(in:)")
    }
}

/// The record of one reading on one probe.
private struct Reading {
    /// Keys in the order in which they were read.
    let keys: [String]
    let value: Value
    /// The name, as far as this reading tells.
    let path: String?

    init(
        _ values: ProbeValues, objectClass: NSManagedObject.Type, entity: ManagedEntity,
        read: (NSManagedObject) -> Any?
    ) {
        let probe = KeyPathProbe(values)
        let root = probe.object(objectClass, entity: entity)
        let result = flattened(read(root))
        value = Value((result as? any RawRepresentable).map { $0.rawValue as Any } ?? result)
        keys = probe.accesses.map(\.key)
        path = probe.isRefused ? nil : Self.path(probe, root: root, value: value)
    }

    func isSame(as other: Reading) -> Bool { keys == other.keys && value == other.value }

    private static func path(_ probe: KeyPathProbe, root: NSManagedObject, value: Value) -> String? {
        var object = root
        var keys: [String] = []
        for (number, access) in probe.accesses.enumerated() {
            guard access.object == ObjectIdentifier(object) else { return nil }
            keys.append(access.key)
            let isLast = number == probe.accesses.count - 1
            if let next = probe.object(behind: access), isToOne(object, key: access.key) {
                object = next
            } else {
                return isLast && fits(value, probe: probe, access: access, object: object)
                    ? keys.joined(separator: ".") : nil
            }
        }
        guard case .object(let reference) = value else { return nil }
        if reference.object === object { return keys.isEmpty ? "self" : keys.joined(separator: ".") }
        let isID = probe.paused { reference.object === object.objectID }
        return isID ? (keys + ["objectID"]).joined(separator: ".") : nil
    }

    private static func isToOne(_ object: NSManagedObject, key: String) -> Bool {
        if case .toOne = object.runtime.property(key)?.kind { true } else { false }
    }

    /// Returns whether a value is the property's, as any of the types that a property may have.
    private static func fits(
        _ value: Value, probe: KeyPathProbe, access: KeyPathProbe.Access, object: NSManagedObject
    ) -> Bool {
        if let member = probe.object(behind: access) {
            switch value {
            case .array(let members): return members == [.object(ObjectReference(member))]
            case .set(let members): return members == [.object(ObjectReference(member))]
            default: return false
            }
        }
        if ObservedStatus.keys.contains(access.key) {
            return probe.paused { value == Value(object.value(forKey: access.key)) }
        }
        let stored = probe.value(access, of: object)
        if case (.double(let interval), .date(let date)) = (value, stored) {
            return interval == date.timeIntervalSinceReferenceDate
        }
        // A collection that isn't optional shows nothing as an empty one.
        return value == stored || (stored == .null && isEmptyCollection(value))
    }

    private static func isEmptyCollection(_ value: Value) -> Bool {
        switch value {
        case .array(let elements): elements.isEmpty
        case .set(let elements): elements.isEmpty
        case .dictionary(let elements): elements.isEmpty
        default: false
        }
    }
}
