// Sums over all values of an entity's rows, to compare two stores by.

import CoreDataSQL
import CoreDataSchema
import CoreDataStores
import CoreDataSupport
import Foundation

/// A sum for each property, whatever order the rows are read in. Dates count in the microseconds that all stores keep.
struct RowChecksums {
    private let entity: ManagedEntity
    private let store: NSPersistentStore
    /// The shifts of the store's keys, which the sums leave out.
    private let shifts: KeyShift
    /// The slots that both stores have the same values in.
    private let compared: [Slot]
    private var slots: [UInt64]
    private var members: [Int: UInt64] = [:]
    private(set) var count = 0

    init(of entity: ManagedEntity, in store: NSPersistentStore, _ shifts: KeyShift) {
        self.entity = entity
        self.store = store
        self.shifts = shifts
        compared = entity.layout.slots.filter { !$0.isTransient && !$0.isComputedByStore }
        slots = Array(repeating: 0, count: entity.layout.slots.count)
    }

    /// One number for all properties.
    var checksum: UInt64 {
        (slots + members.sorted { $0.key < $1.key }.map(\.value)).reduce(UInt64(count)) {
            RowDigest(key: Int64(bitPattern: $0), $1).value
        }
    }

    /// Returns the way in which other rows differ; `nil` if they don't.
    func difference(from other: RowChecksums) -> String? {
        if count != other.count { return "\(entity.name) has \(count) rows, and \(other.count) were moved." }
        if let number = slots.indices.first(where: { slots[$0] != other.slots[$0] }) {
            return "Values of \(entity.name).\(entity.layout.slots[number].name) aren't the same."
        }
        if let number = members.keys.sorted().first(where: { members[$0] != other.members[$0] }) {
            return "The objects in \(entity.name).\(entity.properties[number].name) aren't the same."
        }
        return nil
    }

    /// Adds all rows of the store.
    mutating func addAll(_ progress: (_ done: Int, _ total: Int) throws -> Void) throws {
        var fetch = StoreFetch(entity: entity)
        fetch.includesSubentities = false
        let total = try store.fetchCount(fetch)
        let relations = entity.relations.filter { $0.copying != .none }
        var pages = try SortedKeys(of: entity, in: store)
        while let keys = try pages.next(StoreTransfer.pageSize) {
            try addRows(keys)
            for relation in relations { try addMembers(relation, keys: keys) }
            try progress(count, total)
        }
    }

    private mutating func addRows(_ keys: [Int64]) throws {
        var (sums, found) = (slots, 0)
        try store.fetchRows(entity: entity, primaryKeys: keys) { slab in
            for number in 0..<slab.count {
                let row = RowPointer(slab.row(number), slab: slab)
                let key = slab.primaryKeys[number] - shifts[entity]
                for slot in compared { sums[slot.index] &+= try digest(slot, row: row, key: key) }
                found += 1
            }
        }
        slots = sums
        count += found
    }

    private func digest(_ slot: Slot, row: RowPointer, key: Int64) throws -> UInt64 {
        var digest = RowDigest(key: key, 0)
        if row.isNull(slot.index) || slot.isNaN(in: row) {
            digest.add(0)
        } else if slot.isRelationship {
            let destination = slot.destination.flatMap(entity.modelRuntime.runtime(named:))
            digest.add(row.words[slot.word] &- UInt64(bitPattern: destination.map { shifts[$0] } ?? 0))
        } else {
            let reference = CellReference(word: row.words[slot.word])
            let isLate = slot.kind == .externalData && reference.isBox
            digest.add(isLate ? try reference.box.load() : row.value(slot))
        }
        return digest.value
    }

    private mutating func addMembers(_ relation: RelationRuntime, keys: [Int64]) throws {
        let (here, there) = (shifts[entity], shifts[relation.destination(in: entity.modelRuntime)])
        let found = try KeyShift().members(relation, of: entity, sources: keys, in: store)
        for (source, members) in found {
            for (place, member) in members.enumerated() {
                var digest = RowDigest(key: source - here, relation.isOrdered ? UInt64(place) : 0)
                digest.add(UInt64(bitPattern: member - there))
                self.members[relation.number, default: 0] &+= digest.value
            }
        }
    }
}

extension Slot {
    /// Indicates a derived attribute that another store computes in its own way: the time of a row's last save, sums (of doubles, or
    /// exact), texts by the database's functions.
    fileprivate var isComputedByStore: Bool {
        switch attribute?.derivation.flatMap({ Derivation($0.expression) }) {
        case .now, .aggregate(_, sumOf: _?), .value(_, function: _?): true
        case .aggregate(_, sumOf: nil), .value(_, function: nil), nil: false
        }
    }

    /// Indicates a value that is no number, which files don't keep.
    fileprivate func isNaN(in row: RowPointer) -> Bool {
        (kind == .double || kind == .float) && Double(bitPattern: row.words[word]).isNaN
    }
}

/// The digest of one value of one row: FNV-1a over its bytes, mixed so that sums of digests are no sums of values.
struct RowDigest {
    private var state: UInt64 = 0xCBF2_9CE4_8422_2325

    init(key: Int64, _ place: UInt64) {
        add(UInt64(bitPattern: key))
        add(place)
    }

    var value: UInt64 {
        var mixed = state ^ state >> 30
        mixed &*= 0xBF58_476D_1CE4_E5B9
        mixed ^= mixed >> 27
        mixed &*= 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func add(_ word: UInt64) {
        withUnsafeBytes(of: word.littleEndian) { add(bytes: $0) }
    }

    private mutating func add(bytes: some Sequence<UInt8>) {
        for byte in bytes { state = (state ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    mutating func add(_ value: Value) {
        switch value {
        case .null: add(1)
        case .bool(let flag): add(flag ? 3 : 2)
        case .integer(let number): add(UInt64(bitPattern: number))
        // SQLite keeps no sign of zero.
        case .double(let number): add(number == 0 ? 0 : number.bitPattern)
        case .decimal(let number): add(bytes: number.description.utf8)
        case .string(let text): add(bytes: text.utf8)
        case .date(let date): add(Microseconds.stable(date.timeIntervalSinceReferenceDate).bitPattern)
        case .data(let data): data.withUnsafeBytes { add(bytes: $0) }
        case .uuid(let uuid): withUnsafeBytes(of: uuid.uuid) { add(bytes: $0) }
        case .url(let url): add(bytes: url.absoluteString.utf8)
        case .array, .set, .dictionary, .object: add(bytes: "\(value)".utf8)
        }
    }
}
