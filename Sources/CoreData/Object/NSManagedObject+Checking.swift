// Keys and values from outside, checked before they are used: what key-value coding raises for, thrown.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

extension NSManagedObject {
    /// Sets values by key, all of them or none: what comes from outside (a request, a file) is checked first.
    /// `NSNull` stands for nil. Setters of the class are called as by `setValue(_:forKey:)`; what validation says is left
    /// to the save. An addition to Apple's class.
    ///
    /// ```swift
    /// let body: [String: Any] = ["name": "Ann", "birthdate": Date()]
    /// try hero.setValues(checking: body)
    /// ```
    ///
    /// - Throws: an error for each key that the entity doesn't have (`NSManagedObjectValidationError`), each value of a
    ///   type that the property doesn't take, each object of another entity or context (the same), each number beyond
    ///   its attribute's width (`NSValidationNumberTooLargeError`, `…TooSmallError`); several of them as one
    ///   `NSValidationMultipleErrorsError` under `NSDetailedErrorsKey`. The store's error if the object's values can't
    ///   be read. Nothing is set then.
    public final func setValues(checking values: [String: Any]) throws {
        checkQueue()
        if state.isFault || state.isUnreadable { try fulfillFault() }
        let given = values.sorted { $0.key < $1.key }.map {
            ($0.key, SlotValue.isNull($0.value) ? nil : $0.value)
        }
        if let error = CoreDataError.combined(given.flatMap { problems($0.1, forKey: $0.0) }) { throw error }
        for (key, value) in given { setValue(value, forKey: key) }
        try registry.context?.throwReadError()
    }

    /// Sets a value by key after it was checked, as `setValues(checking:)` does with several. An addition to
    /// Apple's class.
    ///
    /// - Parameters:
    ///   - value: the value, or nil.
    ///   - key: the property's name.
    /// - Throws: what `setValues(checking:)` throws.
    public final func setValue(checking value: Any?, forKey key: String) throws {
        try setValues(checking: [key: value ?? NSNull()])
    }

    /// Returns the value at the end of a key path, as `value(forKeyPath:)` gives it. An addition to Apple's
    /// class.
    ///
    /// ```swift
    /// print(try hero.value(checkingKeyPath: "powers.@count") ?? 0)
    /// ```
    ///
    /// - Throws: `NSCoreDataError` for a key that an object on the way doesn't have, or an operator that can't be applied;
    ///   the store's error for what can't be read.
    public final func value(checkingKeyPath keyPath: String) throws -> Any? {
        checkQueue()
        try registry.context?.throwReadError()
        do {
            var value: Any? = self
            var rest = keyPath.split(separator: ".").map(String.init)[...]
            if rest.isEmpty { throw EvaluationFailure(reason: "the key path is empty") }
            while let current = value, let key = rest.first {
                guard let step = try Self.value(checkingKey: key, of: current) else {
                    let path = ExpressionTree.keyPath(rest.joined(separator: "."))
                    value = try Evaluator(bindings: nil).value(of: path, Value(current)).any
                    break
                }
                value = step.value
                rest.removeFirst()
            }
            try registry.context?.throwReadError()
            return value
        } catch let failure as EvaluationFailure {
            throw RequestErrors.wrong(
                "key path \"\(keyPath)\" of entity \"\(runtime.name)\": \(failure.reason)",
                entity: runtime.name,
                property: keyPath)
        }
    }

    /// One step of a key path; `nil` where an operator or a plain value takes the rest of the path.
    private static func value(checkingKey key: String, of current: Any) throws -> (value: Any?, Void)? {
        switch current {
        case let object as NSManagedObject: return (try object.value(checkingOwnKey: key), ())
        case let members as NSSet where !key.hasPrefix("@"):
            return (NSSet(array: try members.allObjects.compactMap { try element($0, key: key) }), ())
        case let members as NSOrderedSet where !key.hasPrefix("@"):
            let values = NSMutableOrderedSet()
            for member in members.array { values.add(try element(member, key: key) ?? NSNull()) }
            return (values, ())
        default: return nil
        }
    }

    private static func element(_ element: Any, key: String) throws -> Any? {
        if let step = try value(checkingKey: key, of: element) { return step.value }
        return try Evaluator(bindings: nil).value(of: .keyPath(key), Value(element)).any
    }

    private final func value(checkingOwnKey key: String) throws -> Any? {
        if let property = runtime.property(key) {
            try fulfillFault(forKey: property.isToOne ? nil : key)
        } else if runtime.binding.keys[key]?.get == nil, !Self.builtInKeys.contains(key) {
            throw EvaluationFailure(reason: "entity \"\(runtime.name)\" has no property \"\(key)\"")
        }
        return value(forKey: key)
    }

    private static var builtInKeys: Set<String> {
        [
            "self", "SELF", "objectID", "entity", "managedObjectContext", "isInserted", "isUpdated",
            "isDeleted",
            "isFault", "hasChanges",
        ]
    }
}

// MARK: Faults of a value

extension NSManagedObject {
    /// Returns the errors that keep a value from being set; none if it can be.
    private final func problems(_ value: Any?, forKey key: String) -> [NSError] {
        let binding = runtime.binding
        if let entry = binding.keys[key], let accepts = entry.accepts {
            let isReplaced =
                value == nil && entry.setsNumber && binding.overrides.contains(.setNilValueForKey)
            if !isReplaced, !accepts(value) {
                return [mismatch(value, key: key, reason: "the class's setter doesn't take it")]
            }
            guard runtime.property(key) != nil else { return [] }
        }
        guard let property = runtime.property(key) else {
            return [mismatch(value, key: key, reason: "entity \"\(runtime.name)\" has no such property")]
        }
        guard let value else { return [] }
        switch property.kind {
        case .attribute(let slot): return problem(value, slot: slot, key: key).map { [$0] } ?? []
        case .composite(let slots): return problems(value, composite: slots, path: key)
        case .toOne(_, let relation): return problem(value, relation: relation).map { [$0] } ?? []
        case .toMany(let relation):
            guard let members = Self.elements(value) else {
                return [
                    mismatch(
                        value, key: key,
                        reason: "it takes a set, an ordered set or an array of managed objects")
                ]
            }
            return members.compactMap { problem($0, relation: relation) }
        case .fetched: return [mismatch(value, key: key, reason: "a fetched property can't be set")]
        }
    }

    private final func mismatch(_ value: Any?, key: String, reason: String) -> NSError {
        CoreDataError.validation(
            NSManagedObjectValidationError,
            description: "\"\(key)\" of \"\(runtime.name)\" can't be set: \(reason).",
            object: self, key: key, value: value)
    }

    private final func problem(_ value: Any, slot: Slot, key: String) -> NSError? {
        if let range = slot.kind.integerRange, let number = Self.number(value) {
            if number.isNaN { return mismatch(value, key: key, reason: "it is no number") }
            // The largest 64-bit integers are no doubles: what is exactly one of these is asked as one.
            let isWhole64 = slot.kind == .integer64 && Self.isInteger(value)
            let code: Int? =
                isWhole64
                ? nil
                : number >= range.upper
                    ? NSValidationNumberTooLargeError
                    : number < range.lower ? NSValidationNumberTooSmallError : nil
            if let code { return ValidationErrors.error(code, object: self, key: key, value: value) }
        }
        let scratch = OwnedRow.empty(runtime.layout)
        defer { OwnedRow.destroy(scratch, layout: runtime.layout) }
        if SlotValue.store(any: value, slot, in: scratch) { return nil }
        return mismatch(value, key: key, reason: "a \(slot.kind) can't be made of a \(type(of: value))")
    }

    private final func problems(_ value: Any, composite slots: [Slot], path: String) -> [NSError] {
        guard let elements = value as? [String: Any] else {
            return [mismatch(value, key: path, reason: "a composite attribute takes a dictionary")]
        }
        return elements.sorted { $0.key < $1.key }.flatMap { name, value -> [NSError] in
            let element = path + "." + name
            if SlotValue.isNull(value) { return [] }
            if let slot = slots.first(where: { $0.name == element }) {
                return problem(value, slot: slot, key: element).map { [$0] } ?? []
            }
            guard slots.contains(where: { $0.name.hasPrefix(element + ".") }) else {
                return [mismatch(value, key: element, reason: "the composite attribute has no such element")]
            }
            return problems(value, composite: slots, path: element)
        }
    }

    private final func problem(_ value: Any, relation: RelationRuntime) -> NSError? {
        guard let object = value as? NSManagedObject else {
            return mismatch(
                value, key: relation.name,
                reason: "a relationship takes managed objects, not a \(type(of: value))")
        }
        let destination = relation.destination(in: runtime.model)
        guard object.runtime.model === runtime.model, object.runtime.isKind(of: destination) else {
            return mismatch(
                value, key: relation.name,
                reason: "it leads to objects of \"\(destination.name)\", not of \"\(object.runtime.name)\"")
        }
        return object.registry === registry
            ? nil : mismatch(value, key: relation.name, reason: "the object belongs to another context")
    }

    private static func elements(_ value: Any) -> [Any]? {
        switch value {
        case let set as Set<NSManagedObject>: Array(set)
        case let set as NSSet: set.allObjects
        case let set as NSOrderedSet: set.array
        case let array as [Any]: array
        default: nil
        }
    }

    /// Returns whether a value is an integer of 64 bits, whatever its type.
    private static func isInteger(_ value: Any) -> Bool {
        switch value {
        case let number as any BinaryInteger: Int64(exactly: number) != nil
        case let number as NSNumber: Int64(exactly: number) != nil
        default: false
        }
    }

    /// A number of any type, as far as its size is concerned.
    private static func number(_ value: Any) -> Double? {
        switch value {
        case let number as NSNumber: number.doubleValue
        case let number as Decimal: NSDecimalNumber(decimal: number).doubleValue
        case let number as any BinaryInteger: Double(number)
        case let number as any BinaryFloatingPoint: Double(number)
        default: nil
        }
    }
}

extension SlotKind {
    /// The numbers that integers of this kind hold: from `lower` to below `upper`.
    fileprivate var integerRange: (lower: Double, upper: Double)? {
        switch self {
        case .integer16: (-0x1p15, 0x1p15)
        case .integer32: (-0x1p31, 0x1p31)
        case .integer64: (-0x1p63, 0x1p63)
        default: nil
        }
    }
}

extension PropertyRuntime {
    fileprivate var isToOne: Bool {
        if case .toOne = kind { true } else { false }
    }
}
