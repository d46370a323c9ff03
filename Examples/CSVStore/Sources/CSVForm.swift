// A store in one file of comma-separated values, which a spreadsheet opens:
//
//   store,UUID,metadata as a property list in base 64
//   entity,Book,last key
//   key,version,author,pages,title
//   3,1,Author 1,280,Frankenstein
//   links,Book,tags
//   3,7,8

package import CoreDataSQL
import CoreDataSchema
package import CoreDataStores
package import Foundation

import CoreDataSupport

/// The rows of each entity under a line of their names. `EngineStore<CSVRows>` is a class for it.
package typealias CSVRows = WholeFileStore<CSVForm>

package enum CSVForm: StoreFileForm {
    package static let type = "CSV"
    package static let keepsVersions = true
    package static let sharesKeys = false
    package static let firstKey: Int64 = 1

    // MARK: Writing

    package static func data(_ rows: MemoryRows, metadata: StoreMetadata) throws -> Data {
        var text = head(metadata)
        for entity in rows.model.runtimes { try append(entity, rows, to: &text) }
        for (link, members) in rows.state.links.sorted(by: {
            ($0.key.entity, $0.key.name) < ($1.key.entity, $1.key.name)
        }) {
            text += CSVText.line(["links", link.entity, link.name])
            for (source, keys) in members.sorted(by: { $0.key < $1.key }) where !keys.isEmpty {
                text += CSVText.line(([source] + keys).map { "\($0)" })
            }
        }
        return Data(text.utf8)
    }

    package static func data(_ data: Data, renewing metadata: StoreMetadata) throws -> Data {
        let records = try records(data).dropFirst().map(CSVText.line)
        return Data((head(metadata) + records.joined()).utf8)
    }

    private static func head(_ metadata: StoreMetadata) -> String {
        let list = BinaryPropertyListWriter.data(for: .dictionary(metadata.entries))
        return CSVText.line(["store", metadata.uuid, list.base64EncodedString()])
    }

    private static func append(_ entity: EntityRuntime, _ rows: MemoryRows, to text: inout String) throws {
        let slots = entity.layout.slots.filter { !$0.isTransient }
        let last = entity.number == entity.rootNumber ? rows.state.lastKeys[entity.number] ?? 0 : 0
        text += CSVText.line(["entity", entity.name, "\(last)"])
        text += CSVText.line(["key", "version"] + slots.map(\.name))
        for row in rows.rows(of: entity, includesSubentities: false) {
            let values = try slots.map { slot in
                slot.isRelationship ? target(slot, of: row, rows) : try row.text(slot, of: rows)
            }
            text += CSVText.line(["\(row.primaryKey)", "\(row.version)"] + values)
        }
    }

    /// The entity and the key of the row that a to-one relationship leads to.
    private static func target(_ slot: Slot, of row: StoredRow, _ rows: MemoryRows) -> String? {
        guard let relation = row.entity.property(slot.name)?.relation,
            let target = rows.target(slot, relation: relation, of: row)
        else { return nil }
        return "\(target.entity.name) \(target.primaryKey)"
    }

    // MARK: Reading

    package static func metadata(_ data: Data) throws -> StoreMetadata { try head(try records(data)) }

    package static func read(_ data: Data, into rows: MemoryRows) throws -> StoreMetadata {
        let records = try records(data)
        let metadata = try head(records)
        var reader = CSVRowReader(rows)
        for record in records.dropFirst() { try reader.take(record) }
        reader.finish()
        return metadata
    }

    private static func records(_ data: Data) throws -> [[String?]] {
        guard let text = String(validating: data, as: UTF8.self), text.hasPrefix("store,") else {
            throw StoreFileFailure("the file isn't a CSV store", kind: .foreign)
        }
        guard let records = CSVText.records(text) else { throw StoreFileFailure("a quote isn't closed") }
        return records
    }

    private static func head(_ records: [[String?]]) throws -> StoreMetadata {
        guard let head = records.first, head.count == 3, let uuid = head[1],
            let bytes = head[2].flatMap({ Data(base64Encoded: $0) }),
            case .dictionary(let entries)? = try? BinaryPropertyListReader.read(bytes)
        else { throw StoreFileFailure("the store has no UUID or no metadata") }
        return StoreMetadata(uuid: uuid, entries: entries)
    }
}

/// Makes rows of records. The record before it tells the kind of a record: `entity`,
/// names, rows; `links`, members.
private struct CSVRowReader {
    private enum Section {
        case none
        case names(EntityRuntime)
        case rows(EntityRuntime, [Slot])
        case links(RelationRuntime)
    }

    private let rows: MemoryRows
    private var section = Section.none
    private var read: [StoredRow] = []
    private var lastKeys: [Int: Int64] = [:]

    init(_ rows: MemoryRows) {
        self.rows = rows
    }

    mutating func take(_ record: [String?]) throws {
        switch (record.first ?? nil, section) {
        case ("entity", _): section = .names(try entity(record))
        case ("links", _): section = .links(try relation(record))
        case (_, .names(let entity)): section = .rows(entity, try slots(record, entity))
        case (_, .rows(let entity, let slots)): read.append(try row(record, entity, slots))
        case (_, .links(let relation)):
            let keys = try record.map(number)
            rows.state.links[MemoryRows.LinkKey(relation), default: [:]][keys[0]] = Array(keys.dropFirst())
        case (_, .none): throw StoreFileFailure("a row stands before the first entity")
        }
    }

    func finish() {
        rows.add(read)
        rows.state.lastKeys.merge(lastKeys, uniquingKeysWith: max)
    }

    private mutating func entity(_ record: [String?]) throws -> EntityRuntime {
        guard record.count == 3, let name = record[1], let entity = rows.model.runtime(named: name) else {
            throw StoreFileFailure(
                "the model has no entity \"\((record.count > 1 ? record[1] : nil) ?? "")\"", kind: .model)
        }
        lastKeys[entity.rootNumber] = max(lastKeys[entity.rootNumber] ?? 0, try number(record[2]))
        return entity
    }

    private func relation(_ record: [String?]) throws -> RelationRuntime {
        guard record.count == 3, let entity = record[1], let name = record[2],
            let relation = rows.model.runtime(named: entity)?.property(name)?.relation, relation.isToMany
        else { throw StoreFileFailure("the model lacks a to-many relationship", kind: .model) }
        return relation
    }

    private func slots(_ record: [String?], _ entity: EntityRuntime) throws -> [Slot] {
        try record.dropFirst(2).map { name in
            guard let slot = name.flatMap(entity.layout.slot(named:)), !slot.isTransient else {
                throw StoreFileFailure(
                    "the entity has no property \"\(name ?? "")\"", kind: .model, entity: entity.name,
                    property: name)
            }
            return slot
        }
    }

    private func row(_ record: [String?], _ entity: EntityRuntime, _ slots: [Slot]) throws -> StoredRow {
        guard record.count == slots.count + 2 else {
            throw StoreFileFailure("a row has \(record.count) fields", entity: entity.name)
        }
        let filler = try RowFiller(entity, key: number(record[0]), version: number(record[1]))
        for case (let slot, let text?) in zip(slots, record.dropFirst(2)) {
            if let relation = entity.property(slot.name)?.relation {
                let parts = text.split(separator: " ")
                guard parts.count == 2, let target = rows.model.runtime(named: String(parts[0])) else {
                    throw StoreFileFailure(
                        "a relationship leads nowhere", entity: entity.name, property: slot.name)
                }
                try filler.point(slot, relation: relation, to: target, key: number(String(parts[1])))
            } else if let value = SlotText.value(text, kind: slot.kind) {
                try filler.set(value, slot: slot)
            } else {
                throw StoreFileFailure("a value is broken", entity: entity.name, property: slot.name)
            }
        }
        return filler.row
    }

    private func number(_ text: String?) throws -> Int64 {
        guard let number = text.flatMap({ Int64($0) }) else { throw StoreFileFailure("a key is broken") }
        return number
    }
}
