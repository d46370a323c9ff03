// Objects whose accessors say which keys they read.

import CoreDataSchema
import CoreDataSupport
import Foundation

/// Makes objects that aren't in any context, hold made-up values, and note which of their properties are read.
/// A relationship leads to another such object.
final class KeyPathProbe {
    /// One property of one object.
    struct Access: Hashable {
        let object: ObjectIdentifier
        let key: String
    }

    /// The properties that were read, in order; a property that is read several times in a row once.
    private(set) var accesses: [Access] = []
    /// Indicates that the key path is not to have a name, whatever it reads.
    private(set) var isRefused = false
    /// The objects that relationships led to.
    private var related: [Access: NSManagedObject] = [:]
    /// The values that custom getters returned.
    private var computed: [Access: Value] = [:]
    private let values: ProbeValues
    /// Above 0 while properties are read for other reasons than the key path's.
    private var pauses = 0

    init(_ values: ProbeValues) {
        self.values = values
    }

    /// An object of an entity with values in all attributes that can have made-up ones.
    func object(_ objectClass: NSManagedObject.Type, entity: ManagedEntity) -> NSManagedObject {
        let object = objectClass.make(entity.description, insertInto: nil)
        for slot in entity.layout.slots {
            guard let attribute = slot.attribute else { continue }
            let value = values.value(slot.kind, default: attribute.defaultValue)
            if value != .null { SlotValue.store(value, slot: slot, in: object.row) }
        }
        object.ensureExtras().probe = self
        object.state.insert(.observed)
        return object
    }

    func refuse() { isRefused = true }

    func object(behind access: Access) -> NSManagedObject? { related[access] }

    /// Called by every read of a property.
    func note(_ access: PropertyAccess, of object: NSManagedObject) {
        guard pauses == 0, let key = object.key(of: access) else { return }
        let access = Access(object: ObjectIdentifier(object), key: key)
        if accesses.last != access { accesses.append(access) }
        if related[access] == nil { relate(object, access: access) }
    }

    /// Calls a custom getter, whose own reads don't count.
    func call(_ get: (NSManagedObject) -> Any?, key: String, of object: NSManagedObject) -> Any? {
        note(.key(key), of: object)
        let value = paused { get(object) }
        computed[Access(object: ObjectIdentifier(object), key: key)] = Value(value)
        return value
    }

    /// Returns the value of reading a property.
    func value(_ access: Access, of object: NSManagedObject) -> Value {
        if let value = computed[access] { return value }
        return paused { Value(object.runtime.property(access.key).map { object.storedValue($0) } ?? nil) }
    }

    /// Runs what reads properties without their being noted.
    func paused<Result>(_ body: () -> Result) -> Result {
        pauses += 1
        defer { pauses -= 1 }
        return body()
    }

    /// Puts an object behind a relationship before it is read.
    private func relate(_ object: NSManagedObject, access: Access) {
        guard let property = object.runtime.property(access.key) else { return }
        let model = object.runtime.model
        func make(_ entity: ManagedEntity) -> NSManagedObject {
            let made = self.object(entity.objectClass, entity: entity)
            related[access] = made
            return made
        }
        let extras = object.ensureExtras()
        switch property.kind {
        case .toOne(_, let relation):
            extras.relations[relation.number] = make(relation.destination(in: model))
        case .toMany(let relation):
            extras.relations[relation.number] = ToMany(
                owner: object, relation, unsaved: [make(relation.destination(in: model))])
        case .fetched:
            extras.fetched[property.number] = []
        case .attribute, .composite: break
        }
    }
}

extension NSManagedObject {
    /// The key that a read is of; nil for the framework's own reads.
    final func key(of access: PropertyAccess) -> String? {
        switch access {
        case .slot(let index): runtime.properties[runtime.slotProperties[index]].name
        case .property(let property): property.name
        case .key(let name): name
        case .internal: nil
        }
    }
}

/// The made-up values of one reading. Two readings with different ones tell a property from what is computed of it.
enum ProbeValues: Equatable {
    /// The value of a new object.
    case initial
    case other
    /// The raw value of a case in every attribute that can hold it, so that accessors of enumerations find a case.
    case raw(Value)

    static let both = [ProbeValues.initial, .other]

    /// A value for a slot; null where none can be made up.
    func value(_ kind: SlotKind, default given: Value?) -> Value {
        if case .raw(let raw) = self, Self.canHold(raw, kind: kind) { return raw }
        let (first, second) = Self.pair(kind)
        if self == .other { return second == given ? first : second }
        if let given, given != .null { return given }
        return first
    }

    private static func canHold(_ raw: Value, kind: SlotKind) -> Bool {
        switch (raw, kind) {
        case (.integer(let number), .integer16): Int16(exactly: number) != nil
        case (.integer(let number), .integer32): Int32(exactly: number) != nil
        case (.integer, .integer64), (.string, .string), (.double, .double), (.double, .float): true
        default: false
        }
    }

    private static func pair(_ kind: SlotKind) -> (Value, Value) {
        switch kind {
        case .integer16, .integer32, .integer64: (.integer(0), .integer(29))
        case .boolean: (.bool(false), .bool(true))
        case .double, .float: (.double(0), .double(2.25))
        case .decimal: (.decimal(0), .decimal(Decimal(29) / 4))
        case .string: (.string("a"), .string("Bc d"))
        case .date:
            (
                .date(Date(timeIntervalSinceReferenceDate: 0)),
                .date(Date(timeIntervalSinceReferenceDate: 2.5e8))
            )
        case .data, .externalData: (.data(Data([1])), .data(Data([2, 3])))
        case .uuid: (.uuid(uuid(1)), .uuid(uuid(2)))
        case .uri: (.url(URL(filePath: "/a")), .url(URL(filePath: "/b/c")))
        case .toOne, .toOneOfSeveral, .object, .transformable: (.null, .null)
        }
    }

    private static func uuid(_ byte: UInt8) -> UUID {
        UUID(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte))
    }
}
