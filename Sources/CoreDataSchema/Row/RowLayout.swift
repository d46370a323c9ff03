// The layout in memory of the values of one entity's objects: a row is a run of
// 8-byte words around a pointer.
//
//   word -n … -1   null bits, one for each slot (set = nil), slot 0 in the lowest bit of word -1
//   word 0         version: Z_OPT, 0 for a row that was never saved
//   word 1 …       the slots' words: numbers and dates as they are; strings, blobs and the like as a
//                  `CellReference`; a to-one relationship as the target's primary key, followed by the target's
//                  entity index when the destination has subentities
//
// A slot that is nil has 0 in its word too. A superentity's slots come first, so a slot's word and null bit have
// the same place in every subentity, and generated accessors may carry them as constants. The fetch loop, the
// objects and the save loop read and write rows directly: no dictionary, no box per cell.

/// The contents of a slot's word.
public enum SlotKind: UInt8, Sendable {
    case integer16, integer32, integer64, boolean
    case double, float
    /// Seconds since 2001-01-01 00:00 UTC, as a double.
    case date
    /// A `CellReference` to text.
    case string, uri
    /// A `CellReference` to 16 bytes.
    case uuid
    /// A `CellReference` to bytes.
    case data
    /// A `CellReference` to bytes that the store may keep in a file of their own.
    case externalData
    /// A `CellReference` to the bytes that the transformer made, or to a box with the object itself.
    case transformable
    /// A `CellReference` to the bytes of a `Decimal`.
    case decimal
    /// Any object: transient attributes without a type, object IDs. Always a box.
    case object
    /// Primary key of the target; negative for a target that was never saved.
    case toOne
    /// Primary key and, in the next word, the entity index of the target.
    case toOneOfSeveral

    /// Inlined: compared for each value of many rows, which a call, and the comparison of enumerations by their raw
    /// values, would make slow.
    @inlinable @inline(__always)
    public static func == (one: SlotKind, other: SlotKind) -> Bool {
        unsafeBitCast(one, to: UInt8.self) == unsafeBitCast(other, to: UInt8.self)
    }

    /// Indicates whether the word is a `CellReference`.
    package var isReference: Bool {
        self.rawValue >= SlotKind.string.rawValue && self.rawValue <= SlotKind.object.rawValue
    }
}

/// One value of a row. A trivial value: copying it, once for every access, touches no reference count.
package struct Slot: Sendable {
    package let kind: SlotKind
    package let isTransient: Bool
    /// Position of the word in the row.
    package let word: Int
    /// Number of the slot, and of its null bit.
    package let index: Int
    /// Owned by the layout. Sound because whoever has a slot has it from a layout that it holds, its entity's: models in use
    /// are never changed, and the address sanitizer watches that none goes early (Scripts/test --long).
    private unowned(unsafe) let detail: SlotDetail

    fileprivate init(kind: SlotKind, isTransient: Bool, word: Int, index: Int, detail: SlotDetail) {
        self.kind = kind
        self.isTransient = isTransient
        self.word = word
        self.index = index
        self.detail = detail
    }

    /// The property's name; for an element of a composite attribute the key path `attribute.element`.
    package var name: String { detail.name }
    /// Name of the destination entity of a to-one relationship.
    package var destination: String? { detail.destination }
    /// Indicates whether the slot is a to-one relationship's.
    package var isRelationship: Bool { kind == .toOne || kind == .toOneOfSeveral }
    /// The attribute, for attributes and elements of composite ones.
    package var attribute: AttributeTraits? { detail.attribute }
}

/// The rarely used facts of a slot.
private final class SlotDetail: Sendable {
    let name: String
    let destination: String?
    let attribute: AttributeTraits?

    init(name: String, destination: String?, attribute: AttributeTraits?) {
        self.name = name
        self.destination = destination
        self.attribute = attribute
    }
}

/// The slots of an entity: the superentity's first, so that a slot's place is the same in every subentity.
package final class RowLayout: Sendable {
    package let entityName: String
    /// Position of the entity in `ModelIndex.entityNames`.
    package let entityIndex: Int
    package let slots: [Slot]
    private let details: [SlotDetail]
    package let slotsByName: [String: Int]
    /// Words from the row's pointer on: version and slots.
    package let wordCount: Int
    /// Words before the row's pointer.
    package let nullWordCount: Int
    /// Indicates whether any slot is a `CellReference`, so that rows may hold boxes.
    package let hasReferences: Bool
    /// The slots of to-one relationships.
    package let toOneSlots: [Slot]
    /// The slots whose words are a `CellReference`.
    package let referenceSlots: [Slot]
    /// The slots of transformable attributes.
    package let transformableSlots: [Slot]
    /// The slots of properties that no store keeps.
    package let transientSlots: [Slot]

    package init(entity: ModelIndex.Entity, in index: ModelIndex) {
        let pending = Self.pending(entity, index: index)
        entityName = entity.name
        entityIndex = index.entityNames.firstIndex(of: entity.name) ?? 0
        nullWordCount = max(1, (pending.count + 63) / 64)
        var word = 1
        let details = pending.map {
            SlotDetail(name: $0.name, destination: $0.destination, attribute: $0.4)
        }
        self.details = details
        slots = pending.enumerated().map { number, slot in
            defer { word += slot.kind == .toOneOfSeveral ? 2 : 1 }
            return Slot(
                kind: slot.kind, isTransient: slot.transient, word: word, index: number,
                detail: details[number])
        }
        wordCount = word
        slotsByName = Dictionary(
            slots.map { ($0.name, $0.index) }, uniquingKeysWith: { first, _ in first })
        referenceSlots = slots.filter { $0.kind.isReference }
        hasReferences = !referenceSlots.isEmpty
        transformableSlots = slots.filter { $0.kind == .transformable }
        transientSlots = slots.filter(\.isTransient)
        toOneSlots = slots.filter { $0.destination != nil }
    }

    private typealias Pending = (
        name: String, kind: SlotKind, transient: Bool, destination: String?, AttributeTraits?
    )

    /// Returns the properties that need a slot, in the order of the slots.
    private static func pending(_ entity: ModelIndex.Entity, index: ModelIndex) -> [Pending] {
        var pending: [Pending] = []
        func add(_ property: PropertySchema, path: String, transient: Bool) {
            switch property.kind {
            case .attribute(let traits) where traits.type == .composite:
                for element in traits.elements {
                    add(element, path: path + "." + element.name, transient: transient)
                }
            case .attribute(let traits):
                pending.append((path, SlotKind(traits, isTransient: transient), transient, nil, traits))
            case .relationship(let traits) where !traits.isToMany:
                let several = index.subtree(of: traits.destinationEntityName).count > 1
                pending.append(
                    (path, several ? .toOneOfSeveral : .toOne, transient, traits.destinationEntityName, nil))
            default: break
            }
        }
        for ancestor in entity.ancestry.reversed() {
            let own = entity.properties.filter { entity.declaringEntity[$0.name] == ancestor }
            for property in own.sorted(by: { $0.name < $1.name }) {
                add(property, path: property.name, transient: property.isTransient)
            }
        }
        return pending
    }

    package func slot(named name: String) -> Slot? { slotsByName[name].map { slots[$0] } }
}

extension SlotKind {
    init(_ traits: AttributeTraits, isTransient: Bool) {
        switch traits.type {
        case .integer16: self = .integer16
        case .integer32: self = .integer32
        case .integer64: self = .integer64
        case .boolean: self = .boolean
        case .double: self = .double
        case .float: self = .float
        case .date: self = .date
        case .decimal: self = .decimal
        case .string: self = .string
        case .uri: self = .uri
        case .uuid: self = .uuid
        case .binaryData:
            self = traits.allowsExternalBinaryDataStorage && !isTransient ? .externalData : .data
        case .transformable: self = isTransient ? .object : .transformable
        case .undefined, .objectID, .composite: self = .object
        }
    }
}
