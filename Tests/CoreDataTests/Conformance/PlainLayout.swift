// The layout of a store as SQLite tells it, and the differences of two: tables, columns, indexes, triggers, entities, and
// what the metadata says of the model. Nothing of it comes from code that makes layouts.

import CoreDataTestSupport
import Foundation
import Testing

/// The layout of a store's file.
struct PlainLayout {
    /// A column with its type and its place in the primary key.
    struct Column: Hashable {
        var name: String
        var type: String
        var keyPlace: Int64
    }

    var tables: [String: [Column]] = [:]
    /// The SQL of indexes and triggers, by kind and name.
    var parts: [String: String] = [:]
    /// Number, name and the superentity's number.
    var entities: [String] = []
    var metadata: [String: Any] = [:]

    init(_ url: URL) throws {
        let database = try PlainDatabase(url)
        for name in try database.tableNames() where !name.hasPrefix("sqlite_") {
            let columns = try database.records("SELECT * FROM pragma_table_info('\(name)') ORDER BY cid")
            tables[name] = columns.map { row in
                Column(
                    name: row["name"]?.text ?? "", type: row["type"]?.text ?? "",
                    keyPlace: row["pk"]?.integer ?? -1)
            }
        }
        let definitions =
            "SELECT type, name, sql FROM sqlite_master WHERE type <> 'table' AND sql IS NOT NULL"
        for row in try database.rows(definitions) {
            parts["\(row[0].text ?? "") \(row[1].text ?? "")"] = Self.normal(row[2].text ?? "")
        }
        entities = try database.rows("SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY ORDER BY Z_ENT").map {
            "\($0[0]) \($0[1]) \($0[2])"
        }
        let list = try #require(try database.rows("SELECT Z_PLIST FROM Z_METADATA").first?.first?.blob)
        metadata = try #require(
            PropertyListSerialization.propertyList(from: list, format: nil) as? [String: Any])
    }

    /// SQL without quotes, and with one space where there are some.
    private static func normal(_ sql: String) -> String {
        sql.replacing("\"", with: "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
            .replacing(" (", with: "(").replacing("( ", with: "(").replacing(" )", with: ")")
            .replacing(" ,", with: ",").replacing(", ", with: ",")
    }

    /// What is of one file only, or of the framework that wrote it.
    private static let privateKeys: Set<String> = [
        "NSPersistenceFrameworkVersion", "NSStoreModelVersionIdentifiers", "NSStoreModelVersionHashes",
    ]

    /// The differences of another layout from this one, a line for each.
    func differences(of other: PlainLayout) -> [String] {
        var found: [String] = []
        for name in Set(tables.keys).union(other.tables.keys).sorted()
        where tables[name] != other.tables[name] {
            found += Self.differences(tables[name], other.tables[name]).map { "\(name): \($0)" }
        }
        for name in Set(parts.keys).union(other.parts.keys).sorted() where parts[name] != other.parts[name] {
            found.append("\(name): \(parts[name] ?? "none"), ours \(other.parts[name] ?? "none")")
        }
        if entities != other.entities {
            let lists = [entities, other.entities].map { $0.joined(separator: ", ") }
            found.append("entities: \(lists[0]), ours \(lists[1])")
        }
        return found + metadataDifferences(of: other)
    }

    private static func differences(_ columns: [Column]?, _ others: [Column]?) -> [String] {
        guard let columns else { return ["extra"] }
        guard let others else { return ["missing"] }
        if Set(columns) == Set(others) { return ["another order: \(others.map(\.name))"] }
        return columns.filter { !others.contains($0) }.map { "no \($0.name) \($0.type)" }
            + others.filter { !columns.contains($0) }.map { "extra \($0.name) \($0.type)" }
    }

    /// Keys that only one of them has are an application's, or of another version of the framework.
    private func metadataDifferences(of other: PlainLayout) -> [String] {
        let hashes = metadata["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
        let others = other.metadata["NSStoreModelVersionHashes"] as? [String: Data] ?? [:]
        let entities = Set(hashes.keys).union(others.keys).sorted()
        let keys = Set(metadata.keys).intersection(other.metadata.keys).subtracting(Self.privateKeys).sorted()
        return entities.filter { hashes[$0] != others[$0] }.map { "version hash of \($0)" }
            + keys.filter { !isEqual(metadata[$0], other.metadata[$0]) }.map { "metadata \($0)" }
    }

    private func isEqual(_ one: Any?, _ other: Any?) -> Bool {
        (one as? NSObject)?.isEqual(other as? NSObject) == true
    }
}
