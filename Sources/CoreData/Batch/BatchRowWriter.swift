// Values that a client gives by name, written into a row as the store keeps them.

import CoreDataPredicate
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// Writes values of one entity into rows.
struct BatchRowWriter {
    let entity: EntityRuntime
    let store: NSPersistentStore
    /// Slots that must have a value, and integers narrower than their words.
    private let required: [Slot]
    private let narrow: [Slot]
    /// The keys that were used lately.
    let keys: KeyCache
    private let readsInPlace = DictionaryTable.isKnown

    init(_ entity: EntityRuntime, for store: NSPersistentStore) {
        self.entity = entity
        self.store = store
        required = entity.properties.compactMap { property in
            guard case .attribute(let slot) = property.kind, !slot.isTransient, !property.mayBeNil else {
                return nil
            }
            return slot
        }
        keys = entity.managed.binding.cache
        narrow = entity.layout.slots.filter { $0.kind == .integer16 || $0.kind == .integer32 }
    }

    /// Writes a value under a property's name, or the key path of a composite attribute's element. `stated` gets the
    /// slots that the value is about, if they are noted.
    func write(
        _ value: Any, for key: String, in row: UnsafeMutablePointer<UInt64>, stated: inout SlotSet?
    ) throws {
        if let slot = withUnsafePointer(to: value, { writePlain(at: $0, keys.find(key), in: row) }) {
            stated?.insert(slot)
        } else {
            try writeAny(value, key: key, in: row, stated: &stated)
        }
    }

    /// Writes the values of a dictionary.
    func write(
        _ given: [String: Any], in row: UnsafeMutablePointer<UInt64>, stated: inout SlotSet?
    ) throws {
        if readsInPlace {
            try DictionaryTable.forEach(given) { try write(at: $1, forKeyAt: $0, in: row, &stated) }
        } else {
            for (key, value) in given { try write(value, for: key, in: row, stated: &stated) }
        }
    }

    /// Writes a value under a key, which stand in memory as `Any` and `String`.
    @inline(__always)
    private func write(
        at value: UnsafeRawPointer, forKeyAt key: UnsafeRawPointer, in row: UnsafeMutablePointer<UInt64>,
        _ stated: inout SlotSet?
    ) throws {
        if let slot = writePlain(at: value, keys.find(key.load(as: KeyBits.self)), in: row) {
            stated?.insert(slot)
        } else {
            try writeAny(value.load(as: Any.self), key: key.load(as: String.self), in: row, stated: &stated)
        }
    }

    /// Writes a number, a date or a text that goes into the row as it is, from where it stands as `Any`. Returns its slot;
    /// `nil` if there is more to it.
    @inline(__always)
    func writePlain(
        at value: UnsafeRawPointer, _ keyed: Unmanaged<KeyedProperty>?, in row: UnsafeMutablePointer<UInt64>
    ) -> Int? {
        guard let keyed else { return nil }
        guard let (form, word) = WordForm.plain(at: value) else {
            return writeObject(value.load(as: Any.self), keyed: keyed, in: row)
        }
        return keyed._withUnsafeGuaranteedRef { keyed in
            guard keyed.isPlainInBatches, let word = form.converted(word, to: keyed.kind) else { return nil }
            row[keyed.word] = word
            RowPointer(row, slab: nil).setNull(keyed.index, isNull: false)
            return keyed.index
        }
    }

    /// Writes a number of Foundation's, or a text.
    @inline(never)
    private func writeObject(
        _ value: Any, keyed: Unmanaged<KeyedProperty>, in row: UnsafeMutablePointer<UInt64>
    ) -> Int? {
        keyed._withUnsafeGuaranteedRef { keyed in
            guard keyed.isPlainInBatches else { return nil }
            if keyed.kind == .string {
                guard type(of: value) == String.self, case .attribute(let slot)? = keyed.property?.kind else {
                    return nil
                }
                OwnedRow.set(CellBox(text: SlotValue.content(value, as: String.self)), slot: slot, in: row)
                return keyed.index
            }
            guard let word = SlotValue.word(ofPlain: value, keyed.kind) else { return nil }
            row[keyed.word] = word
            RowPointer(row, slab: nil).setNull(keyed.index, isNull: false)
            return keyed.index
        }
    }

    /// Writes what `writePlain` doesn't.
    @inline(never)
    func writeAny(
        _ value: Any, key: String, in row: UnsafeMutablePointer<UInt64>, stated: inout SlotSet?
    ) throws {
        let value = Self.unwrapped(value)
        guard let property = entity.managed.keyed(key)?.property else {
            return try write(value, elementAt: key, in: row, stated: &stated)
        }
        if let reason = Self.obstacle(property) { throw refusal(key, reason: reason) }
        switch property.kind {
        case .attribute(let slot): try write(value, slot: slot, in: row, stated: &stated)
        case .composite(let slots): try write(value, composite: slots, at: key, in: row, stated: &stated)
        case .toOne(let slot, let relation):
            try write(value, slot: slot, relation: relation, in: row, stated: &stated)
        case .toMany, .fetched: break
        }
    }

    /// The reason why a batch can't write a property; `nil` if it can.
    static func obstacle(_ property: PropertyRuntime) -> String? {
        if property.schema.isTransient { return "it is transient: no store keeps it" }
        if property.schema.attribute?.derivation != nil { return "it is derived: the store computes it" }
        switch property.kind {
        case .attribute, .composite: return nil
        case .toMany: return "it is a to-many relationship"
        case .fetched: return "it is a fetched property"
        case .toOne(_, let relation):
            guard let inverse = relation.inverse else { return nil }
            if !inverse.isToMany { return "it is one side of a one-to-one relationship" }
            return inverse.isOrdered ? "its inverse is an ordered relationship" : nil
        }
    }

    private func write(
        _ value: Any?, slot: Slot, in row: UnsafeMutablePointer<UInt64>, stated: inout SlotSet?
    ) throws {
        stated?.insert(slot.index)
        if slot.kind == .transformable, let value, let attribute = slot.attribute,
            TransformableCoding.isKnown(attribute) || !store.keepsObjects
        {
            let bytes = try TransformableCoding.encode(
                value, attribute: attribute, entity: entity.name, property: slot.name)
            return OwnedRow.set(CellBox(.data(bytes)), slot: slot, in: row)
        }
        if SlotValue.store(any: value, slot, in: row) { return }
        throw refusal(
            slot.name, reason: "a \(slot.kind) can't be made of \(value.map { "\($0)" } ?? "nil")",
            value: value)
    }

    /// Writes an element of a composite attribute, which may be composite itself.
    private func write(
        _ value: Any?, elementAt path: String, in row: UnsafeMutablePointer<UInt64>, stated: inout SlotSet?
    ) throws {
        guard let name = CompositeElements.path(path).first, let property = entity.property(name),
            case .composite(let slots) = property.kind
        else { throw refusal(path, reason: "the entity has no such property") }
        if let reason = Self.obstacle(property) { throw refusal(path, reason: reason) }
        if let slot = slots.first(where: { $0.name == path }) {
            return try write(value, slot: slot, in: row, stated: &stated)
        }
        let elements = slots.filter { $0.name.hasPrefix(path + ".") }
        if elements.isEmpty { throw refusal(path, reason: "the composite attribute has no such element") }
        try write(value, composite: elements, at: path, in: row, stated: &stated)
    }

    private func write(
        _ value: Any?, composite slots: [Slot], at path: String, in row: UnsafeMutablePointer<UInt64>,
        stated: inout SlotSet?
    ) throws {
        guard value == nil || value is [String: Any] else {
            throw refusal(path, reason: "a composite attribute takes a dictionary", value: value)
        }
        let elements = value as? [String: Any] ?? [:]
        try refuseUnknown(elements, slots: slots, at: path)
        for slot in slots {
            let rest = CompositeElements.path(slot.name.dropFirst(path.count + 1))
            let element = CompositeElements.value(at: rest, in: elements).flatMap(Self.unwrapped)
            try write(element, slot: slot, in: row, stated: &stated)
        }
    }

    private func refuseUnknown(_ elements: [String: Any], slots: [Slot], at path: String) throws {
        for (name, value) in elements {
            let element = path + "." + name
            if slots.contains(where: { $0.name == element }) { continue }
            guard slots.contains(where: { $0.name.hasPrefix(element + ".") }) else {
                throw refusal(element, reason: "the composite attribute has no such element", value: value)
            }
            if let inner = value as? [String: Any] { try refuseUnknown(inner, slots: slots, at: element) }
        }
    }

    private func write(
        _ value: Any?, slot: Slot, relation: RelationRuntime, in row: UnsafeMutablePointer<UInt64>,
        stated: inout SlotSet?
    ) throws {
        stated?.insert(slot.index)
        guard let value else { return SlotValue.clear(slot, in: row) }
        guard let target = (value as? NSManagedObject)?.objectID ?? value as? NSManagedObjectID else {
            throw refusal(
                relation.name, reason: "a relationship takes an object or an object ID", value: value)
        }
        let destination = relation.destination(in: entity.modelRuntime)
        guard !target.isTemporaryID, target.storeIdentifier == store.identifier,
            let found = entity.modelRuntime.runtime(named: target.runtime.name), found.isKind(of: destination)
        else {
            throw refusal(
                relation.name,
                reason: "\(target) is no saved object of \"\(destination.name)\" in the same store",
                value: value)
        }
        SlotValue.setWord(UInt64(bitPattern: target.primaryKey), slot: slot, in: row)
        if slot.kind == .toOneOfSeveral { row[slot.word + 1] = UInt64(found.number) }
    }

    /// Refuses a row that lacks a required attribute or holds a number that its column's other readers would cut.
    func check(_ row: UnsafeMutablePointer<UInt64>, number: Int) throws {
        let pointer = RowPointer(row, slab: nil)
        for slot in required where pointer.isNull(slot.index) {
            throw CoreDataError.validation(
                NSValidationMissingMandatoryPropertyError,
                description:
                    "\"\(slot.name)\" of \"\(entity.name)\" is a required value, which row \(number) lacks.",
                object: nil, key: slot.name, value: nil)
        }
        for slot in narrow where !pointer.isNull(slot.index) {
            let value = Int64(bitPattern: row[slot.word])
            let limit: Int64 = slot.kind == .integer16 ? 1 << 15 : 1 << 31
            if value >= -limit && value < limit { continue }
            throw CoreDataError.validation(
                value < 0 ? NSValidationNumberTooSmallError : NSValidationNumberTooLargeError,
                description: "\(value) in row \(number) doesn't fit \"\(slot.name)\" of \"\(entity.name)\".",
                object: nil, key: slot.name, value: value)
        }
    }

    func refusal(_ key: String, reason: String, value: Any? = nil) -> NSError {
        CoreDataError.make(
            NSManagedObjectValidationError,
            description: "A batch can't write \"\(key)\" of \"\(entity.name)\": \(reason).", file: store.url,
            entity: entity.name, property: key, reason: reason,
            userInfo: value.map { [NSValidationValueErrorKey: $0] } ?? [:])
    }

    /// `nil` for `NSNull` and for an optional that is nil inside its `Any`.
    private static func unwrapped(_ value: Any) -> Any? {
        if SlotValue.isNull(value) { return nil }
        if case Optional<Any>.some(let inner) = value { return inner }
        return nil
    }
}
