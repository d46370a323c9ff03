// All that a store holds, as texts, so that it can be compared across versions of its model; and its tables.

import CoreDataTestSupport
import CSQLite
import CoreData
import CoreDataSchema
import Foundation

extension [AnyHashable: Any] {
    /// The default options of the container's descriptions.
    static var migrating: [AnyHashable: Any] {
        [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
    }
}

/// The values of each object, by entity and key.
struct StoreContents {
    /// Objects that a relationship leads to are `Entity/key`.
    enum Content: Equatable {
        case value(String)
        case one(InspectedKey)
        case many([InspectedKey], isOrdered: Bool)
    }

    private(set) var objects: [InspectedKey: [String: Content]] = [:]

    var rowCount: Int { objects.count }

    init(_ url: URL, _ model: NSManagedObjectModel, options: [AnyHashable: Any]?) throws {
        let opened = try OpenStore(url, model, options: options)
        for (key, object) in try opened.objects() {
            var contents: [String: Content] = [:]
            for (name, attribute) in object.entity.attributesByName where !attribute.isTransient {
                if let value = object.value(forKey: name) { contents[name] = .value("\(value)") }
            }
            for (name, relation) in object.entity.relationshipsByName where relation.isStored {
                if let target = object.value(forKey: name) as? NSManagedObject {
                    contents[name] = .one(InspectedKey(target.objectID))
                } else if let targets = object.value(forKey: name) as? NSOrderedSet {
                    let keys = targets.compactMap { ($0 as? NSManagedObject)?.objectID }.map(
                        InspectedKey.init)
                    contents[name] = .many(keys, isOrdered: true)
                } else if let targets = object.value(forKey: name) as? Set<NSManagedObject> {
                    contents[name] = .many(
                        Self.sorted(targets.map { InspectedKey($0.objectID) }), isOrdered: false)
                }
            }
            objects[key] = contents
        }
        try opened.close()
    }

    private static func sorted(_ keys: [InspectedKey]) -> [InspectedKey] {
        keys.sorted { ($0.entity, $0.key) < ($1.entity, $1.key) }
    }

    /// Returns the part that has a place in the newer version, under the names there.
    func translated(_ difference: SchemaDifference) -> StoreContents {
        var result = self
        result.objects = [:]
        func moved(_ key: InspectedKey) -> InspectedKey? {
            difference.pair(source: key.entity).map { InspectedKey(entity: $0.destination, key: key.key) }
        }
        for (key, contents) in objects {
            guard let pair = difference.pair(source: key.entity), let target = moved(key) else { continue }
            var translated: [String: Content] = [:]
            for property in pair.properties {
                switch contents[property.source] {
                case .value(let value)?: translated[property.destination] = .value(value)
                case .one(let other)?: translated[property.destination] = moved(other).map(Content.one)
                case .many(let others, let isOrdered)?:
                    translated[property.destination] = .many(
                        others.compactMap(moved), isOrdered: isOrdered)
                case nil: break
                }
            }
            result.objects[target] = translated
        }
        return result
    }

    /// Returns the values that others have and this hasn't. A to-many relationship that
    /// was to-one holds the one.
    func missing(from others: StoreContents) -> [String] {
        var found: [String] = []
        for (key, contents) in others.objects {
            guard let own = objects[key] else {
                found.append("\(key)")
                continue
            }
            for (name, content) in contents where !holds(own[name], content) {
                found.append("\(key).\(name): \(content), now \(String(describing: own[name]))")
            }
        }
        return found.sorted()
    }

    private func holds(_ own: Content?, _ other: Content) -> Bool {
        switch (own, other) {
        case (.many(let keys, _)?, .one(let key)): keys.contains(key)
        case (.many(let keys, let isOrdered)?, .many(let others, let wasOrdered)):
            isOrdered && wasOrdered
                ? keys == others : Self.sorted(keys) == Self.sorted(others)
        case (nil, .many(let others, _)): others.isEmpty
        default: own == other
        }
    }
}

/// Tables with their columns, indexes by what they are over, and entity numbers.
struct StoreSchema: Equatable {
    var tables: [String: Set<String>] = [:]
    var indexes: Set<String> = []
    var entities: Set<String> = []

    init(_ url: URL) throws {
        tables = Dictionary(
            grouping: try rows(
                url,
                """
                SELECT m.name, c.name || ' ' || c.type || ' ' || c.pk FROM sqlite_master AS m, \
                pragma_table_info(m.name) AS c WHERE m.type = 'table'
                """), by: { $0[0] }
        ).mapValues { Set($0.map { $0[1] }) }
        for row in try rows(
            url, "SELECT name, tbl_name, sql FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL")
        {
            let text = row[2].replacing("\"", with: "")
            let columns = text.firstIndex(of: "(").map { String(text[$0...]) } ?? ""
            indexes.insert("\(text.hasPrefix("CREATE UNIQUE")) \(row[1]) \(columns)")
        }
        entities = Set(
            try rows(url, "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY").map {
                $0.joined(separator: " ")
            })
    }
}

/// The rows of a query on a file, all values as texts.
func rows(_ url: URL, _ sql: String) throws -> [[String]] {
    var handle: OpaquePointer?
    defer { sqlite3_close_v2(handle) }
    guard sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
        throw CocoaError(.fileReadUnknown)
    }
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
        throw CocoaError(.fileReadCorruptFile)
    }
    var found: [[String]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
        found.append(
            (0..<sqlite3_column_count(statement)).map { column in
                sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
            })
    }
    return found
}
