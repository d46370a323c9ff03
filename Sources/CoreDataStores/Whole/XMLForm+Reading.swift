// The objects of an XML store, element by element.

import CoreDataSchema
package import CoreDataSupport
import Foundation

/// Makes rows of elements. Relationships are set when all objects are known.
package struct XMLRowReader {
    private struct Related {
        let filler: RowFiller
        let property: String
        /// The numbers in the targets' ids.
        let numbers: [Int64]
    }

    private struct Place: Hashable {
        let root: Int
        let key: Int64
    }

    private let rows: MemoryRows
    private let names: XMLEntityNames
    /// By the number in the object's id.
    private var fillers: [Int64: RowFiller] = [:]
    private var places: Set<Place> = []
    private var related: [Related] = []

    package init(_ rows: MemoryRows) {
        self.rows = rows
        names = XMLEntityNames(rows.model)
    }

    package mutating func read(_ element: XMLTree) throws {
        let type = element["type"] ?? ""
        guard let entity = names.entity(type) else {
            throw StoreFileFailure("the model has no entity \"\(type)\"", kind: .model, entity: type)
        }
        let number = try Self.number(element["id"] ?? "")
        let key = number < XMLForm.keyLimit ? number : number % XMLForm.keyLimit
        let filler = try RowFiller(entity, key: key, version: 1)
        guard fillers.updateValue(filler, forKey: number) == nil,
            places.insert(Place(root: entity.rootNumber, key: key)).inserted
        else {
            throw StoreFileFailure("the object \(element["id"] ?? "") occurs twice")
        }
        for child in element.children {
            switch child.name {
            case "attribute": try attribute(child, filler: filler)
            case "relationship": try relationship(child, filler: filler)
            default: throw StoreFileFailure("an object has the unknown element <\(child.name)>")
            }
        }
    }

    private static func number(_ text: some StringProtocol) throws -> Int64 {
        guard text.first == "z", let number = Int64(text.dropFirst()), number > 0,
            number <= RowFiller.largestKey
        else { throw StoreFileFailure("\"\(text)\" isn't an object's id") }
        return number
    }

    private func attribute(_ element: XMLTree, filler: RowFiller) throws {
        let name = element["name"] ?? ""
        guard let slot = filler.entity.layout.slot(named: name), !slot.isTransient, !slot.isRelationship
        else {
            throw StoreFileFailure(
                "the model's entity \"\(filler.entity.name)\" has no attribute \"\(name)\"", kind: .model,
                entity: filler.entity.name, property: name)
        }
        guard let value = Self.value(element, kind: slot.kind) else {
            throw StoreFileFailure(
                "\(filler.entity.name).\(name) of z\(filler.row.primaryKey) is broken",
                entity: filler.entity.name, property: name)
        }
        try filler.set(value, slot: slot)
    }

    /// `nil` for a text that doesn't spell a value of the kind.
    private static func value(_ element: XMLTree, kind: SlotKind) -> Value? {
        guard kind == .string, element["encoding"] == "base64" else {
            return SlotText.value(element.text, kind: kind)
        }
        let bytes = Data(base64Encoded: element.text.trimmingCharacters(in: .whitespacesAndNewlines))
        return bytes.flatMap { String(validating: $0, as: UTF8.self) }.map(Value.string)
    }

    private mutating func relationship(_ element: XMLTree, filler: RowFiller) throws {
        let name = element["name"] ?? ""
        guard filler.entity.property(name)?.relation != nil else {
            throw StoreFileFailure(
                "the model's entity \"\(filler.entity.name)\" has no relationship \"\(name)\"", kind: .model,
                entity: filler.entity.name, property: name)
        }
        let numbers = try (element["idrefs"] ?? "").split(whereSeparator: \.isWhitespace).map {
            try Self.number($0)
        }
        if !numbers.isEmpty { related.append(Related(filler: filler, property: name, numbers: numbers)) }
    }

    // MARK: Relationships

    package mutating func finish(nextKey: Int64) throws {
        for entry in related { try connect(entry) }
        rows.add(fillers.values.map(\.row))
        for root in rows.state.lastKeys.keys {
            rows.state.lastKeys[root] = max(rows.state.lastKeys[root] ?? 0, nextKey - 1)
        }
        if rows.state.lastKeys.isEmpty, let entity = rows.model.runtimes.first {
            rows.state.lastKeys[entity.rootNumber] = nextKey - 1
        }
    }

    private func connect(_ entry: Related) throws {
        // An object may name one that was deleted, where no inverse or no delete rule took the name out.
        let targets = entry.numbers.compactMap { number -> RowFiller? in
            if let target = fillers[number] { return target }
            Log.warning(
                "\(entry.filler.entity.name).\(entry.property) leads to z\(number), which isn't in the store")
            return nil
        }
        switch entry.filler.entity.property(entry.property)?.kind {
        case .toOne(let slot, let relation):
            guard let target = targets.first else { return }
            try entry.filler.point(slot, relation: relation, to: target.entity, key: target.row.primaryKey)
        case .toMany(let relation): try connect(entry, relation: relation, targets: targets)
        default: break
        }
    }

    private func connect(_ entry: Related, relation: RelationRuntime, targets: [RowFiller]) throws {
        let destination = relation.destination(in: rows.model)
        guard targets.allSatisfy({ $0.entity.isKind(of: destination) }) else {
            throw StoreFileFailure(
                "\(entry.filler.entity.name).\(relation.name) leads to objects of another entity",
                entity: entry.filler.entity.name, property: relation.name)
        }
        if let inverse = relation.inverse, !inverse.isToMany {
            // The other side holds the key; here is the order only.
            for target in targets {
                guard let slot = target.entity.layout.slot(named: inverse.name),
                    target.row.pointer.isNull(slot.index)
                else { continue }
                try target.point(
                    slot, relation: inverse, to: entry.filler.entity, key: entry.filler.row.primaryKey)
            }
            if !relation.isOrdered { return }
        }
        let link = MemoryRows.LinkKey(relation)
        let source = entry.filler.row.primaryKey
        let keys = targets.map(\.row.primaryKey)
        rows.state.links[link, default: [:]][source] = keys
        guard let inverse = relation.inverse, inverse.isToMany else { return }
        for key in keys
        where rows.state.links[MemoryRows.LinkKey(inverse)]?[key]?.contains(source) != true {
            rows.state.links[MemoryRows.LinkKey(inverse), default: [:]][key, default: []].append(source)
        }
    }
}
