// The names of a store's tables and columns. The layout is the same under every rule: a table for each root entity, a
// column for each attribute, a foreign key for each to-one relationship, a join table for each pair of to-many ones.

import CoreDataSchema

/// A rule for names. A name that it gives twice in one table gets a number (`unique`).
package protocol StoreNaming: Sendable {
    var head: HeadColumns { get }
    /// Names that the database has for columns of its own in each table.
    var systemColumns: Set<String> { get }
    func table(ofRoot entity: String) -> String
    /// An attribute's column; for an element of a composite one the names on the way.
    func column(ofAttribute path: [String]) -> String
    func foreignKey(_ relationship: String) -> String
    /// Beside a foreign key to one of several entities; `number` is that of the declared one.
    func entityColumn(_ relationship: String, number: Int) -> String
    /// The key of a to-many relationship without inverse, in the table of its destination.
    func oneWayKey(_ relationship: PropertyAddress, number: Int) -> String
    /// Beside a foreign key whose other side is ordered.
    func orderColumn(ofKey column: String) -> String

    /// `number` is that of the entity that has the relationship.
    func joinTable(_ relationship: PropertyAddress, number: Int) -> String
    /// The key of what a relationship leads to, in a join table; `number` is that of its destination.
    func joinKey(_ relationship: String, number: Int) -> String
    /// The other key of a relationship that is its own inverse.
    var reflexiveKey: String { get }
    func joinOrderColumn(ofKey column: String) -> String
    /// Indicates whether keys of one name are counted over all join tables.
    var countsJoinColumns: Bool { get }

    func index(table: String, column: String) -> String
    func uniqueIndex(entity: String, _ properties: [String]) -> String
    func fetchIndex(entity: String, _ name: String) -> String
}

/// The names that Apple's framework gives.
package struct AppleNaming: StoreNaming {
    package init() {}

    package var head: HeadColumns { .apple }
    package var systemColumns: Set<String> { [] }
    package func table(ofRoot entity: String) -> String { "Z" + entity.uppercased() }
    package func column(ofAttribute path: [String]) -> String {
        "Z" + path.joined(separator: "_").uppercased()
    }
    package func foreignKey(_ relationship: String) -> String { "Z" + relationship.uppercased() }
    package func entityColumn(_ relationship: String, number: Int) -> String {
        "Z\(number)_\(relationship.uppercased())"
    }
    package func oneWayKey(_ relationship: PropertyAddress, number: Int) -> String {
        "Z\(number)\(relationship.property.uppercased())"
    }
    package func orderColumn(ofKey column: String) -> String { "Z_FOK_" + column.dropFirst() }

    package func joinTable(_ relationship: PropertyAddress, number: Int) -> String {
        joinKey(relationship.property, number: number)
    }
    package func joinKey(_ relationship: String, number: Int) -> String {
        "Z_\(number)\(relationship.uppercased())"
    }
    package var reflexiveKey: String { "REFLEXIVE" }
    package func joinOrderColumn(ofKey column: String) -> String {
        "Z_FOK_" + (column.hasPrefix("Z_") ? String(column.dropFirst(2)) : column)
    }
    package var countsJoinColumns: Bool { true }

    package func index(table: String, column: String) -> String { "\(table)_\(column)_INDEX" }
    package func uniqueIndex(entity: String, _ properties: [String]) -> String {
        "Z_\(entity)_UNIQUE_\(properties.joined(separator: "_"))"
    }
    package func fetchIndex(entity: String, _ name: String) -> String { "Z_\(entity)_\(name)" }
}

/// Names as a person would write them: `person`, `last_name`, `boss_id`.
package struct PlainNaming: StoreNaming {
    package init() {}

    package var head: HeadColumns {
        HeadColumns(key: "object_id", entity: "object_entity", version: "object_version")
    }
    package var systemColumns: Set<String> { ["ctid", "xmin", "xmax", "cmin", "cmax", "tableoid"] }
    package func table(ofRoot entity: String) -> String { Self.name(entity) }
    package func column(ofAttribute path: [String]) -> String { Self.name(path.joined(separator: "_")) }
    package func foreignKey(_ relationship: String) -> String { Self.name(relationship, suffix: "_id") }
    package func entityColumn(_ relationship: String, number: Int) -> String {
        Self.name(relationship, suffix: "_entity")
    }
    package func oneWayKey(_ relationship: PropertyAddress, number: Int) -> String {
        Self.name("\(relationship.entity)_\(relationship.property)", suffix: "_id")
    }
    package func orderColumn(ofKey column: String) -> String { joinOrderColumn(ofKey: column) }

    package func joinTable(_ relationship: PropertyAddress, number: Int) -> String {
        Self.name("\(relationship.entity)_\(relationship.property)")
    }
    package func joinKey(_ relationship: String, number: Int) -> String {
        Self.name(relationship, suffix: "_id")
    }
    package var reflexiveKey: String { "other_id" }
    package func joinOrderColumn(ofKey column: String) -> String {
        Self.name(column.hasSuffix("_id") ? String(column.dropLast(3)) : column, suffix: "_order")
    }
    package var countsJoinColumns: Bool { false }

    package func index(table: String, column: String) -> String {
        Self.name("\(table)_\(column)", suffix: "_idx")
    }
    package func uniqueIndex(entity: String, _ properties: [String]) -> String {
        Self.name(([entity] + properties).joined(separator: "_"), suffix: "_key")
    }
    package func fetchIndex(entity: String, _ name: String) -> String {
        Self.name("\(entity)_\(name)", suffix: "_fetch")
    }

    /// PostgreSQL keeps 63 bytes of a name; room is left for a number.
    private static let longest = 59

    /// `lastName` as `last_name`, `HTTPServer` as `http_server`. A long name is cut and gets a number of its own.
    static func name(_ name: String, suffix: String = "") -> String {
        let characters = Array(name)
        var words = ""
        for (place, character) in characters.enumerated() {
            let isStart =
                character.isUppercase && place > 0 && characters[place - 1] != "_"
                && (!characters[place - 1].isUppercase
                    || place + 1 < characters.count && characters[place + 1].isLowercase)
            words += (isStart ? "_" : "") + character.lowercased()
        }
        return fitted(words, suffix: suffix)
    }

    /// A name that is cut, and has a number of its own, if it is too long.
    static func fitted(_ name: String, suffix: String = "") -> String {
        if name.utf8.count + suffix.utf8.count <= longest { return name + suffix }
        let mark = "_" + String(checksum(name), radix: 36)
        var name = name
        while name.utf8.count + mark.utf8.count + suffix.utf8.count > longest { name.removeLast() }
        return name + mark + suffix
    }

    /// FNV-1a in 32 bits: the same in every process.
    static func checksum(_ text: String) -> UInt32 {
        text.utf8.reduce(2_166_136_261) { ($0 ^ UInt32($1)) &* 16_777_619 }
    }
}
