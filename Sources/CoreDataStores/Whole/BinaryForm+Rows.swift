// The rows of binary stores.
//
//   entities   count; for each one: name, last key (of a root entity, else 0), count and names of its slots,
//              count of its rows; for each row: key, version, and for each slot a tag with a value
//   links      count; for each relationship: entity, name, count of rows; for each row: key, count and keys
//
// Tags: 0 nil, 1 integer, 2 double, 3 false, 4 true, 5 date (seconds since 2001), 6 string, 7 bytes, 8 UUID,
// 9 URL, 10 decimal (as text), 11 row (number of its entity in the file and key).

import CoreDataSchema
import CoreDataSupport
package import Foundation

/// Writes the rows of a store.
package struct BinaryRowWriter {
    private let rows: MemoryRows
    private var writer = ByteWriter()

    package var bytes: Data { writer.bytes }

    package init(_ rows: MemoryRows) {
        self.rows = rows
    }

    package mutating func write() throws {
        writer.write(UInt64(rows.model.runtimes.count))
        for entity in rows.model.runtimes { try write(entity) }
        let links = rows.state.links.filter { !$0.value.isEmpty }
            .sorted { ($0.key.entity, $0.key.name) < ($1.key.entity, $1.key.name) }
        writer.write(UInt64(links.count))
        for (link, members) in links { write(link, members: members) }
    }

    private mutating func write(_ entity: EntityRuntime) throws {
        let slots = entity.layout.slots.filter { !$0.isTransient }
        writer.write(entity.name)
        writer.write(entity.number == entity.rootNumber ? rows.state.lastKeys[entity.number] ?? 0 : 0)
        writer.write(UInt64(slots.count))
        for slot in slots { writer.write(slot.name) }
        let own = rows.rows(of: entity, includesSubentities: false)
        writer.write(UInt64(own.count))
        for row in own {
            writer.write(row.primaryKey)
            writer.write(row.version)
            for slot in slots { try write(slot, of: row) }
        }
    }

    private mutating func write(_ link: MemoryRows.LinkKey, members: [Int64: [Int64]]) {
        let filled = members.filter { !$0.value.isEmpty }.sorted { $0.key < $1.key }
        writer.write(link.entity)
        writer.write(link.name)
        writer.write(UInt64(filled.count))
        for (source, keys) in filled {
            writer.write(source)
            writer.write(UInt64(keys.count))
            for key in keys { writer.write(key) }
        }
    }

    private mutating func write(_ slot: Slot, of row: StoredRow) throws {
        if slot.isRelationship, !row.pointer.isNull(slot.index) {
            var target = slot.destination.flatMap(rows.model.runtime(named:))?.number ?? 0
            if slot.kind == .toOneOfSeveral {
                target = Int(truncatingIfNeeded: row.pointer.words[slot.word + 1])
            }
            writer.write(UInt8(11))
            writer.write(UInt32(truncatingIfNeeded: target))
            writer.write(row.pointer.words[slot.word])
            return
        }
        switch row.pointer.value(slot) {
        case .null: writer.write(UInt8(0))
        case .integer(let number): tag(1) { $0.write(number) }
        case .double(let number): tag(2) { $0.write(number.bitPattern) }
        case .bool(let flag): writer.write(UInt8(flag ? 4 : 3))
        case .date(let date): tag(5) { $0.write(date.timeIntervalSinceReferenceDate.bitPattern) }
        case .string(let text): tag(6) { $0.write(text) }
        case .data(let data): tag(7) { $0.write(data) }
        case .uuid(let uuid): tag(8) { $0.append(withUnsafeBytes(of: uuid.uuid) { Data($0) }) }
        case .url(let url): tag(9) { $0.write(url.absoluteString) }
        case .decimal(let number) where number.isFinite: tag(10) { $0.write(number.description) }
        case .decimal: writer.write(UInt8(0))
        case .array, .set, .dictionary, .object: throw row.hasNoForm(slot, rows: rows)
        }
    }

    private mutating func tag(_ number: UInt8, value: (inout ByteWriter) -> Void) {
        writer.write(number)
        value(&writer)
    }
}

/// Reads the rows of a store.
package struct BinaryRowReader {
    private var reader: ByteReader
    private let rows: MemoryRows
    private var names: [String] = []
    /// To-one relationships, whose entities may come later in the file.
    private var pointers: [(row: RowFiller, slot: Slot, entity: Int, key: Int64)] = []

    package init(_ bytes: Data, rows: MemoryRows) {
        reader = ByteReader(bytes)
        self.rows = rows
    }

    package mutating func read() throws {
        var read: [StoredRow] = []
        for _ in 0..<(try reader.count(ofSize: 32)) { read += try entity() }
        for pointer in pointers { try connect(pointer) }
        let lastKeys = rows.state.lastKeys
        rows.add(read)
        rows.state.lastKeys.merge(lastKeys, uniquingKeysWith: max)
        for _ in 0..<(try reader.count(ofSize: 24)) { try link() }
        guard reader.remaining == 0 else { throw StoreFileFailure("there are bytes behind the rows") }
    }

    private mutating func entity() throws -> [StoredRow] {
        let name = try reader.text()
        names.append(name)
        let last: Int64 = try reader.number()
        let slotNames = try (0..<reader.count(ofSize: 8)).map { _ in try reader.text() }
        let count = try reader.count(ofSize: 16)
        guard let entity = rows.model.runtime(named: name) else {
            if count == 0 { return [] }
            throw StoreFileFailure("the model has no entity \"\(name)\"", kind: .model, entity: name)
        }
        guard last >= 0, last <= RowFiller.largestKey else {
            throw StoreFileFailure("a last key is impossible")
        }
        if last > 0 { rows.state.lastKeys[entity.rootNumber] = last }
        let slots = try slotNames.map { slotName -> Slot? in
            if let slot = entity.layout.slot(named: slotName), !slot.isTransient { return slot }
            if count == 0 { return nil }
            throw StoreFileFailure(
                "the model's entity \"\(name)\" has no stored property \"\(slotName)\"", kind: .model,
                entity: name,
                property: slotName)
        }
        return try (0..<count).map { _ in try row(entity, slots: slots) }
    }

    private mutating func row(_ entity: EntityRuntime, slots: [Slot?]) throws -> StoredRow {
        let filler = try RowFiller(entity, key: reader.number(), version: reader.number())
        for case let slot? in slots {
            let tag: UInt8 = try reader.number()
            if tag == 11 {
                let number: UInt32 = try reader.number()
                pointers.append((filler, slot, Int(number), try reader.number()))
            } else {
                try filler.set(value(tag), slot: slot)
            }
        }
        return filler.row
    }

    private mutating func value(_ tag: UInt8) throws -> Value {
        switch tag {
        case 0: return .null
        case 1: return .integer(try reader.number())
        case 2: return .double(Double(bitPattern: try reader.number()))
        case 3: return .bool(false)
        case 4: return .bool(true)
        case 5: return .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: try reader.number())))
        case 6: return .string(try reader.text())
        case 7: return .data(Data(try reader.data()))
        case 8:
            let bytes = try reader.take(16)
            return .uuid(UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
        case 9:
            if let url = URL(string: try reader.text()) { return .url(url) }
        case 10:
            if let number = Decimal(string: try reader.text()) { return .decimal(number) }
        default: break
        }
        throw StoreFileFailure("a value is broken")
    }

    private func connect(_ pointer: (row: RowFiller, slot: Slot, entity: Int, key: Int64)) throws {
        guard names.indices.contains(pointer.entity),
            let target = rows.model.runtime(named: names[pointer.entity]),
            let relation = pointer.row.entity.property(pointer.slot.name)?.relation
        else { throw StoreFileFailure("a relationship leads nowhere") }
        try pointer.row.point(pointer.slot, relation: relation, to: target, key: pointer.key)
    }

    private mutating func link() throws {
        let (entity, name) = (try reader.text(), try reader.text())
        guard let relation = rows.model.runtime(named: entity)?.property(name)?.relation, relation.isToMany
        else {
            throw StoreFileFailure(
                "the model's entity \"\(entity)\" has no to-many relationship \"\(name)\"", kind: .model,
                entity: entity, property: name)
        }
        var members: [Int64: [Int64]] = [:]
        for _ in 0..<(try reader.count(ofSize: 16)) {
            let source: Int64 = try reader.number()
            members[source] = try (0..<reader.count(ofSize: 8)).map { _ in try reader.number() }
        }
        rows.state.links[MemoryRows.LinkKey(relation)] = members
    }
}
