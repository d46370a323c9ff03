// Objects as the library gives them against rows as SQLite holds them.

import CoreData
import CoreDataTestSupport
import Foundation

/// Says where objects and rows differ.
enum ObjectComparison {
    /// Every object and every property of a store.
    static func differences(_ opened: OpenStore, _ inspector: StoreInspector) throws -> [String] {
        let rows = try inspector.objects()
        let objects = try opened.objects()
        var found: [String] = []
        if objects.count != rows.count { found.append("\(objects.count) objects, \(rows.count) rows") }
        for row in rows {
            let key = InspectedKey(entity: row.entity, key: row.key)
            guard let object = objects[key] else {
                found.append("\(key) isn't fetched")
                continue
            }
            found += differences(object, row).map { "\(key).\($0)" }
        }
        return found
    }

    static func differences(_ object: NSManagedObject, _ row: InspectedObject) -> [String] {
        var found: [String] = []
        for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
            guard let kind = InspectedAttribute.kind(attribute) else { continue }
            let value = object.value(forKey: name)
            let stored = row.attributes[name] ?? .text("no column")
            if !isSame(value, stored, kind) { found.append("\(name): \(value ?? "nil"), stored \(stored)") }
        }
        for (name, relation) in object.entity.relationshipsByName where relation.isStored {
            if relation.isToMany {
                let keys = keys(object.value(forKey: name), isOrdered: relation.isOrdered)
                let stored = row.toMany[name] ?? []
                let expected = relation.isOrdered ? stored : stored.sorted { "\($0)" < "\($1)" }
                if keys != expected { found.append("\(name): \(keys), stored \(expected)") }
            } else {
                let target = (object.value(forKey: name) as? NSManagedObject).map {
                    InspectedKey($0.objectID)
                }
                if target != row.toOne[name] { found.append("\(name): \(target as Any)") }
            }
        }
        return found
    }

    private static func keys(_ value: Any?, isOrdered: Bool) -> [InspectedKey] {
        if isOrdered {
            return (value as? NSOrderedSet)?.compactMap { ($0 as? NSManagedObject)?.objectID }.map(
                InspectedKey.init)
                ?? []
        }
        return (value as? Set<NSManagedObject> ?? []).map { InspectedKey($0.objectID) }
            .sorted { "\($0)" < "\($1)" }
    }

    private static func isSame(_ value: Any?, _ stored: PlainValue, _ kind: InspectedAttribute.Kind) -> Bool {
        guard let value else { return stored == .null }
        switch kind {
        case .integer: return (value as? NSNumber)?.int64Value == stored.integer
        case .boolean: return (value as? Bool).map { $0 ? 1 : 0 } == stored.integer
        case .double: return (value as? Double) == stored.number
        case .float: return (value as? Float) == stored.number.map { Float($0) }
        // A double has no more than these digits.
        case .decimal: return (value as? Decimal) == stored.number.flatMap { Decimal(string: "\($0)") }
        case .date: return (value as? Date)?.timeIntervalSinceReferenceDate == stored.number
        case .string: return (value as? String) == stored.text
        case .uuid: return (value as? UUID).map { withUnsafeBytes(of: $0.uuid) { Data($0) } } == stored.blob
        case .uri: return (value as? URL)?.absoluteString == stored.text
        case .transformable, .binary: return (value as? Data) == stored.blob
        case .externalBinary:
            return stored.blob.map { $0.first == 1 && (value as? Data) == $0.dropFirst() } ?? false
        }
    }
}
