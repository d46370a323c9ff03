// The rules of the format that hold in every store that Apple's framework wrote.

import Foundation

extension StoreInspector {
    /// Returns the breaches of rules, each in a sentence; empty for a sound store.
    package func violations() throws -> [String] {
        try fileViolations() + numberViolations() + rowViolations() + relationViolations()
            + metadataViolations()
    }

    private func fileViolations() throws -> [String] {
        try database.rows("PRAGMA integrity_check").compactMap { $0.first?.text }.filter { $0 != "ok" }
    }

    // MARK: Z_PRIMARYKEY

    private func numberViolations() throws -> [String] {
        var found: [String] = []
        let records = try database.records("SELECT * FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT")
        if records.count != entities.count { found.append("Z_PRIMARYKEY has \(records.count) entities") }
        for (entity, record) in zip(entities, records) {
            let name = record["Z_NAME"]?.text ?? ""
            let parent = entity.parent.flatMap { numbers[$0] } ?? 0
            if record["Z_ENT"]?.integer != numbers[entity.name] { found.append("\(name): number") }
            if name != entity.name && name != entity.formerName {
                found.append("\(entity.name): named \(name)")
            }
            if record["Z_SUPER"]?.integer != parent { found.append("\(name): Z_SUPER") }
            let maximum = record["Z_MAX"]?.integer ?? -1
            if entity.parent != nil {
                if maximum != 0 { found.append("\(name): Z_MAX \(maximum) of a subentity") }
            } else if maximum < rows[entity.name]?.keys.max() ?? 0 {
                found.append("\(name): Z_MAX \(maximum) below a key in use")
            }
        }
        return found
    }

    // MARK: Rows

    private func rowViolations() -> [String] {
        var found: [String] = []
        for (root, table) in rows {
            for (key, row) in table {
                let place = "\(root)/p\(key)"
                guard let name = entityName(of: row), isKind(name, of: root),
                    entity(name)?.isAbstract == false
                else {
                    found.append("\(place): Z_ENT \(row["Z_ENT"] ?? .null)")
                    continue
                }
                if row["Z_OPT"]?.integer ?? 0 < 1 { found.append("\(place): Z_OPT \(row["Z_OPT"] ?? .null)") }
                for entity in entities where isKind(entity.name, of: root) {
                    found += columnViolations(place, row, entity, isOwn: isKind(name, of: entity.name))
                }
            }
        }
        return found
    }

    private func columnViolations(
        _ place: String, _ row: [String: PlainValue], _ entity: InspectedEntity, isOwn: Bool
    ) -> [String] {
        entity.attributes.compactMap { attribute in
            let column = column(attribute.name, of: entity.name)
            guard let value = row[column] else { return "\(place): no column \(column)" }
            if value == .null || (isOwn && fits(value, attribute.kind)) { return nil }
            return "\(place).\(attribute.name) (\(attribute.kind)): \(value)"
        }
    }

    private func fits(_ value: PlainValue, _ kind: InspectedAttribute.Kind) -> Bool {
        switch (kind, value) {
        case (.integer, .integer), (.string, .text), (.uri, .text), (.transformable, .blob), (.binary, .blob):
            true
        case (.boolean, .integer(let flag)): flag == 0 || flag == 1
        case (.double, .real), (.float, .real): true
        case (.decimal, .real), (.decimal, .integer), (.date, .real): true
        // The column's affinity makes whole seconds integers.
        case (.date, .integer): true
        case (.uuid, .blob(let bytes)): bytes.count == 16
        case (.externalBinary, .blob(let bytes)):
            bytes.first == 1 || (bytes.first == 2 && bytes.count == 38 && bytes.last == 0)
        default: false
        }
    }

    // MARK: Relationships

    private func relationViolations() throws -> [String] {
        var found: [String] = []
        for entity in entities {
            for relation in entity.relations {
                if relation.isToMany {
                    found += try toManyViolations(relation, of: entity.name)
                } else {
                    found += toOneViolations(relation, of: entity.name)
                }
            }
        }
        return found
    }

    private func toOneViolations(_ relation: InspectedRelation, of owner: String) -> [String] {
        let column = column(relation.name, of: owner)
        let inverse = inverse(relation)
        var found: [String] = []
        for (key, row) in rows[root(of: owner)] ?? [:]
        where entityName(of: row).map({ isKind($0, of: owner) }) == true {
            let place = "\(owner)/p\(key).\(relation.name)"
            let number = entityColumn(relation, of: owner).map { row[$0] ?? .text("no column \($0)") }
            let order = orderColumn(relation, of: owner).map { row[$0] ?? .text("no column \($0)") }
            guard let target = row[column]?.integer else {
                if row[column] != .null { found.append("\(place): \(row[column] ?? .text("no column"))") }
                if let number, number != .null { found.append("\(place): number without target: \(number)") }
                continue
            }
            guard let object = object(target, inTreeOf: relation.destination),
                isKind(object.entity, of: relation.destination)
            else {
                found.append("\(place): dangling \(target)")
                continue
            }
            if let number, number.integer != numbers[object.entity] {
                found.append("\(place): number \(number)")
            }
            if let order, order.integer ?? 0 <= 0 { found.append("\(place): order \(order)") }
            if let inverse, !inverse.relation.isToMany {
                let back = rows[root(of: relation.destination)]?[target]?[
                    self.column(inverse.relation.name, of: inverse.owner)]
                if back?.integer != key { found.append("\(place): the inverse is \(back ?? .null)") }
            }
        }
        return found
    }

    private func toManyViolations(_ relation: InspectedRelation, of owner: String) throws -> [String] {
        var found: [String] = []
        let name = "\(owner).\(relation.name)"
        if let inverse = inverse(relation), inverse.relation.isToMany, try join(relation, of: owner) == nil {
            return ["\(name): no join table"]
        }
        for (source, pairs) in Dictionary(grouping: try pairs(relation, of: owner), by: \.source) {
            if object(source, inTreeOf: owner).map({ isKind($0.entity, of: owner) }) != true {
                found.append("\(name): dangling source \(source)")
            }
            for pair in pairs
            where object(pair.target, inTreeOf: relation.destination).map({
                isKind($0.entity, of: relation.destination)
            }) != true {
                found.append("\(name): dangling target \(pair.target)")
            }
            if Set(pairs.map(\.target)).count != pairs.count { found.append("\(name): a target twice") }
            guard relation.isOrdered else { continue }
            let orders = Set(pairs.map(\.order))
            if orders.count != pairs.count || (orders.min() ?? 1) <= 0 {
                found.append("\(name) of p\(source): orders \(pairs.map(\.order).sorted())")
            }
        }
        return found
    }

    // MARK: Z_METADATA

    private func metadataViolations() throws -> [String] {
        var found: [String] = []
        let records = try database.records("SELECT * FROM Z_METADATA")
        guard records.count == 1, let record = records.first else {
            return ["Z_METADATA has \(records.count) rows"]
        }
        if record["Z_VERSION"] != .integer(1) { found.append("Z_VERSION is \(record["Z_VERSION"] ?? .null)") }
        let uuid = record["Z_UUID"]?.text ?? ""
        if UUID(uuidString: uuid)?.uuidString != uuid { found.append("Z_UUID is \(uuid)") }
        let plist = try metadata()
        let hashes = plist["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
        if Set(hashes.keys) != Set(entities.map(\.name)) { found.append("hashes of \(hashes.keys.sorted())") }
        if hashes.values.contains(where: { $0.count != 32 }) { found.append("a hash isn't 32 bytes long") }
        if plist["NSStoreModelVersionHashesVersion"] as? Int != 3 { found.append("hashes of another kind") }
        if plist["NSStoreType"] as? String != "SQLite" { found.append("NSStoreType") }
        return found
    }

    /// The property list of Z_METADATA.
    package func metadata() throws -> [String: Any] {
        guard let bytes = try database.rows("SELECT Z_PLIST FROM Z_METADATA").first?.first?.blob else {
            return [:]
        }
        return try PropertyListSerialization.propertyList(from: bytes, format: nil) as? [String: Any] ?? [:]
    }
}
